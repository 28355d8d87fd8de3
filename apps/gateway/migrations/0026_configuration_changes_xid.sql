-- Whoever reads the changes asks for those of transactions that had not ended at the reading before: nothing is missed, and
-- nothing is read again and again while many merchants are added.
alter table configuration_changes add column xid xid8 not null default pg_current_xact_id();
create index configuration_changes_by_xid on configuration_changes (xid);
