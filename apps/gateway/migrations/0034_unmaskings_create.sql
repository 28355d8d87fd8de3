-- Which operator has read which person's name and account in full, and when.
create table unmaskings (
  unmasking_id bigint generated always as identity primary key,
  -- operators.operator_code
  operator_code text not null,
  subject text not null check (subject in ('PAYEE', 'STATEMENT_LINE')),
  -- Of PAYEE: the payment.
  merchant_id bigint,
  kind text,
  id_payment text,
  -- Of STATEMENT_LINE.
  line_id bigint,
  seen_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(merchant_id, kind, id_payment) = case subject when 'PAYEE' then 3 else 0 end),
  check ((subject = 'STATEMENT_LINE') = (line_id is not null))
);
create function unmaskings_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'who has read names and accounts stays as it was noted' using errcode = 'restrict_violation';
end $$;
create trigger unmaskings_append_only before update or delete or truncate on unmaskings
  for each statement execute function unmaskings_are_append_only();
