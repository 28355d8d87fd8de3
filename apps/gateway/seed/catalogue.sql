-- The catalogue of the sandbox. Every bank and wallet here is invented.
-- Runs at each start and only adds. A method that is there already is left alone with its limits, fields and fees, so
-- whatever an operator changed or removed stays changed or removed. To take a method, an operator or a currency out of
-- use, set `enabled` to false: a deleted one comes back.
do $$
declare
  new_methods text[];
begin

insert into currencies (currency_code, name, type, minor_units) values
  ('EUR', 'Euro', 'FIAT', 2),
  ('USD', 'US Dollar', 'FIAT', 2),
  ('CZK', 'Czech Koruna', 'FIAT', 2),
  ('INR', 'Indian Rupee', 'FIAT', 2),
  ('BRL', 'Brazilian Real', 'FIAT', 2),
  ('JPY', 'Yen', 'FIAT', 0),
  ('KWD', 'Kuwaiti Dinar', 'FIAT', 3),
  ('BTC', 'Bitcoin', 'CRYPTO', 8),
  ('ETH', 'Ether', 'CRYPTO', 18)
on conflict do nothing;

insert into segments (segment_code, name, position) values
  ('NEW', 'New customer', 1),
  ('TRUSTED', 'Trusted customer', 2),
  ('VIP', 'VIP customer', 3)
on conflict do nothing;

insert into payment_operators (operator_code, name, type, country_code, currency_codes, payin_availability, payout_availability, position,
    popular_rank, bic, aliases) values
  ('SPARKASSE_ELBSTROM', 'Sparkasse Elbstrom', 'BANK', 'DE', '{EUR}', 'OPERATIONAL', 'OPERATIONAL', 10, 1, 'ELBSDEHX', '{Elbstrom,Sparkasse Hamburg-Süd}'),
  ('BANQUE_LUMINAIRE', 'Banque Luminaire', 'BANK', 'FR', '{EUR}', 'OPERATIONAL', 'OPERATIONAL', 11, 2, 'LUMIFRPP', '{BLU}'),
  ('BANCO_MARISOL', 'Banco Marisol', 'BANK', 'ES', '{EUR}', 'DELAYED', 'OPERATIONAL', 12, 3, 'MARIESMM', '{Marisol}'),
  -- Closed on purpose, to show CHANNEL_UNAVAILABLE.
  ('NEVERMORE_BANK', 'Nevermore Bank', 'BANK', 'IE', '{EUR}', 'CLOSED', 'CLOSED', 13, null, 'NEVEIE2D', '{}'),
  ('BANKA_VLTAVA', 'Banka Vltava', 'BANK', 'CZ', '{CZK,EUR}', 'OPERATIONAL', 'OPERATIONAL', 20, 1, 'VLTACZPP', '{Vltavská banka,BV}'),
  ('SPORITELNA_POD_LIPOU', 'Spořitelna pod Lípou', 'BANK', 'CZ', '{CZK}', 'OPERATIONAL', 'OPERATIONAL', 21, 2, 'LIPOCZPP', '{Lípa,SPL}'),
  ('MERIDONIA_BANK', 'Meridonia Bank', 'BANK', 'US', '{USD}', 'OPERATIONAL', 'OPERATIONAL', 30, 1, 'MERIUS33', '{}'),
  ('TUMBLEWEED_SAVINGS', 'Tumbleweed Savings', 'BANK', 'US', '{USD}', 'OPERATIONAL', 'OPERATIONAL', 31, 2, 'TUMBUS44', '{TWS}'),
  ('MONSOON_COAST_BANK', 'Monsoon Coast Bank', 'BANK', 'IN', '{INR}', 'OPERATIONAL', 'OPERATIONAL', 40, 1, 'MONSINBB', '{MCB}'),
  ('PEACOCK_COOPERATIVE', 'Peacock Cooperative Bank', 'BANK', 'IN', '{INR}', 'OPERATIONAL', 'OPERATIONAL', 41, 2, 'PEACINBB', '{}'),
  ('BANCO_CAPIVARA', 'Banco Capivara', 'BANK', 'BR', '{BRL}', 'OPERATIONAL', 'OPERATIONAL', 50, 1, 'CAPIBRSP', '{Capi}'),
  ('BANCO_JACARANDA_AZUL', 'Banco Jacarandá Azul', 'BANK', 'BR', '{BRL}', 'OPERATIONAL', 'OPERATIONAL', 51, 2, 'JACABRRJ', '{}'),
  ('HOSHIZORA_BANK', 'Hoshizora Bank', 'BANK', 'JP', '{JPY}', 'OPERATIONAL', 'OPERATIONAL', 60, 1, 'HOSHJPJT', '{星空銀行,ほしぞら}'),
  ('KITSUNE_TRUST', 'Kitsune Trust Bank', 'BANK', 'JP', '{JPY}', 'OPERATIONAL', 'OPERATIONAL', 61, 2, 'KITSJPJT', '{狐信託銀行}'),
  ('SILVER_DHOW_BANK', 'Silver Dhow Bank', 'BANK', 'KW', '{KWD}', 'OPERATIONAL', 'OPERATIONAL', 70, 1, 'SILVKWKW', '{بنك الداو الفضي}'),
  ('PEARL_DIVER_BANK', 'Pearl Diver Bank', 'BANK', 'KW', '{KWD}', 'OPERATIONAL', 'OPERATIONAL', 71, 2, 'PEARKWKW', '{}'),
  ('OTTER_WALLET', 'Otter Wallet', 'WALLET', null, '{EUR,USD}', 'OPERATIONAL', 'OPERATIONAL', 80, null, null, '{}'),
  ('PENGUIN_POCKET', 'Penguin Pocket', 'WALLET', null, '{EUR,USD,JPY}', 'OPERATIONAL', 'OPERATIONAL', 81, null, null, '{}'),
  ('LOTUS_PURSE', 'Lotus Purse', 'WALLET', 'IN', '{INR}', 'OPERATIONAL', 'OPERATIONAL', 82, null, null, '{}'),
  ('TAMARIN_PAY', 'TamarinPay', 'WALLET', 'BR', '{BRL}', 'OPERATIONAL', 'OPERATIONAL', 83, null, null, '{}')
