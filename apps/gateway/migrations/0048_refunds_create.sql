-- Refunds: which payouts pay money of which payins back. The payout is the payment; this says what it is for.

create table refunds (
  merchant_id bigint not null,
  id_payin text not null,
  id_refund text not null check (id_refund ~ '^[A-Za-z0-9_-]+$' and length(id_refund) <= 250),
  -- The payment, of the kind PAYOUT: its id is made by the gateway.
  id_payment text not null,
  amount numeric not null check (amount > 0),
  currency_code text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, id_payin, id_refund),
  unique (merchant_id, id_payment)
);
create function refunds_stay() returns trigger language plpgsql as $$
begin
  raise exception 'what a refund is for never changes' using errcode = 'restrict_violation';
end $$;
create trigger refunds_kept before update or delete or truncate on refunds
  for each statement execute function refunds_stay();

-- What a merchant is told in place of the id of the payment: of a refund, the payin.
alter table callback_events add column id_told text check (id_told ~ '^[A-Za-z0-9_-]+$' and length(id_told) <= 250);

-- Money of a payin that the institution has taken back is not paid back a second time: people decide.
alter table payment_holds drop constraint payment_holds_cause_check,
  add constraint payment_holds_cause_check
    check (cause in ('OPERATOR', 'BENEFICIARY_BLOCKED', 'MERCHANT_DISABLED', 'APPROVAL_CHANGED', 'RESTORED', 'PAYIN_REVERSED'));

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
