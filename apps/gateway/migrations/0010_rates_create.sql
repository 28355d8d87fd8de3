-- Rate lists: dated sheets of exchange rates. A sheet is never changed: a correction is another sheet with the same
-- valid_from and a higher version, and of those with one valid_from the highest version counts.
create table rate_lists (
  rate_list_code text primary key check (rate_list_code ~ '^[A-Z0-9_]{1,32}$'),
  name text not null,
  base_currency_code text not null check (base_currency_code ~ '^[A-Z0-9]{3,10}$'),
  -- From this age on a sheet is stale; null: never.
  stale_after_seconds integer check (stale_after_seconds > 0),
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

create table rate_sheets (
  rate_list_code text not null references rate_lists,
  -- Grows by one per list, in the order in which sheets were stored.
  version integer not null check (version > 0),
  -- In force from here until the next valid_from of the list.
  valid_from timestamptz not null,
  published_at timestamptz not null,
  source text not null check (source in ('CSV', 'JSON', 'ECB', 'MANUAL')),
  -- SHA-256 of valid_from and the rows, to tell a sheet that is here already.
  digest bytea not null check (length(digest) = 32),
  row_count integer not null check (row_count > 0),
  created_at timestamptz not null default now(),
  primary key (rate_list_code, version)
);
create index rate_sheets_by_date on rate_sheets (rate_list_code, valid_from desc, version desc);
create index rate_sheets_by_digest on rate_sheets (rate_list_code, digest);

-- The numbers as they were quoted; nothing is inverted, so that no digit is lost.
-- DIRECT: `unit` of the row's currency = so many of the base currency. INDIRECT: `unit` of the base currency = so many of
-- the row's. The house never buys dearer than it sells, which for INDIRECT turns the order of the numbers round.
create table rate_rows (
  rate_list_code text not null,
  version integer not null,
  currency_code text not null check (currency_code ~ '^[A-Z0-9]{3,10}$'),
  quotation text not null check (quotation in ('DIRECT', 'INDIRECT')),
  unit integer not null check (unit between 1 and 1000000000),
  buy numeric not null check (buy > 0 and buy < 'Infinity'),
  mid numeric not null check (mid > 0 and mid < 'Infinity'),
  sell numeric not null check (sell > 0 and sell < 'Infinity'),
  primary key (rate_list_code, version, currency_code),
  foreign key (rate_list_code, version) references rate_sheets,
  check (case quotation when 'DIRECT' then buy <= mid and mid <= sell else buy >= mid and mid >= sell end)
);

-- All rows of a sheet are stored by one statement; a row that is added to a sheet later makes its count wrong.
create function rate_sheets_must_be_whole() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select s.rate_list_code, s.version, s.row_count, c.found into wrong
    from (select r.rate_list_code, r.version, count(*) as found
      from rate_rows r
      join (select distinct rate_list_code, version from inserted_rows) i using (rate_list_code, version)
      group by 1, 2) c
    join rate_sheets s using (rate_list_code, version)
    where s.row_count <> c.found limit 1;
  if found then
    raise exception 'sheet % of % has % rows, but % were announced', wrong.version, wrong.rate_list_code, wrong.found, wrong.row_count
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger rate_rows_whole after insert on rate_rows
  referencing new table as inserted_rows for each statement execute function rate_sheets_must_be_whole();

-- Sheets and their rows are never changed and never deleted, and the currency in which a list is quoted stays.
create function rate_sheets_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'rate sheets are append-only: correct one with another sheet' using errcode = 'restrict_violation';
end $$;
create trigger rate_sheets_append_only before update or delete or truncate on rate_sheets
  for each statement execute function rate_sheets_are_append_only();
create trigger rate_rows_append_only before update or delete or truncate on rate_rows
  for each statement execute function rate_sheets_are_append_only();
create trigger rate_lists_keep_base before update of rate_list_code, base_currency_code on rate_lists
  for each row when (old.base_currency_code <> new.base_currency_code or old.rate_list_code <> new.rate_list_code)
  execute function rate_sheets_are_append_only();

alter table configuration_changes drop constraint configuration_changes_scope_check,
  add constraint configuration_changes_scope_check
    check (scope in ('MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS', 'RATES'));
create trigger rate_lists_changed after insert or update or delete on rate_lists
  for each statement execute function note_configuration_change('RATES', 'for_all');
create trigger rate_sheets_changed after insert on rate_sheets
  for each statement execute function note_configuration_change('RATES', 'for_all');
