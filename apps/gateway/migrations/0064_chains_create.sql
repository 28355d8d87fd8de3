-- Chains whose blocks are read for coins that payments wait for. Which chains there are says a file on the machine; here is how far
-- each was read, and what was found.
create table chains (
  chain_code text primary key check (chain_code ~ '^[A-Z][A-Z0-9_]{0,15}$'),
  lease_no bigint not null default 0,
  leased_until timestamptz,
  next_look_at timestamptz not null default '-infinity',
  looked_at timestamptz,
  succeeded_at timestamptz,
  failures integer not null default 0 check (failures >= 0),
  fault_kind text check (fault_kind in ('SETTINGS', 'UNREACHABLE', 'REFUSED', 'DISAGREE', 'REORGANISED')),
  fault text,
  faulted_at timestamptz,
  head_block bigint,
  -- Read to here, and what the chain was there: where it is another one now, everything behind the final block is read again.
  scanned_block bigint,
  scanned_hash bytea check (octet_length(scanned_hash) = 32),
  -- Read a second time to here, when no block could be another one any more.
  final_block bigint check (final_block <= scanned_block),
  final_hash bytea check (octet_length(final_hash) = 32),
  check ((fault_kind is null) = (fault is null) and (fault is null) = (faulted_at is null)),
  check (num_nulls(scanned_block, scanned_hash, final_block, final_hash) in (0, 4))
);

-- Coins that arrived at an address of a payment. SEEN: in a block, with too few on top of it. BOOKED: told as a bank's statement tells
-- it. GONE: the block was reorganised away before. MISSING: the same after it was booked.
create table chain_transfers (
  transfer_no bigint generated always as identity unique,
  chain_code text not null references chains,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  -- Which transfer of the token in this transaction.
  ordinal integer not null check (ordinal >= 0),
  currency_code text not null,
  amount numeric not null check (amount > 0),
  address text not null check (address ~ '^0x[0-9A-Fa-f]{40}$'),
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  reference text not null,
  -- The payment is to be paid on another chain: people find out what becomes of it.
  is_elsewhere boolean not null,
  confirmations integer not null check (confirmations > 0),
  block_number bigint not null check (block_number >= 0),
  block_hash bytea not null check (octet_length(block_hash) = 32),
  state text not null default 'SEEN' check (state in ('SEEN', 'BOOKED', 'GONE', 'MISSING')),
  seen_at timestamptz not null default statement_timestamp(),
  booked_at timestamptz,
  primary key (chain_code, tx_hash, currency_code, ordinal),
  check ((booked_at is not null) = (state in ('BOOKED', 'MISSING')))
);
create index chain_transfers_open on chain_transfers (chain_code, block_number) where state <> 'BOOKED';
create index chain_transfers_by_block on chain_transfers (chain_code, block_number);
create index chain_transfers_by_payment on chain_transfers (merchant_id, kind, id_payment);

-- Whose address coins arrived at. Wallets write addresses in any case.
create index payments_by_wallet on payments (lower(instructions #>> '{wallet,address}')) where instructions ? 'wallet';
