-- The accounts of the sandbox's house. Their banks do not exist (no bank has these codes, and the coins are those of the
-- test network), but the check digits are right, so that everything that checks them has something to check.
-- Runs at each start and only adds: a retired account stays retired.
insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, account_number, bank_code, bic,
  upi_address, pix_key, bitcoin_address, street, building_number, postal_code, town, country_code, payout_format, is_default)
select account_code, currency_code, 'Tollgate Sandbox', bank_name, iban, account_number, bank_code, bic,
  upi_address, pix_key, bitcoin_address, 'Testweg', '1', '00000', 'Sandbox', 'DE', payout_format, true
from (values
  ('SANDBOX_EUR', 'EUR', 'Sandbox Bank', 'DE93999999990000000001', '0000000001', '99999999', 'TGSBDE99XXX', null, null, null, 'PAIN_001_001_09'),
  ('SANDBOX_CZK', 'CZK', 'Sandbox Bank', 'CZ4699990000000000000001', '0000000000000001', '9999', 'TGSBCZ99XXX', null, null, null, 'PAIN_001_001_03'),
  ('SANDBOX_USD', 'USD', 'Sandbox Bank', null, '0000000001', '999999992', 'TGSBUS99XXX', null, null, null, null),
  ('SANDBOX_JPY', 'JPY', 'Sandbox Bank', null, '0000001', '9999001', 'TGSBJP99XXX', null, null, null, null),
  ('SANDBOX_KWD', 'KWD', 'Sandbox Bank', 'KW03TGSB0000000000000000000001', null, null, 'TGSBKW99XXX', null, null, null, 'PAIN_001_001_09'),
  ('SANDBOX_INR', 'INR', 'Sandbox Bank', null, '00000000000001', 'TGSB0000001', null, 'tollgate.sandbox@testbank', null, null, null),
  ('SANDBOX_BRL', 'BRL', 'Sandbox Bank', null, '00000001', '9990001', null, null, 'tollgate@sandbox.test', null, null),
  ('SANDBOX_BTC', 'BTC', 'Bitcoin test network', null, null, null, null, null, null, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', null)
) as house (account_code, currency_code, bank_name, iban, account_number, bank_code, bic, upi_address, pix_key, bitcoin_address, payout_format)
join currencies using (currency_code)
on conflict do nothing;
