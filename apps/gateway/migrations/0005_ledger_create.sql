-- Double entry. A transfer has two or more postings; within a transfer they sum to zero per currency.
-- Sign: credit is positive. Merchant accounts are what we owe the merchant; CLEARING is what institutions hold for us.
create table ledger_transfers (
  merchant_id bigint not null,
  transfer_id uuid not null,
  event text not null,
  kind text not null,
  id_payment text not null,
  created_at timestamptz not null default now(),
  primary key (merchant_id, transfer_id),
  -- One effect per payment and event: a retry, a duplicate notice or a crash in between cannot book twice.
  unique (merchant_id, kind, id_payment, event)
);

create table ledger_postings (
  merchant_id bigint not null,
  transfer_id uuid not null,
  posting_no smallint not null,
  account text not null check (account in ('AVAILABLE', 'NOT_SETTLED', 'RESERVED', 'RECEIVABLE', 'CLEARING', 'FEES', 'SUSPENSE')),
  currency_code text not null,
  amount numeric not null check (amount <> 0),
  primary key (merchant_id, transfer_id, posting_no),
  foreign key (merchant_id, transfer_id) references ledger_transfers
);

-- Only a merchant's own accounts keep a balance: a shared row (fees, clearing) would be the hot row of the whole system.
create table balances (
  merchant_id bigint not null,
  currency_code text not null,
  available numeric not null default 0 check (available >= 0),
  not_settled numeric not null default 0 check (not_settled >= 0),
  reserved numeric not null default 0 check (reserved >= 0),
  -- What a merchant owes us after a recall that its balance could not cover.
  receivable numeric not null default 0 check (receivable <= 0),
  updated_at timestamptz not null default now(),
  primary key (merchant_id, currency_code)
);

-- All postings of a transfer are inserted by one statement, so a statement-level check sees whole transfers
-- and costs one aggregate per batch instead of one per row.
create function ledger_postings_must_balance() returns trigger language plpgsql as $$
declare
  unbalanced record;
begin
  select p.merchant_id, p.transfer_id, p.currency_code, sum(p.amount) as total into unbalanced
    from ledger_postings p
    join (select distinct merchant_id, transfer_id from inserted_postings) i using (merchant_id, transfer_id)
    group by 1, 2, 3 having sum(p.amount) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not balance: % % too much', unbalanced.transfer_id, unbalanced.total, unbalanced.currency_code
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_postings_balance after insert on ledger_postings
  referencing new table as inserted_postings for each statement execute function ledger_postings_must_balance();

-- Postings and transfers are never changed and never deleted.
create function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: correct it with another transfer' using errcode = 'restrict_violation';
end $$;
create trigger ledger_postings_append_only before update or delete or truncate on ledger_postings
  for each statement execute function ledger_is_append_only();
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function ledger_is_append_only();
