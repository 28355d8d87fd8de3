-- A merchant's own customers. What names a person is encrypted with a key of its own, so that erasing it leaves the
-- payments and the ledger whole. An erased customer keeps its row: its id stays taken.
create table customers (
  merchant_id bigint not null,
  id_customer text not null check (id_customer ~ '^[A-Za-z0-9_-]+$' and length(id_customer) <= 250),
  -- Made anew for every request: tells our own insert from an earlier one when the answer of a COMMIT was lost.
  nonce uuid not null,
  -- Keyed digest of the request, to tell an identical repeat from a different request under the same id.
  request_digest bytea,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'BLOCKED', 'ERASED')),
  segment_code text,
  country_code text,
  -- The row's own key, wrapped by the master key, and what it opens: name, e-mail address, phone and accounts.
  data_key bytea,
  sealed bytea,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  erased_at timestamptz,
  -- After an erasure: when to look again for what a create under way left behind. Null when there is nothing to look for.
  sweep_due_at timestamptz,
  primary key (merchant_id, id_customer),
  check (case when status = 'ERASED'
    then num_nonnulls(request_digest, segment_code, country_code, data_key, sealed) = 0 and erased_at is not null
    else num_nulls(request_digest, data_key, sealed) = 0 and erased_at is null and sweep_due_at is null end)
);
create index customers_sweep_due on customers (sweep_due_at) where sweep_due_at is not null;
