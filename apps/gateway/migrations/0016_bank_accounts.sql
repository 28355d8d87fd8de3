-- The operator's own accounts: where customers pay to, and from where payouts are made.
create table bank_accounts (
  account_code text primary key check (account_code ~ '^[A-Z0-9_]{1,32}$'),
  currency_code text not null references currencies,
  holder text not null check (length(holder) between 1 and 70),
  bank_name text not null check (length(bank_name) between 1 and 70),
  iban text check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  -- As the country writes it, for banks that know no IBAN; beside an IBAN, to know the account again in a statement.
  account_number text check (account_number ~ '^[A-Z0-9-]{1,34}$'),
  bank_code text check (bank_code ~ '^[A-Z0-9]{1,11}$'),
  bic text check (bic ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  upi_address text,
  pix_key text,
  bitcoin_address text,
  -- The holder's address, for codes that carry one.
  street text,
  building_number text,
  postal_code text,
  town text,
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  -- The form of the files by which payouts leave this account; null: none do.
  payout_format text check (payout_format in ('PAIN_001_001_03', 'PAIN_001_001_09')),
  is_default boolean not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'RETIRED')),
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check (coalesce(iban, account_number, upi_address, pix_key, bitcoin_address) is not null),
  check (account_number is null or bank_code is not null),
  check (not (is_default and status = 'RETIRED')),
  check ((status = 'RETIRED') = (retired_at is not null))
);
-- One of them is where money of the currency goes. An account may hold several currencies, each of them once.
create unique index bank_accounts_default on bank_accounts (currency_code) where is_default;
create unique index bank_accounts_by_iban on bank_accounts (iban, currency_code) where iban is not null;
create unique index bank_accounts_by_number on bank_accounts (bank_code, account_number, currency_code) where account_number is not null;

-- An account is never another one later: payments and statements name it. What it is used for may change.
create function bank_accounts_keep_their_names() returns trigger language plpgsql as $$
begin
  raise exception 'a bank account is never changed or deleted: retire it and add another' using errcode = 'restrict_violation';
end $$;
create trigger bank_accounts_named before update on bank_accounts for each row
  when (row(old.account_code, old.currency_code, old.iban, old.account_number, old.bank_code, old.upi_address, old.pix_key, old.bitcoin_address)
    is distinct from row(new.account_code, new.currency_code, new.iban, new.account_number, new.bank_code, new.upi_address, new.pix_key, new.bitcoin_address))
  execute function bank_accounts_keep_their_names();
create trigger bank_accounts_kept before delete or truncate on bank_accounts
  for each statement execute function bank_accounts_keep_their_names();

-- What can be paid to which account belongs to what can be paid at all.
create trigger bank_accounts_changed after insert or update on bank_accounts
  for each statement execute function note_configuration_change('CATALOGUE', 'for_all');
