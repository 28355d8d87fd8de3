-- A fee may be priced in another currency than the payment's: its fixed part and its bounds are then amounts of that
-- currency, and are converted by the list's sheet in force when a payment is accepted.
alter table fees
  add column priced_currency_code text references currencies,
  add column rate_list_code text references rate_lists,
  add constraint fees_priced_check check ((priced_currency_code is null) = (rate_list_code is null)),
  add constraint fees_priced_elsewhere_check check (priced_currency_code <> currency_code);
alter table merchant_fees
  add column priced_currency_code text references currencies,
  add column rate_list_code text references rate_lists,
  add constraint merchant_fees_priced_check check ((priced_currency_code is null) = (rate_list_code is null)),
  add constraint merchant_fees_priced_elsewhere_check check (priced_currency_code <> currency_code);
