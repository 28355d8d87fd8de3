-- What an adapter said when it was asked, before a payout left, whether the name and the account of its payee belong together (Verification of Payee).
-- No name and no account are in here: they are the payment's.
create table payee_checks (
  check_no bigint generated always as identity primary key,
  merchant_id bigint not null,
  kind text not null check (kind in ('PAYOUT', 'SETTLEMENT')),
  id_payment text not null,
  -- As a bank's report would say it: match, no match, close match, not checked.
  status_code text not null check (status_code in ('RCVC', 'RVNM', 'RVMC', 'RVNA')),
  -- The name of the secret by which the adapter proved its answer.
  answered_by text not null check (answered_by ~ '^[A-Za-z0-9._-]{1,64}$'),
  answered_at timestamptz not null default statement_timestamp(),
  unique (merchant_id, kind, id_payment)
);
create function payee_checks_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was said of a payee stays as it was recorded' using errcode = 'restrict_violation';
end $$;
create trigger payee_checks_append_only before update or delete or truncate on payee_checks
  for each statement execute function payee_checks_are_append_only();
