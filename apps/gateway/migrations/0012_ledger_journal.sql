-- Which transaction wrote a transfer: the order of the journal. All rows that exist get one value, so no row is rewritten.
-- Rows can be read in this order without gaps below the oldest transaction that is still open; an identity column could
-- not promise that, because its numbers are given before transactions commit.
-- The index is built while bookings wait: about a second for a million transfers.
alter table ledger_transfers add column xid xid8 not null default pg_current_xact_id();
create index ledger_transfers_by_xid on ledger_transfers (xid, merchant_id, transfer_id);

-- The journal: one chain of hashes over all transfers, written behind the bookings. Whoever changes, removes or re-orders
-- a row of the past breaks it. It is one chain for the installation, so merchants do not come first.
create table ledger_journal (
  entry_no bigint primary key check (entry_no > 0),
  merchant_id bigint not null,
  transfer_id uuid not null,
  xid xid8 not null,
  -- The cluster that counted xid (pg_control_system): a ledger that is restored into another one has its xids begin anew.
  cluster_id bigint not null,
  -- SHA-256 of the transfer with its postings, in the text of docs/decisions/0017-journal.md.
  content_hash bytea not null check (octet_length(content_hash) = 32),
  -- SHA-256 of the chain hash before, the entry number and the content hash.
  chain_hash bytea not null check (octet_length(chain_hash) = 32),
  -- No earlier than the commit of the transfer.
  chained_at timestamptz not null default clock_timestamp(),
  unique (merchant_id, transfer_id)
);
create trigger ledger_journal_append_only before update or delete or truncate on ledger_journal
  for each statement execute function ledger_is_append_only();
