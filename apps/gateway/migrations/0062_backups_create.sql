-- When the database was copied: `tollgate backup` adds a row when its folder is complete. A copy that other programs make is not known here.
create table backups (
  backup_no bigint generated always as identity primary key,
  -- What was acknowledged before is in it.
  started_at timestamptz not null,
  finished_at timestamptz not null default clock_timestamp(),
  kind text not null check (kind in ('CLUSTER', 'DUMP')),
  bytes bigint not null check (bytes > 0)
);
create trigger backups_append_only before update or delete or truncate on backups
  for each statement execute function ledger_is_append_only();
