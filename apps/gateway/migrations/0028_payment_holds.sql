-- Outgoing payments that are stopped before an institution has them, and what is asked at the last moment before one does.

-- What stopped a payment, who released or cancelled it, and why. Of a payment the last row counts.
create table payment_holds (
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYOUT', 'SETTLEMENT')),
  id_payment text not null,
  -- Of the entry of the timeline that says so, too.
  entry_no integer not null,
  event text not null check (event in ('HELD', 'RELEASED', 'CANCELLED')),
  -- Of HELD: an operator, or what the gateway found when it was about to hand the payment over.
  cause text check (cause in ('OPERATOR', 'BENEFICIARY_BLOCKED', 'MERCHANT_DISABLED', 'APPROVAL_CHANGED')),
  -- Of HELD: the phase that a release leads back to.
  phase text,
  -- operators.operator_code; null when the gateway stopped it by itself.
  operator_code text,
  reason text not null check (length(reason) between 1 and 250),
  happened_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, kind, id_payment, entry_no),
  check ((event = 'HELD') = (cause is not null)),
  check ((event = 'HELD') = (phase is not null)),
  check ((operator_code is null) = (event = 'HELD' and cause <> 'OPERATOR'))
);
create function payment_holds_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'holds of payments are append-only' using errcode = 'restrict_violation';
end $$;
create trigger payment_holds_append_only before update or delete or truncate on payment_holds
  for each statement execute function payment_holds_are_append_only();

-- Why an outgoing payment must not be handed over now; null when it may be. To be called when the row of the payment is
-- locked, by the transaction that notes the hand-over: volatile, so each look sees what is committed by then, and not what
-- was when the statement began. `of_content` is the hash of the payment as it is; CONTENT_NEEDED asks for it where people had
-- to approve the payment.
create function outgoing_stop(of_merchant bigint, of_kind text, of_id text, of_beneficiary bytea, of_content bytea)
returns text language plpgsql volatile as $$
begin
  -- Whoever throws a switch waits for hand-overs that are being noted, and the reverse.
  perform pg_advisory_xact_lock_shared(hashtext('outgoing switches'));
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

create function wait_for_hand_overs() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('outgoing switches'));
  return null;
end $$;
create trigger blocked_beneficiaries_switch before insert on blocked_beneficiaries
  for each statement execute function wait_for_hand_overs();
create trigger merchants_switch before update of status on merchants
  for each statement execute function wait_for_hand_overs();
