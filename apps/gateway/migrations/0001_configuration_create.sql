-- Changes of configuration, so that every process can drop what it has cached.
-- A trigger on each configuration table writes a row here and sends a NOTIFY. The NOTIFY is only a hint:
-- processes read the last rows on a short poll and treat a row that they have not seen yet as news.
create table configuration_changes (
  change_id bigint generated always as identity primary key,
  scope text not null check (scope in ('MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS')),
  merchant_id bigint,
  changed_at timestamptz not null default clock_timestamp()
);
create index configuration_changes_changed_at on configuration_changes (changed_at);

create function note_configuration_change() returns trigger language plpgsql as $$
declare
  the_merchant bigint;
begin
  if tg_argv[1] = 'by_merchant' then
    if tg_op = 'DELETE' then the_merchant := old.merchant_id; else the_merchant := new.merchant_id; end if;
  end if;
  insert into configuration_changes (scope, merchant_id) values (tg_argv[0], the_merchant);
  perform pg_notify('tollgate_configuration', tg_argv[0]);
  return null;
end $$;
