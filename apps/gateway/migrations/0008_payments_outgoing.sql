-- Outgoing money: payouts, and settlements that are paid out to a merchant's own account.
alter table payments drop constraint payments_kind_check,
  add constraint payments_kind_check check (kind in ('PAYIN', 'PAYOUT', 'TOPUP', 'SETTLEMENT'));
alter table payments
  -- The customer that the merchant named, if any (customers.id_customer).
  add column id_customer text,
  -- How a fee that is priced in another currency was converted: list, version, row, side, rate. Texts only.
  add column fee_conversion jsonb,
  -- When the payment was handed to an institution. Written before the institution hears of it, under the lease of the task:
  -- from then on it is asked for and never handed over again.
  add column submitted_at timestamptz,
  -- Keyed digest of the account that is paid to: tells a known beneficiary from a new one without naming either.
  add column beneficiary_digest bytea;
create index payments_by_customer on payments (merchant_id, id_customer, created_at) where id_customer is not null;
create index payments_by_beneficiary on payments (merchant_id, beneficiary_digest) where beneficiary_digest is not null;

-- EXCHANGE is where one currency leaves and another one comes in, when money is settled in another currency.
alter table ledger_postings drop constraint ledger_postings_account_check,
  add constraint ledger_postings_account_check
    check (account in ('AVAILABLE', 'NOT_SETTLED', 'RESERVED', 'RECEIVABLE', 'CLEARING', 'FEES', 'SUSPENSE', 'EXCHANGE'));
