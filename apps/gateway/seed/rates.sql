-- The rate list of the sandbox. Every number here is invented: nobody ever bought or sold at these rates.
-- Runs at each start and only adds: where there is a list SANDBOX, it is left alone. Its sheet never counts as stale.
do $$
begin

insert into rate_lists (rate_list_code, name, base_currency_code, stale_after_seconds)
  values ('SANDBOX', 'Invented rates of the sandbox', 'EUR', null)
  on conflict do nothing;
if not found then return; end if;

with sheet as (
  insert into rate_sheets (rate_list_code, version, valid_from, published_at, source, digest, row_count)
  values ('SANDBOX', 1, date_trunc('day', now(), 'UTC'), date_trunc('day', now(), 'UTC'), 'MANUAL',
    sha256('the sheet of the seed'), 6))
insert into rate_rows (rate_list_code, version, currency_code, quotation, unit, buy, mid, sell) values
  ('SANDBOX', 1, 'USD', 'DIRECT', 1, 0.9, 0.91, 0.92),
  ('SANDBOX', 1, 'CZK', 'DIRECT', 100, 3.95, 4, 4.05),
  ('SANDBOX', 1, 'INR', 'DIRECT', 100, 1.08, 1.1, 1.12),
  ('SANDBOX', 1, 'BRL', 'DIRECT', 1, 0.16, 0.165, 0.17),
  ('SANDBOX', 1, 'JPY', 'DIRECT', 100, 0.6, 0.61, 0.62),
  ('SANDBOX', 1, 'KWD', 'DIRECT', 1, 2.95, 3, 3.05);

end $$;
