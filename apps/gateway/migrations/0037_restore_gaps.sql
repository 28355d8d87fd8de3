-- After a restore: what happened between the backup and the loss is known to others, and not here. Until two operators have
-- closed that gap, no outgoing payment is accepted, handed over or put into a file.

create table restore_gaps (
  gap_id bigint generated always as identity primary key,
  -- Everything from before is in the database.
  lost_from timestamptz not null,
  restored_at timestamptz not null default clock_timestamp(),
  -- `restore`, or operator:<code>.
  opened_by text not null,
  -- The first of the two operators, and what that one has seen: a digest of the ids and references of the gap.
  proposed_by text,
  proposed_reason text check (length(proposed_reason) between 1 and 250),
  proposed_at timestamptz,
  proposed_digest text,
  closed_by text,
  closed_reason text check (length(closed_reason) between 1 and 250),
  closed_at timestamptz,
  check (num_nonnulls(proposed_by, proposed_reason, proposed_at, proposed_digest) in (0, 4)),
  check (num_nonnulls(closed_by, closed_reason, closed_at) in (0, 3)),
  check (closed_by is null or (proposed_by is not null and proposed_by <> closed_by))
);
-- Several restores may follow each other; one gap is open at a time.
create unique index restore_gaps_open on restore_gaps ((true)) where closed_at is null;

create function restore_gaps_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a restore gap that is closed stays as it is, and none is removed' using errcode = 'restrict_violation';
end $$;
create trigger restore_gaps_closed before update on restore_gaps for each row
  when (old.closed_at is not null or old.lost_from is distinct from new.lost_from) execute function restore_gaps_stay();
create trigger restore_gaps_kept before delete or truncate on restore_gaps for each statement execute function restore_gaps_stay();
create trigger restore_gaps_changed after insert or update on restore_gaps
  for each row execute function note_configuration_change('MERCHANT');
-- Who closes or opens a gap waits for hand-overs that are being noted, and the reverse.
create trigger restore_gaps_switch before insert or update of closed_at on restore_gaps
  for each statement execute function wait_for_hand_overs();

-- Ids that were accepted in a gap. They are never accepted again, and payments that have one here are not handed over.
create table restore_gap_ids (
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYOUT', 'SETTLEMENT')),
  id_payment text not null,
  gap_id bigint not null references restore_gaps,
  named_by text not null,
  named_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, kind, id_payment)
);
create trigger restore_gap_ids_append_only before update or delete or truncate on restore_gap_ids
  for each statement execute function restore_gaps_stay();
create trigger restore_gap_ids_changed after insert on restore_gap_ids
  for each statement execute function note_configuration_change('MERCHANT');

-- References of ours that banks named in money that left, and that belong to no payment here: payments of the gap. A payment
-- that comes to have one of them is not handed over.
create table restore_gap_references (
  reference text primary key,
  gap_id bigint not null references restore_gaps,
  noted_at timestamptz not null default clock_timestamp()
);
create trigger restore_gap_references_append_only before update or delete or truncate on restore_gap_references
  for each statement execute function restore_gaps_stay();

alter table payment_holds drop constraint payment_holds_cause_check,
  add constraint payment_holds_cause_check
    check (cause in ('OPERATOR', 'BENEFICIARY_BLOCKED', 'MERCHANT_DISABLED', 'APPROVAL_CHANGED', 'RESTORED'));

-- Opens the gap, and takes back what may have been handed over in it. Institutions are asked about what they would have got
-- from us one by one, as of every hand-over that was only noted. What leaves by files, or waits for approval, is on hold. None of
-- it expires. Answers how many were on hold and how many are asked about.
create function open_restore_gap(from_time timestamptz, by_whom text, file_rails text[], out held bigint, out asked bigint)
language plpgsql as $$
declare
  why constant text := 'stopped after a restore: it may have been handed over since the backup';
begin
  -- The backup may be of a time when another gap was open: it is one gap then, from the beginning of the first.
  update restore_gaps set proposed_by = null, proposed_reason = null, proposed_at = null, proposed_digest = null where closed_at is null;
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
  if exists (select from merchants where merchant_id = of_merchant and status = 'DISABLED') then
    return 'MERCHANT_DISABLED';
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

-- A backup of an older version was restored by this one, which could only note it.
create table if not exists restore_marks (lost_from timestamptz not null);
do $$
declare
  since timestamptz := (select min(lost_from) from restore_marks);
begin
  if since is not null then
    perform open_restore_gap(since, 'restore', array['bank-transfer']);
  end if;
end $$;
drop table restore_marks;
