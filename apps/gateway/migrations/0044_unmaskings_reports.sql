-- Status reports of banks name persons: who reads the bytes of one is noted as well.
alter table unmaskings add column report_id bigint,
  drop constraint unmaskings_subject_check,
  add constraint unmaskings_subject_check check (subject in ('PAYEE', 'STATEMENT_LINE', 'RAIL_NOTIFICATION', 'PAYOUT_REPORT')),
  add constraint unmaskings_report_check check ((subject = 'PAYOUT_REPORT') = (report_id is not null));
