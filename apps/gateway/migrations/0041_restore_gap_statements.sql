-- A restore gap closes on statements that have every booking of it, of each account that payouts leave from by files: what is on
-- none of them has not left. Where a bank gives none, two people close without it, and say why.

alter table statements
  -- Its lines make the difference between its balances; null: not looked at when it was taken.
  add column adds_up boolean,
  -- Nothing can be booked on its days any more.
  add column is_final boolean;

create table restore_gap_waivers (
  gap_id bigint not null references restore_gaps,
  account_code text not null references bank_accounts,
  reason text not null check (length(reason) between 1 and 250),
  waived_by text not null,
  waived_at timestamptz not null default clock_timestamp(),
  primary key (gap_id, account_code)
);
create trigger restore_gap_waivers_append_only before update or delete or truncate on restore_gap_waivers
  for each statement execute function restore_gaps_stay();
-- The second of two people names the accounts: they cannot become more afterwards.
create function restore_gap_waivers_while_open() returns trigger language plpgsql as $$
begin
  if exists (select from restore_gaps where gap_id = new.gap_id and closed_at is not null) then
    raise exception 'the restore gap is closed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger restore_gap_waivers_open before insert on restore_gap_waivers
  for each row execute function restore_gap_waivers_while_open();

-- As before, but a gap that goes on ends with the last restore.
create or replace function open_restore_gap(from_time timestamptz, by_whom text, file_rails text[], out held bigint, out asked bigint)
language plpgsql as $$
declare
  why constant text := 'stopped after a restore: it may have been handed over since the backup';
begin
  -- The backup may be of a time when another gap was open: it is one gap then, from the beginning of the first.
  update restore_gaps set restored_at = clock_timestamp(), proposed_by = null, proposed_reason = null, proposed_at = null, proposed_digest = null where closed_at is null;
  if not found then
    insert into restore_gaps (lost_from, opened_by) values (from_time, by_whom);
  end if;
  with found as materialized (
    select p.merchant_id, p.kind, p.id_payment from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED' and p.submitted_at is null
      and p.processor_status = 'QUEUED' and p.rail <> all (file_rails)
    order by p.merchant_id, p.kind, p.id_payment for update of p),
  moved as (
    update payments p set submitted_at = from_time, processor_status = 'SUBMITTED', timeline_count = p.timeline_count + 1
    from found f where p.merchant_id = f.merchant_id and p.kind = f.kind and p.id_payment = f.id_payment
    returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
  timeline as (
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
    select merchant_id, kind, id_payment, timeline_count, status, processor_status, 'restore',
      'after a restore: it may have been handed over since the backup, so the institution is asked' from moved),
  expiry as (
    delete from payment_tasks t using moved m
    where t.merchant_id = m.merchant_id and t.kind = m.kind and t.id_payment = m.id_payment and t.task = 'EXPIRE'),
  rail as (
    insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', clock_timestamp() from moved
    on conflict (merchant_id, kind, id_payment, task) do nothing)
  select count(*) into asked from moved;

  with found as materialized (
    select p.merchant_id, p.kind, p.id_payment, p.processor_status as phase from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED' and p.submitted_at is null
      and p.processor_status in ('QUEUED', 'AWAITING_APPROVAL')
    order by p.merchant_id, p.kind, p.id_payment for update of p),
  moved as (
    update payments p set processor_status = 'ON_HOLD', timeline_count = p.timeline_count + 1
    from found f where p.merchant_id = f.merchant_id and p.kind = f.kind and p.id_payment = f.id_payment
    returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, f.phase),
  timeline as (
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
    select merchant_id, kind, id_payment, timeline_count, status, 'ON_HOLD', 'restore', why from moved),
  noted as (
    insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, cause, phase, reason)
    select merchant_id, kind, id_payment, timeline_count, 'HELD', 'RESTORED', phase, why from moved),
  review as (
    insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'REVIEW', clock_timestamp() from moved
    on conflict (merchant_id, kind, id_payment, task) do nothing),
  rail as (
    delete from payment_tasks t using moved m
    where t.merchant_id = m.merchant_id and t.kind = m.kind and t.id_payment = m.id_payment and t.task = 'RAIL')
  select count(*) into held from moved;

  -- What is on hold, since before or now, does not end by the clock: it may have been paid. A release starts it anew.
  update payment_tasks t set due_at = 'infinity' from payments p
  where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.merchant_id = t.merchant_id and p.kind = t.kind
    and p.id_payment = t.id_payment and p.status = 'CREATED' and p.processor_status = 'ON_HOLD';
end $$;
