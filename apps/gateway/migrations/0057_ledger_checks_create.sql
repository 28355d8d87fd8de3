-- When the books were checked, and what came of it: `tollgate ledger check` adds a row.
create table ledger_checks (
  check_no bigint generated always as identity primary key,
  checked_at timestamptz not null default clock_timestamp(),
  check_count integer not null check (check_count > 0),
  finding_count integer not null check (finding_count >= 0)
);
create trigger ledger_checks_append_only before update or delete or truncate on ledger_checks
  for each statement execute function ledger_is_append_only();
