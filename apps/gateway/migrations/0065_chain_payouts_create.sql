-- Payouts on chains. Whom they go to is with the payment, sealed; the key that signs them is in no database.
create table chain_wallets (
  chain_code text not null references chains,
  -- From which payouts leave.
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  -- The number of the next payout; null: the chain is asked for it first.
  next_nonce numeric(20) check (next_nonce >= 0),
  -- Why nothing leaves at present.
  problem text,
  problem_since timestamptz,
  primary key (chain_code, address),
  check ((problem is null) = (problem_since is null))
);

-- QUEUED: handed over by its payment. NUMBERED: it has its number, for ever once something was signed. SENT: a transaction is signed, and
-- nodes may have it. PAID, FAILED: told by a block that counts; FAILED without a number: the signer does not allow it. DECIDED: people said
-- what became of its payment before the chain did.
create table chain_payouts (
  payout_no bigint generated always as identity unique,
  reference text primary key,
  chain_code text not null,
  wallet text not null,
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  currency_code text not null,
  amount numeric not null check (amount > 0),
  -- Over where which coins go, made when it was taken.
  seal bytea not null check (octet_length(seal) = 32),
  state text not null default 'QUEUED' check (state in ('QUEUED', 'NUMBERED', 'SENT', 'PAID', 'FAILED', 'DECIDED')),
  nonce numeric(20) check (nonce >= 0),
  -- Why it does not go on, in a sentence for operators, and when it is tried again.
  problem text,
  retry_at timestamptz,
  -- What the chain says of it cannot be understood: people find out.
  is_unclear boolean not null default false,
  taken_at timestamptz not null default statement_timestamp(),
  ended_at timestamptz,
  tx_hash bytea check (octet_length(tx_hash) = 32),
  block_number bigint check (block_number >= 0),
  -- In the chain's own coin; booked.
  network_fee numeric check (network_fee >= 0),
  foreign key (chain_code, wallet) references chain_wallets,
  unique (chain_code, wallet, nonce),
  check (nonce is null or state <> 'QUEUED'),
  check (nonce is not null or state in ('QUEUED', 'FAILED', 'DECIDED')),
  check ((ended_at is not null) = (state in ('PAID', 'FAILED', 'DECIDED')))
);
create index chain_payouts_open on chain_payouts (chain_code, wallet, payout_no) where ended_at is null;

-- All that were signed for a payout. They have one number, so at most one of them is ever in a block.
create table chain_payout_transactions (
  reference text not null references chain_payouts,
  tx_hash bytea not null check (octet_length(tx_hash) = 32),
  attempt_no integer not null check (attempt_no > 0),
  max_fee_per_gas numeric not null check (max_fee_per_gas >= 0),
  max_priority_fee_per_gas numeric not null check (max_priority_fee_per_gas >= 0),
  signed_at timestamptz not null default statement_timestamp(),
  -- When a node took it last.
  sent_at timestamptz,
  primary key (reference, tx_hash),
  unique (reference, attempt_no)
);
