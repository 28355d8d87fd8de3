-- Coins that left an address of a payment. Only who has the private key of the account moves them: to the owner's treasury, or it is
-- theft. What is read again is written again.
create table chain_departures (
  chain_code text not null references chains,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  -- Which transfer of the token in this transaction.
  ordinal integer not null check (ordinal >= 0),
  currency_code text not null,
  amount numeric not null check (amount > 0),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- Of the payment that it is the address of.
  reference text not null,
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  block_number bigint not null check (block_number >= 0),
  primary key (chain_code, tx_hash, currency_code, ordinal)
);
create index chain_departures_by_block on chain_departures (chain_code, block_number);

-- What a chain says that we have there, beside what our rows say: the latest count.
create table chain_holdings (
  chain_code text primary key references chains,
  next_count_at timestamptz not null default '-infinity',
  counted_at timestamptz,
  report jsonb,
  -- Since when no count was without findings.
  findings_since timestamptz,
  -- Why there is no newer one.
  problem text,
  problem_since timestamptz,
  check ((counted_at is null) = (report is null)),
  check ((problem is null) = (problem_since is null))
);
