-- Payouts that go at once (SEPA Instant Credit Transfer): by method, where the bank of the account takes files of them.
alter table payment_methods add column payout_speed text check (payout_speed = 'INSTANT');
alter table bank_accounts add column instant_max numeric check (instant_max > 0 and instant_max < 'Infinity'),
  add check (instant_max is null or payout_format is not null);
alter table payout_files add column speed text not null default 'NORMAL' check (speed in ('NORMAL', 'INSTANT'));

drop trigger payment_methods_audited on payment_methods;
create trigger payment_methods_audited after insert or update or delete on payment_methods for each row execute function
  audit_change('name flow rail external_reference expires_after_seconds enabled position payin_speed payout_speed', '', 'method_code');
drop trigger bank_accounts_audited on bank_accounts;
create trigger bank_accounts_audited after insert or update or delete on bank_accounts for each row execute function
  audit_change('currency_code bank_name bank_code bic country_code payout_format instant_max is_default status retired_at', 'holder iban account_number upi_address pix_key bitcoin_address street building_number postal_code town', 'account_code');
