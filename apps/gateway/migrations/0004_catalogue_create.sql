-- The catalogue: what can be paid with, by whom, in which currency and within which limits.
-- '*' in a segment or operator column means "any".
create table currencies (
  currency_code text primary key check (currency_code ~ '^[A-Z0-9]{3,10}$'),
  name text not null,
  type text not null check (type in ('FIAT', 'CRYPTO')),
  minor_units integer not null check (minor_units between 0 and 18),
  enabled boolean not null default true
);

create table segments (
  segment_code text primary key check (segment_code ~ '^[A-Z0-9_]{1,32}$'),
  name text not null,
  position integer not null default 0
);

create table payment_operators (
  operator_code text primary key check (operator_code ~ '^[A-Z0-9_]{1,64}$'),
  name text not null,
  type text not null check (type in ('BANK', 'WALLET')),
  country_code text check (country_code ~ '^[A-Z]{2}$'),
  currency_codes text[] not null,
  payin_availability text not null default 'OPERATIONAL' check (payin_availability in ('OPERATIONAL', 'DELAYED', 'CLOSED')),
  payout_availability text not null default 'OPERATIONAL' check (payout_availability in ('OPERATIONAL', 'DELAYED', 'CLOSED')),
  enabled boolean not null default true,
  position integer not null default 0
);

create table payment_methods (
  method_code text primary key check (method_code ~ '^[A-Z0-9_]{1,64}$'),
  name text not null,
  flow text not null check (flow in ('REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE')),
  rail text not null,
  external_reference text not null default 'NONE' check (external_reference in ('NONE', 'OPTIONAL', 'REQUIRED')),
  expires_after_seconds integer not null check (expires_after_seconds between 10 and 2592000),
  enabled boolean not null default true,
  position integer not null default 0
);

create table payment_method_operators (
  method_code text not null references payment_methods,
  operator_code text not null references payment_operators,
  primary key (method_code, operator_code)
);

-- A method exists for a direction and a currency when it has a row here; a segment's own row goes before '*'.
create table payment_method_limits (
  method_code text not null references payment_methods,
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  currency_code text not null references currencies,
  segment_code text not null default '*',
  min_amount numeric not null check (min_amount > 0),
  max_amount numeric not null check (max_amount >= min_amount),
  primary key (method_code, direction, currency_code, segment_code)
);

-- A method is offered to everyone, but not to the segments listed here. A request that names no segment is never excluded.
create table payment_method_excluded_segments (
  method_code text not null references payment_methods,
  segment_code text not null references segments,
  primary key (method_code, segment_code)
);

create table payment_method_fields (
  method_code text not null references payment_methods,
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  field_name text not null check (field_name in ('accountName', 'accountNumber', 'bankCode', 'emailAddress', 'paymentOperatorCode')),
  required boolean not null,
  -- Matched in full. RE2 and a browser's `pattern` attribute must both read it: no look-around, no counted repetition,
  -- and `-` or `/` inside of a class with a backslash.
  pattern text,
  -- IBAN: a value that looks like an IBAN must have the right check digits; other account numbers pass.
  checksum text check (checksum in ('IBAN')),
  max_length integer check (max_length between 1 and 4096),
  position integer not null default 0,
  primary key (method_code, direction, field_name)
);

-- The most specific row counts: a merchant's before the house's, then an operator's before '*', then a segment's before '*'.
create table fees (
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  method_code text not null references payment_methods,
  operator_code text not null default '*',
  segment_code text not null default '*',
  currency_code text not null references currencies,
  fixed numeric not null default 0 check (fixed >= 0),
  percentage numeric not null default 0 check (percentage between 0 and 100),
  minimum numeric check (minimum >= 0),
  maximum numeric check (maximum >= 0),
  check (maximum >= minimum),
  primary key (direction, method_code, operator_code, segment_code, currency_code)
);

create table merchant_methods (
  merchant_id bigint not null references merchants,
  method_code text not null references payment_methods,
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  primary key (merchant_id, method_code, direction)
);

-- A merchant's own bounds narrow the method's; the daily maxima count what was accepted on one day (UTC).
create table merchant_limits (
  merchant_id bigint not null references merchants,
  method_code text not null references payment_methods,
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  currency_code text not null references currencies,
  min_amount numeric check (min_amount > 0),
  max_amount numeric check (max_amount > 0),
  daily_amount_max numeric check (daily_amount_max > 0),
  daily_count_max integer check (daily_count_max > 0),
  check (max_amount >= min_amount),
  primary key (merchant_id, method_code, direction, currency_code)
);

create table merchant_fees (
  merchant_id bigint not null references merchants,
  direction text not null check (direction in ('PAYIN', 'PAYOUT', 'TOPUP')),
  method_code text not null references payment_methods,
  operator_code text not null default '*',
  segment_code text not null default '*',
  currency_code text not null references currencies,
  fixed numeric not null default 0 check (fixed >= 0),
  percentage numeric not null default 0 check (percentage between 0 and 100),
  minimum numeric check (minimum >= 0),
  maximum numeric check (maximum >= 0),
  check (maximum >= minimum),
  primary key (merchant_id, direction, method_code, operator_code, segment_code, currency_code)
);

do $$
declare the_table text;
begin
  foreach the_table in array array['currencies', 'segments', 'payment_operators', 'payment_methods',
    'payment_method_operators', 'payment_method_limits', 'payment_method_excluded_segments', 'payment_method_fields', 'fees'] loop
    execute format('create trigger %I after insert or update or delete on %I for each row execute function note_configuration_change(''CATALOGUE'', ''for_all'')', the_table || '_changed', the_table);
  end loop;
  foreach the_table in array array['merchant_methods', 'merchant_limits', 'merchant_fees'] loop
    execute format('create trigger %I after insert or update or delete on %I for each row execute function note_configuration_change(''MERCHANT'', ''by_merchant'')', the_table || '_changed', the_table);
  end loop;
end $$;
