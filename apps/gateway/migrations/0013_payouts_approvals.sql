-- Money that leaves: when it waits for people, what they decided, and accounts that nobody pays to.

-- From when on a payout of the merchant in the currency waits. What is null or false does not make it wait.
create table payout_rules (
  merchant_id bigint not null references merchants,
  currency_code text not null references currencies,
  amount_from numeric check (amount_from > 0 and amount_from < 'Infinity'),
  -- The account has never been paid by this merchant, nor did people approve a payout to it.
  new_beneficiary boolean not null default false,
  -- Of all payouts that were accepted in the day (UTC), the one that is judged among them.
  daily_sum_from numeric check (daily_sum_from > 0 and daily_sum_from < 'Infinity'),
  primary key (merchant_id, currency_code),
  check (amount_from is not null or new_beneficiary or daily_sum_from is not null)
);

-- Written only where a rule asks for the day's sum. The row is locked while a payout is being accepted.
create table payout_daily_sums (
  merchant_id bigint not null,
  kind text not null,
  currency_code text not null,
  day date not null,
  amount numeric not null check (amount >= 0 and amount < 'Infinity'),
  primary key (merchant_id, kind, currency_code, day)
);

-- Why a payment waits, as it was decided with its acceptance, and who of the gateway asked for it. Also written, with
-- its approval, for one that waits for its amount alone: that is decided without a round trip of its own.
create table payout_approval_requests (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  reasons text[] not null,
  -- operators.operator_code; null when the merchant asked.
  requested_by text,
  approved_at timestamptz,
  primary key (merchant_id, kind, id_payment)
);

-- What operators decided, about which exact content. Nothing is changed or removed: a decision about other content simply
-- does not count.
create table payout_approvals (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  operator_code text not null,
  decision text not null check (decision in ('APPROVED', 'REJECTED')),
  -- SHA-256 of everything that says where which money goes.
  content_hash bytea not null check (octet_length(content_hash) = 32),
  reason text,
  decided_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, kind, id_payment, operator_code, content_hash, decision)
);
create function payout_approvals_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'decisions about payouts are append-only' using errcode = 'restrict_violation';
end $$;
create trigger payout_approvals_append_only before update or delete or truncate on payout_approvals
  for each statement execute function payout_approvals_are_append_only();

-- Accounts that nobody pays to. The account is a keyed digest: the list tells nobody which accounts are on it.
create table blocked_beneficiaries (
  -- 0: the whole house.
  merchant_id bigint not null,
  beneficiary_digest bytea not null check (octet_length(beneficiary_digest) = 32),
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, beneficiary_digest)
);

create trigger payout_rules_changed after insert or update or delete on payout_rules
  for each row execute function note_configuration_change('MERCHANT', 'by_merchant');
-- Once for a whole file of accounts, not once for each.
create trigger blocked_beneficiaries_changed after insert or update or delete on blocked_beneficiaries
  for each statement execute function note_configuration_change('MERCHANT', 'for_all');

-- Lists of operators. Money that comes in is in neither index, so accepting it costs nothing more; and neither names a
-- column that changes with the status, which would make every change of a status write to all indexes of the row.
create index payments_outgoing_by_time on payments (created_at, merchant_id, kind, id_payment) where kind in ('PAYOUT', 'SETTLEMENT');
-- A payment that waits for people has its expiry before it; one that was handed to an institution has none.
create index payment_tasks_outgoing_expiry on payment_tasks (kind, merchant_id, id_payment)
  where task = 'EXPIRE' and kind in ('PAYOUT', 'SETTLEMENT');
