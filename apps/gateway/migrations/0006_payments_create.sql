-- What payins, payouts and top-ups share: one table, one state machine.
-- The tables of the hot path carry no foreign keys: each would cost a look-up and a lock on a shared row for every
-- payment. `tollgate verify` finds rows that belong to nothing.
create table payments (
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYIN', 'PAYOUT', 'TOPUP')),
  -- The length apart from the pattern: `{1,250}` would cost 35 times as much, at every row.
  id_payment text not null check (id_payment ~ '^[A-Za-z0-9_-]+$' and length(id_payment) <= 250),
  -- Made anew for every request: tells our own insert from an earlier one when the answer of a COMMIT was lost.
  nonce uuid not null,
  -- Keyed digest of the request, to tell an identical repeat from a different request under the same id.
  request_digest bytea not null,
  status text not null default 'CREATED' check (status in ('CREATED', 'SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED')),
  processor_status text not null,
  amount numeric not null check (amount > 0),
  currency_code text not null,
  fee_amount numeric not null check (fee_amount >= 0),
  received_amount numeric check (received_amount > 0),
  received_currency_code text,
  method_code text not null,
  operator_code text,
  segment_code text,
  rail text not null,
  reference text not null,
  -- What the customer needs in order to pay. Texts only: jsonb would lose digits of a number.
  instructions jsonb not null,
  external_reference text,
  callback_url text,
  return_url text,
  failure_code text,
  failure_message text,
  failed_at timestamptz,
  is_test boolean not null,
  timeline_count integer not null default 1,
  created_at timestamptz not null default now(),
  expire_at timestamptz not null,
  processed_at timestamptz,
  primary key (merchant_id, kind, id_payment)
);

-- Every change of a payment, in order. Row 1 is its acceptance.
create table payment_timeline (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  entry_no integer not null,
  status text not null,
  processor_status text not null,
  actor text not null,
  reason text,
  happened_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, kind, id_payment, entry_no)
);

-- Personal data, apart from the payment and encrypted with a key of its own, so that erasing it leaves the ledger whole.
create table payment_personal_data (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  source text not null check (source in ('REQUEST', 'PROCESS')),
  -- The row's own key, wrapped by the master key. Null together with the data: erased.
  data_key bytea,
  sealed bytea,
  collected_at timestamptz not null default now(),
  primary key (merchant_id, kind, id_payment, source),
  check ((data_key is null) = (sealed is null))
);

create table payment_external_references (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  entry_no integer not null,
  external_reference text not null,
  submitted_at timestamptz not null default now(),
  primary key (merchant_id, kind, id_payment, entry_no)
);

-- Work that falls due: expiry, and talking to the rail. A queue, so it stays local to the coordinator of a distributed database.
create table payment_tasks (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  task text not null check (task in ('EXPIRE', 'RAIL')),
  -- A worker that claims the task moves this to the end of its lease, so that a crash makes it due again.
  due_at timestamptz not null,
  attempts integer not null default 0,
  lease_token uuid,
  primary key (merchant_id, kind, id_payment, task)
);
create index payment_tasks_due on payment_tasks (task, due_at);

-- Running totals for daily caps, written only where a cap is configured.
create table payment_daily_usage (
  merchant_id bigint not null,
  kind text not null,
  method_code text not null,
  currency_code text not null,
  day date not null,
  amount numeric not null default 0,
  payments integer not null default 0,
  primary key (merchant_id, kind, method_code, currency_code, day)
);
