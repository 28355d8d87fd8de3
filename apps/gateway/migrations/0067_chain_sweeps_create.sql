-- Signed transactions that bring coins home from addresses of payments. Whoever has the private key of the account signed them elsewhere;
-- here they are kept, given to nodes until a block has them, and what they cost is booked.
create table chain_sweep_transactions (
  transaction_no bigint generated always as identity unique,
  chain_code text not null references chains,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  -- FUND gives the address of a payment coins to pay with; MOVE brings what it has home.
  step text not null check (step in ('FUND', 'MOVE')),
  -- Of the payment whose address it is.
  reference text not null,
  sender text not null check (sender ~ '^0x[0-9a-f]{40}$'),
  nonce numeric(20) not null check (nonce >= 0),
  signed bytea not null,
  given_by text not null,
  given_at timestamptz not null default statement_timestamp(),
  -- SUPERSEDED: another transaction used its number.
  state text not null default 'WAITING' check (state in ('WAITING', 'DONE', 'FAILED', 'SUPERSEDED')),
  -- When a node took it last, and what nodes say against it.
  sent_at timestamptz,
  problem text,
  block_number bigint check (block_number >= 0),
  -- In the chain's own coin; booked.
  network_fee numeric check (network_fee >= 0),
  ended_at timestamptz,
  primary key (chain_code, tx_hash),
  check ((ended_at is not null) = (state <> 'WAITING')),
  check ((network_fee is not null) = (state in ('DONE', 'FAILED')))
);
create index chain_sweep_transactions_open on chain_sweep_transactions (chain_code, transaction_no) where state = 'WAITING';
