-- Messages of institutions may name persons: who reads one in full is noted as well.
alter table unmaskings add column notification_no bigint,
  drop constraint unmaskings_subject_check,
  add constraint unmaskings_subject_check check (subject in ('PAYEE', 'STATEMENT_LINE', 'RAIL_NOTIFICATION')),
  add constraint unmaskings_notification_check check ((subject = 'RAIL_NOTIFICATION') = (notification_no is not null));
