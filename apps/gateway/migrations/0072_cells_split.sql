-- A cell is split: a copy of its database becomes another cell, and each merchant goes on in one of the two (docs/cells.md).

-- The cell that has the merchant now. Set: its rows here are history.
alter table merchants add column cell text check (cell ~ '^[0-9A-HJKMNP-TV-Z]$');

-- What the databases that come of a split have in common. The copy has the row, too, or lacks something that the row came after.
create table cell_splits (
  split_no integer generated always as identity primary key,
  from_cell text not null check (from_cell ~ '^[0-9A-HJKMNP-TV-Z]$'),
  to_cell text not null unique check (to_cell ~ '^[0-9A-HJKMNP-TV-Z]$' and to_cell <> from_cell),
  released_at timestamptz not null default clock_timestamp(),
  -- In the copy alone, once it is the new cell: up to this entry the journal is that of the cell it came from.
  opened_at timestamptz,
  history_until bigint check ((history_until is null) = (opened_at is null))
);
create function cell_splits_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a split of a cell stays as it was noted' using errcode = 'restrict_violation';
end $$;
create trigger cell_splits_kept before delete or truncate on cell_splits for each statement execute function cell_splits_stay();
create trigger cell_splits_opened_once before update on cell_splits for each row
  when (old.opened_at is not null or to_jsonb(new) - 'opened_at' - 'history_until' <> to_jsonb(old) - 'opened_at' - 'history_until')
  execute function cell_splits_stay();

-- What was due for merchants of another cell: no worker here takes it up, and theirs does.
create table parked_payment_tasks (like payment_tasks including all);
create table parked_callback_events (like callback_events including defaults including constraints, primary key (event_id));

create function cell_of_merchant(of_merchant bigint) returns text language sql stable as $$
  select cell from merchants where merchant_id = of_merchant
$$;
-- The code is of class 23, so that a batch finds the row that it cannot have, and goes on without it.
create function refuse_elsewhere() returns trigger language plpgsql as $$
declare
  of record;
begin
  select merchant_code, cell into of from merchants where merchant_id = new.merchant_id;
  raise exception 'The merchant % is in cell %.', of.merchant_code, of.cell using errcode = '23CEL';
end $$;
create trigger merchants_elsewhere before update on merchants for each row
  when (old.cell is not null and new.cell is not null) execute function refuse_elsewhere();

-- The fence: no row of a merchant of another cell is added or changed here, whoever asks. It costs a look-up for each row, so it stands
-- from the first split on only: enabling it waits for everybody who is writing. Persons are erased from history all the same.
do $$
declare
  is_elsewhere constant text := 'cell_of_merchant(new.merchant_id) is not null';
  only_added constant text[] := array[
    'blocked_beneficiaries', 'clock_advances', 'ledger_transfers', 'merchant_methods', 'payee_checks', 'payment_holds', 'payment_timeline',
    'payout_approvals', 'refunds', 'settlement_items', 'settlements'];
  also_changed constant text[] := array[
    'callback_events', 'merchant_fees', 'merchant_keys', 'merchant_limits', 'merchant_logos', 'merchant_secrets', 'payment_external_references',
    'payment_inquiries', 'payment_tasks', 'payout_approval_requests', 'payout_file_payments', 'payout_rules', 'settlement_accounts',
    'settlement_cycles'];
  fenced text;
begin
  foreach fenced in array only_added || also_changed loop
    execute format('create trigger elsewhere before insert %s on %I for each row when (%s) execute function refuse_elsewhere()',
      case when fenced = any (also_changed) then 'or update' end, fenced, is_elsewhere);
    execute format('alter table %I disable trigger elsewhere', fenced);
  end loop;
end $$;
create trigger elsewhere before insert or update on customers for each row
  when (cell_of_merchant(new.merchant_id) is not null and new.status <> 'ERASED') execute function refuse_elsewhere();
create trigger elsewhere before insert or update on payment_personal_data for each row
  when (cell_of_merchant(new.merchant_id) is not null and new.sealed is not null) execute function refuse_elsewhere();
create trigger elsewhere before insert on payments for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
create trigger elsewhere_changed before update on payments for each row
  when (cell_of_merchant(new.merchant_id) is not null and (length(new.request_digest) > 0 or new.timeline_count <> old.timeline_count)) execute function refuse_elsewhere();
alter table customers disable trigger elsewhere;
alter table payment_personal_data disable trigger elsewhere;
alter table payments disable trigger elsewhere, disable trigger elsewhere_changed;

drop trigger merchants_audited on merchants;
create trigger merchants_audited after insert or update or delete on merchants
  for each row execute function audit_change('channel_name logo_url support_email support_url primary_color status cell rate_limit_per_second secret_enabled allowed_origins browser_origins callback_origins return_origins tokens_not_before token_generation callback_key_generation callback_secret_generation callback_secrets_signing segments require_money_in_tokens', '', 'merchant_code');
create trigger cell_splits_audited after insert or update on cell_splits for each row execute function audit_change('from_cell opened_at', '', 'to_cell');
