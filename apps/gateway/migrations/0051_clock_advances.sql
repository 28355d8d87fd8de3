-- The clock of a merchant in the sandbox: by how much it was advanced, when and by whom. What is due of the merchant is due so much
-- earlier; what has happened keeps its time.
create table clock_advances (
  merchant_id bigint not null references merchants,
  advance_no integer not null check (advance_no > 0),
  -- At most 400 days.
  seconds integer not null check (seconds between 1 and 34560000),
  -- With all advances before it.
  total_seconds bigint not null check (total_seconds >= seconds),
  -- operators.operator_code
  advanced_by text not null,
  advanced_at timestamptz not null default clock_timestamp(),
  primary key (merchant_id, advance_no)
);
create function clock_advances_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a clock is never set back' using errcode = 'restrict_violation';
end $$;
create trigger clock_advances_kept before update or delete or truncate on clock_advances
  for each statement execute function clock_advances_stay();

-- The gateway has no such operation in live. A database that was live, and was started as a sandbox, keeps its time all the same.
create function clock_advances_are_of_the_sandbox() returns trigger language plpgsql as $$
begin
  if exists (select from payments where merchant_id = new.merchant_id and not is_test) then
    raise exception 'a merchant with real payments has real time' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger clock_advances_sandbox before insert on clock_advances
  for each row execute function clock_advances_are_of_the_sandbox();

-- By how much the merchant's clock was advanced since then: so much older than by the real time is what happened then.
create function advanced_since(of_merchant bigint, since timestamptz) returns interval language sql stable as $$
  select make_interval(secs => coalesce(sum(seconds), 0)) from clock_advances where merchant_id = of_merchant and advanced_at > since
$$;

-- By how much any clock was advanced at most: nothing is older than by the real time by more than that.
create function advanced_at_most() returns interval language sql stable as $$
  select make_interval(secs => coalesce(max(total_seconds), 0)) from clock_advances
$$;
