-- What catalogue documents changed, row by row: who, when, as it was before and as it is after.
create table catalogue_changes (
  change_no bigint generated always as identity primary key,
  -- operators.operator_code
  operator_code text not null,
  -- Of the logs, and of operator_requests.
  request_id text not null,
  section text not null,
  item text not null,
  before jsonb,
  after jsonb,
  check (before is not null or after is not null),
  changed_at timestamptz not null default clock_timestamp()
);
create function catalogue_changes_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was changed in the catalogue stays as it was noted' using errcode = 'restrict_violation';
end $$;
create trigger catalogue_changes_kept before update or delete or truncate on catalogue_changes
  for each statement execute function catalogue_changes_are_append_only();
