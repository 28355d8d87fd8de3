-- Why an invitation ended, which its page says; null for one that has not ended, or ended before this was kept.
alter table operator_invitations
  add column end_reason text check (end_reason in ('USED', 'REPLACED', 'DISABLED')),
  add check (end_reason is null or ended_at is not null);
