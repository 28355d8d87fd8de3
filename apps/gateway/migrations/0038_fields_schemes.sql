-- An account is judged by the rules of its scheme, not by those of IBANs alone. The version before reads the new words as IBAN,
-- which such accounts never look like.
alter table payment_method_fields
  drop constraint payment_method_fields_checksum_check,
  -- IBAN: what looks like one must be right; other account numbers pass. VPA: name@handle. PIX: a PIX key, unless there is a bank
  -- code. CRYPTO: an address of the chain of the currency.
  add constraint payment_method_fields_checksum_check check (checksum in ('IBAN', 'VPA', 'PIX', 'CRYPTO'));

update payment_method_fields
set checksum = case method_code when 'UPI' then 'VPA' else method_code end
where method_code in ('UPI', 'PIX', 'CRYPTO') and field_name = 'accountNumber' and checksum is null;