on conflict do nothing;

with added as (
  insert into payment_methods (method_code, name, flow, rail, external_reference, expires_after_seconds, position, payin_speed) values
    ('BANK_TRANSFER', 'Bank transfer', 'INSTRUCTIONS', 'sandbox', 'NONE', 259200, 1, null),
    ('ONLINE_BANKING', 'Online banking', 'REDIRECT', 'sandbox', 'NONE', 1800, 2, 'INSTANT'),
    ('WALLET', 'Wallet', 'REDIRECT', 'sandbox', 'NONE', 1800, 3, 'INSTANT'),
    ('UPI', 'UPI', 'QR', 'sandbox', 'OPTIONAL', 1800, 4, 'INSTANT'),
    ('PIX', 'Pix', 'QR', 'sandbox', 'NONE', 1800, 5, 'INSTANT'),
    ('OFFLINE_TRANSFER', 'Offline transfer', 'REFERENCE', 'sandbox', 'REQUIRED', 259200, 6, null),
    ('CRYPTO', 'Crypto', 'QR', 'sandbox', 'NONE', 3600, 7, 'HOURS')
  on conflict do nothing
  returning method_code
)
select coalesce(array_agg(method_code), '{}') into new_methods from added;

insert into payment_method_operators (method_code, operator_code)
select method_code, operator_code
from (values ('ONLINE_BANKING', 'BANK'), ('WALLET', 'WALLET')) as served (method_code, operator_type)
join payment_operators on type = operator_type
where method_code = any (new_methods)
on conflict do nothing;

-- Limits. Those of fiat money are in units of about one euro, so that one line serves all the currencies of a method.
insert into payment_method_limits (method_code, direction, currency_code, min_amount, max_amount)
select method_code, direction, currency_code,
  trim_scale(round(min_units * unit, minor_units)), trim_scale(round(max_units * unit, minor_units))
