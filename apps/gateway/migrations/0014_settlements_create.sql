-- Settlements: when a merchant's money becomes free to spend, and paying it out to the merchant's own account.

-- When what a merchant has earned in a currency becomes available. Without a row it stays where it is.
create table settlement_cycles (
  merchant_id bigint not null references merchants,
  currency_code text not null references currencies,
  cycle text not null check (cycle in ('T_PLUS', 'DAILY', 'WEEKLY', 'MONTHLY')),
  days smallint not null default 0 check (days between 0 and 60),
  -- 1 is Monday.
  weekday smallint check (weekday between 1 and 7),
  -- Less than this is carried to the next period.
  minimum numeric check (minimum > 0 and minimum < 'Infinity'),
  settle_currency_code text references currencies,
  rate_list_code text references rate_lists,
  -- Grows with every change by an operator, so that a run under way does not overwrite the due time of a new rule.
  revision integer not null default 1,
  -- From when on its periods are due.
  since timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- The end of the last period that was run, whether there was something to settle or not.
  run_until timestamptz,
  -- When a worker looks at it next. Moved on with every claim, so that whatever becomes of the worker it comes again.
  due_at timestamptz not null,
  primary key (merchant_id, currency_code),
  check (cycle = 'T_PLUS' or days = 0),
  check ((cycle = 'WEEKLY') = (weekday is not null)),
  check ((settle_currency_code is null) = (rate_list_code is null)),
  check (settle_currency_code <> currency_code)
);
create index settlement_cycles_due on settlement_cycles (due_at);

-- The merchant's own account, per currency. What names it is encrypted with a key of its own.
create table settlement_accounts (
  merchant_id bigint not null references merchants,
  currency_code text not null references currencies,
  method_code text not null,
  operator_code text,
  data_key bytea not null,
  sealed bytea not null,
  -- Enough of the number to know it again.
  masked_number text not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, currency_code)
);

-- CYCLE: a period's money became available. REQUESTED: the merchant asked for available money; it is paid out by the
-- payment of the kind SETTLEMENT with the same id, which has the status.
create table settlements (
  merchant_id bigint not null,
  id_settlement text not null check (id_settlement ~ '^[A-Za-z0-9_-]+$' and length(id_settlement) <= 250),
  kind text not null check (kind in ('CYCLE', 'REQUESTED')),
  currency_code text not null,
  -- From is in the period, to is not.
  period_from timestamptz,
  period_to timestamptz,
  gross numeric not null check (gross >= 0),
  fees numeric not null check (fees >= 0),
  -- Recalls, mostly: below zero.
  adjustments numeric not null,
  net numeric not null check (net > 0 and net < 'Infinity'),
  -- The part of net that paid what the merchant owed in this currency.
  repaid numeric not null default 0 check (repaid >= 0 and repaid <= net),
  -- What the rest of net became in another currency, and how: rate list, version, rows, side, rate. Texts only.
  settled_currency_code text,
  settled_amount numeric check (settled_amount > 0 and settled_amount < 'Infinity'),
  conversion jsonb,
  -- Where it was paid to, masked; as the account was when the merchant asked.
  account jsonb,
  reference text not null,
  -- Keyed digest of the merchant's request.
  request_digest bytea,
  -- To the millisecond, so that it can be a place in a list.
  created_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  primary key (merchant_id, id_settlement),
  check (net = gross - fees + adjustments),
  check (period_from < period_to),
  check ((kind = 'CYCLE') = (period_from is not null and period_to is not null)),
  check ((kind = 'REQUESTED') = (account is not null and request_digest is not null)),
  check ((settled_amount is null) = (settled_currency_code is null) and (settled_amount is null) = (conversion is null))
);
-- A period is settled once.
create unique index settlements_by_period on settlements (merchant_id, currency_code, period_to) where kind = 'CYCLE';
create index settlements_by_time on settlements (merchant_id, created_at, id_settlement);

-- What a settlement of a cycle consists of: transfers of the ledger that touched what is not settled. Each is settled once.
create table settlement_items (
  merchant_id bigint not null,
  transfer_id uuid not null,
  id_settlement text not null,
  type text not null check (type in ('PAYIN', 'PAYOUT', 'TOPUP', 'FEE', 'REVERSAL', 'ADJUSTMENT')),
  id_entity text not null,
  gross numeric not null,
  fee numeric not null check (fee >= 0),
  net numeric not null,
  processed_at timestamptz not null,
  primary key (merchant_id, transfer_id),
  check (net = gross - fee)
);
create index settlement_items_by_settlement on settlement_items (merchant_id, id_settlement, processed_at, transfer_id);

create function settlements_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'settlements are append-only: what was settled stays settled' using errcode = 'restrict_violation';
end $$;
create trigger settlements_append_only before update or delete or truncate on settlements
  for each statement execute function settlements_are_append_only();
create trigger settlement_items_append_only before update or delete or truncate on settlement_items
  for each statement execute function settlements_are_append_only();

-- Transfers are written in the order of their times, so ranges of blocks tell enough; a tree would cost every booking.
create index ledger_transfers_by_time on ledger_transfers using brin (created_at) with (pages_per_range = 32, autosummarize = on);
