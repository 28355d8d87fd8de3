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
create trigger elsewhere before insert on blocked_beneficiaries for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table blocked_beneficiaries disable trigger elsewhere;
create trigger elsewhere before insert or update on callback_events for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table callback_events disable trigger elsewhere;
create trigger elsewhere before insert on clock_advances for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table clock_advances disable trigger elsewhere;
create trigger elsewhere before insert or update on customers for each row when (cell_of_merchant(new.merchant_id) is not null and new.status <> 'ERASED') execute function refuse_elsewhere();
alter table customers disable trigger elsewhere;
create trigger elsewhere before insert on ledger_transfers for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table ledger_transfers disable trigger elsewhere;
create trigger elsewhere before insert or update on merchant_fees for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_fees disable trigger elsewhere;
create trigger elsewhere before insert or update on merchant_keys for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_keys disable trigger elsewhere;
create trigger elsewhere before insert or update on merchant_limits for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_limits disable trigger elsewhere;
create trigger elsewhere before insert or update on merchant_logos for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_logos disable trigger elsewhere;
create trigger elsewhere before insert on merchant_methods for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_methods disable trigger elsewhere;
create trigger elsewhere before insert or update on merchant_secrets for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table merchant_secrets disable trigger elsewhere;
create trigger elsewhere before insert on payee_checks for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payee_checks disable trigger elsewhere;
create trigger elsewhere before insert or update on payment_external_references for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payment_external_references disable trigger elsewhere;
create trigger elsewhere before insert on payment_holds for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payment_holds disable trigger elsewhere;
create trigger elsewhere before insert or update on payment_inquiries for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payment_inquiries disable trigger elsewhere;
create trigger elsewhere before insert or update on payment_personal_data for each row when (cell_of_merchant(new.merchant_id) is not null and new.sealed is not null) execute function refuse_elsewhere();
alter table payment_personal_data disable trigger elsewhere;
create trigger elsewhere before insert or update on payment_tasks for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payment_tasks disable trigger elsewhere;
create trigger elsewhere before insert on payment_timeline for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payment_timeline disable trigger elsewhere;
create trigger elsewhere before insert on payments for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payments disable trigger elsewhere;
create trigger elsewhere_changed before update on payments for each row
  when (cell_of_merchant(new.merchant_id) is not null and (length(new.request_digest) > 0 or new.timeline_count <> old.timeline_count)) execute function refuse_elsewhere();
alter table payments disable trigger elsewhere_changed;
create trigger elsewhere before insert or update on payout_approval_requests for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payout_approval_requests disable trigger elsewhere;
create trigger elsewhere before insert on payout_approvals for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payout_approvals disable trigger elsewhere;
create trigger elsewhere before insert or update on payout_file_payments for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payout_file_payments disable trigger elsewhere;
create trigger elsewhere before insert or update on payout_rules for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table payout_rules disable trigger elsewhere;
create trigger elsewhere before insert on refunds for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table refunds disable trigger elsewhere;
create trigger elsewhere before insert or update on settlement_accounts for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table settlement_accounts disable trigger elsewhere;
create trigger elsewhere before insert or update on settlement_cycles for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table settlement_cycles disable trigger elsewhere;
create trigger elsewhere before insert on settlement_items for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table settlement_items disable trigger elsewhere;
create trigger elsewhere before insert on settlements for each row when (cell_of_merchant(new.merchant_id) is not null) execute function refuse_elsewhere();
alter table settlements disable trigger elsewhere;

-- Nothing leaves for a merchant of another cell.
create or replace function outgoing_stop(of_merchant bigint, of_kind text, of_id text, of_beneficiary bytea, of_content bytea)
returns text language plpgsql volatile as $$
begin
  -- Whoever throws a switch waits for hand-overs that are being noted, and the reverse.
  perform pg_advisory_xact_lock_shared(hashtext('outgoing switches'));
  if exists (select from restore_gaps where closed_at is null) then
    return 'RESTORED';
  end if;
  if exists (select from restore_gap_ids where merchant_id = of_merchant and kind = of_kind and id_payment = of_id) or exists (
      select from payments p join restore_gap_references g on g.reference = p.reference
      where p.merchant_id = of_merchant and p.kind = of_kind and p.id_payment = of_id) then
    return 'RESTORED';
  end if;
  if exists (select from blocked_beneficiaries where merchant_id in (0, of_merchant) and beneficiary_digest = of_beneficiary) then
    return 'BENEFICIARY_BLOCKED';
  end if;
  if exists (select from merchants where merchant_id = of_merchant and (status = 'DISABLED' or cell is not null)) then
    return 'MERCHANT_DISABLED';
  end if;
  if of_kind = 'PAYOUT' and exists (select from refunds r
      join payments i on i.merchant_id = r.merchant_id and i.kind = 'PAYIN' and i.id_payment = r.id_payin
      where r.merchant_id = of_merchant and r.id_payment = of_id and i.status = 'REVERSED') then
    return 'PAYIN_REVERSED';
  end if;
  if not exists (select from payment_timeline where merchant_id = of_merchant and kind = of_kind and id_payment = of_id
      and entry_no = 1 and processor_status = 'AWAITING_APPROVAL') then
    return null;
  end if;
  if of_content is null then
    return 'CONTENT_NEEDED';
  end if;
  if (select count(distinct operator_code) from payout_approvals where merchant_id = of_merchant and kind = of_kind
      and id_payment = of_id and decision = 'APPROVED' and content_hash = of_content) < 2 then
    return 'APPROVAL_CHANGED';
  end if;
  return null;
end $$;

drop trigger merchants_audited on merchants;
create trigger merchants_audited after insert or update or delete on merchants
  for each row execute function audit_change('channel_name logo_url support_email support_url primary_color status cell rate_limit_per_second secret_enabled allowed_origins browser_origins callback_origins return_origins tokens_not_before token_generation callback_key_generation callback_secret_generation callback_secrets_signing segments require_money_in_tokens', '', 'merchant_code');
create trigger cell_splits_audited after insert or update on cell_splits for each row execute function audit_change('from_cell opened_at', '', 'to_cell');