from (values
  ('BANK_TRANSFER', '{PAYIN,PAYOUT,TOPUP}', '{EUR,CZK,USD,JPY,KWD,INR,BRL}', 1, 100000),
  ('ONLINE_BANKING', '{PAYIN}', '{EUR,CZK,USD,INR,BRL,JPY,KWD}', 1, 50000),
  ('WALLET', '{PAYIN,PAYOUT,TOPUP}', '{EUR,USD,INR,BRL,JPY}', 1, 5000),
  ('UPI', '{PAYIN,PAYOUT,TOPUP}', '{INR}', 0.01, 1000),
  ('PIX', '{PAYIN,PAYOUT,TOPUP}', '{BRL}', 0.2, 20000),
  ('OFFLINE_TRANSFER', '{PAYIN}', '{EUR,USD,INR,CZK,KWD}', 5, 10000)
) as taken (method_code, directions, currency_codes, min_units, max_units)
cross join unnest(directions::text[]) as direction
cross join unnest(currency_codes::text[]) as currency_code
join (values ('EUR', 1), ('USD', 1), ('CZK', 25), ('INR', 100), ('BRL', 5), ('JPY', 100), ('KWD', 0.3))
  as units (currency_code, unit) using (currency_code)
join currencies using (currency_code)
where method_code = any (new_methods)
on conflict do nothing;

insert into payment_method_limits (method_code, direction, currency_code, min_amount, max_amount)
select 'CRYPTO', direction, currency_code, min_amount, max_amount
from (values ('BTC', 0.00000001, 10), ('ETH', 0.000000000000000001, 100)) as taken (currency_code, min_amount, max_amount)
cross join unnest('{PAYIN,PAYOUT,TOPUP}'::text[]) as direction
where 'CRYPTO' = any (new_methods)
on conflict do nothing;

-- CRYPTO is for everyone but new customers.
insert into payment_method_excluded_segments (method_code, segment_code)
select 'CRYPTO', 'NEW' where 'CRYPTO' = any (new_methods)
on conflict do nothing;

-- A new customer may move a tenth of what others may, a VIP five times as much.
insert into payment_method_limits (method_code, direction, currency_code, segment_code, min_amount, max_amount)
select method_code, direction, currency_code, factors.segment_code, min_amount, trim_scale(max_amount * factor)
from payment_method_limits as everybody
cross join (values ('NEW', 0.1), ('VIP', 5)) as factors (segment_code, factor)
where everybody.segment_code = '*' and method_code = any (new_methods)
  and not exists (
    select from payment_method_excluded_segments as excluded
    where excluded.method_code = everybody.method_code and excluded.segment_code = factors.segment_code
  )
on conflict do nothing;

-- What the customer or the merchant supplies. An e-mail address is taken by every method.
insert into payment_method_fields (method_code, direction, field_name, required, pattern, max_length, checksum, position)
select method_code, direction, field_name, required, pattern, max_length, checksum,
  array_position('{paymentOperatorCode,accountName,accountNumber,bankCode,emailAddress}', field_name)
from (values
  ('BANK_TRANSFER', '{PAYIN,TOPUP}', 'accountName', false, null, 140, null),
  ('BANK_TRANSFER', '{PAYIN,TOPUP}', 'accountNumber', false, '[A-Za-z0-9][A-Za-z0-9 \/\-]*', 42, 'IBAN'),
  ('BANK_TRANSFER', '{PAYOUT}', 'accountName', true, null, 140, null),
  ('BANK_TRANSFER', '{PAYOUT}', 'accountNumber', true, '[A-Za-z0-9][A-Za-z0-9 \/\-]*', 42, 'IBAN'),
  ('BANK_TRANSFER', '{PAYOUT}', 'bankCode', false, '[A-Za-z0-9]+', 11, null),
  ('ONLINE_BANKING', '{PAYIN}', 'paymentOperatorCode', true, null, null, null),
  ('ONLINE_BANKING', '{PAYIN}', 'accountName', false, null, 140, null),
  ('WALLET', '{PAYIN,PAYOUT,TOPUP}', 'paymentOperatorCode', true, null, null, null),
  ('WALLET', '{PAYOUT}', 'accountName', false, null, 140, null),
  ('WALLET', '{PAYOUT}', 'accountNumber', true, '[A-Za-z0-9+._@\-]+', 140, null),
  ('UPI', '{PAYIN,TOPUP}', 'accountNumber', false, '[A-Za-z0-9._\-]+@[A-Za-z]+', 140, 'VPA'),
  ('UPI', '{PAYOUT}', 'accountName', true, null, 140, null),
  ('UPI', '{PAYOUT}', 'accountNumber', true, '[A-Za-z0-9._\-]+@[A-Za-z]+', 140, 'VPA'),
  ('PIX', '{PAYIN,TOPUP}', 'accountName', false, null, 140, null),
  ('PIX', '{PAYOUT}', 'accountName', true, null, 140, null),
  ('PIX', '{PAYOUT}', 'accountNumber', true, '[A-Za-z0-9+._@\-]+', 77, 'PIX'),
  ('OFFLINE_TRANSFER', '{PAYIN}', 'accountName', true, null, 140, null),
  ('CRYPTO', '{PAYIN,TOPUP}', 'accountNumber', false, '[A-Za-z0-9]+', 128, 'CRYPTO'),
  ('CRYPTO', '{PAYOUT}', 'accountNumber', true, '[A-Za-z0-9]+', 128, 'CRYPTO')
) as asked (method_code, directions, field_name, required, pattern, max_length, checksum)
cross join unnest(directions::text[]) as direction
where method_code = any (new_methods)
on conflict do nothing;

insert into payment_method_fields (method_code, direction, field_name, required, max_length, position)
select distinct method_code, direction, 'emailAddress', false, 254, 5
from payment_method_limits
where method_code = any (new_methods)
on conflict do nothing;

-- Fees, in the same units; percentages are percent of the amount. VIPs pay half.
insert into fees (direction, method_code, segment_code, currency_code, fixed, percentage, minimum, maximum)
select direction, method_code, shares.segment_code, currency_code,
  trim_scale(round(fixed * unit * share, minor_units)), trim_scale(percentage * share),
  trim_scale(round(minimum * unit * share, minor_units)), trim_scale(round(maximum * unit, minor_units))
from (values
  ('BANK_TRANSFER', '{PAYIN,TOPUP}', 0.25, 0, null, null),
  ('BANK_TRANSFER', '{PAYOUT}', 0.5, 0, null, null),
  ('ONLINE_BANKING', '{PAYIN}', 0, 1.2, 0.2, null),
  ('WALLET', '{PAYIN,TOPUP}', 0.1, 1.5, null, null),
  ('WALLET', '{PAYOUT}', 0, 1, 0.2, 20),
  ('UPI', '{PAYIN,TOPUP}', 0, 0.5, null, null),
  ('UPI', '{PAYOUT}', 0.05, 0, null, null),
  ('PIX', '{PAYIN,TOPUP}', 0, 0.9, null, null),
  ('PIX', '{PAYOUT}', 0.2, 0, null, null),
  ('OFFLINE_TRANSFER', '{PAYIN}', 0, 2, 0.5, null),
  ('CRYPTO', '{PAYIN,PAYOUT,TOPUP}', 0, 0.5, null, null)
) as charged (method_code, directions, fixed, percentage, minimum, maximum)
cross join unnest(directions::text[]) as direction
cross join (values ('*', 1), ('VIP', 0.5)) as shares (segment_code, share)
join payment_method_limits as everybody using (method_code, direction)
join (values ('EUR', 1), ('USD', 1), ('CZK', 25), ('INR', 100), ('BRL', 5), ('JPY', 100), ('KWD', 0.3), ('BTC', 1), ('ETH', 1))
  as units (currency_code, unit) using (currency_code)
join currencies using (currency_code)
where everybody.segment_code = '*' and method_code = any (new_methods)
on conflict do nothing;

end $$;
