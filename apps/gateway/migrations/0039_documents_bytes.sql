-- What banks got and sent, and what people confirmed, names persons. Its bytes go when nobody needs them any more; digests, sums,
-- counts and references stay for ever.

create function documents_lose_bytes_only() returns trigger language plpgsql as $$
begin
  raise exception 'of a document only its bytes are removed, once' using errcode = 'restrict_violation';
end $$;

drop trigger payout_files_append_only on payout_files;
create trigger payout_files_said before update on payout_files for each row
  when (length(old.sealed) = 0 or length(new.sealed) > 0 or length(new.data_key) > 0
    or (to_jsonb(old) - 'sealed' - 'data_key') is distinct from (to_jsonb(new) - 'sealed' - 'data_key'))
  execute function documents_lose_bytes_only();
create trigger payout_files_kept before delete or truncate on payout_files
  for each statement execute function payout_files_are_append_only();

drop trigger payout_reports_append_only on payout_reports;
create trigger payout_reports_said before update on payout_reports for each row
  when (length(old.sealed) = 0 or length(new.sealed) > 0 or length(new.data_key) > 0
    or (to_jsonb(old) - 'sealed' - 'data_key') is distinct from (to_jsonb(new) - 'sealed' - 'data_key'))
  execute function documents_lose_bytes_only();
create trigger payout_reports_kept before delete or truncate on payout_reports
  for each statement execute function payout_files_are_append_only();

create index payout_files_with_bytes on payout_files (file_no) where length(sealed) > 0;
create index payout_reports_with_bytes on payout_reports (report_id) where length(sealed) > 0;

-- An act ends with its bytes; afterwards they may go.
alter table confirmations drop constraint confirmations_check2,
  add constraint confirmations_waiting_has_bytes check (state <> 'WAITING' or sealed is not null);
drop trigger confirmations_end_once on confirmations;
create trigger confirmations_end_once before update on confirmations for each row
  when ((old.state <> 'WAITING' and (old.sealed is null or new.sealed is not null
      or (to_jsonb(old) - 'sealed' - 'data_key') is distinct from (to_jsonb(new) - 'sealed' - 'data_key')))
    or (old.state = 'WAITING' and row(old.confirmation_id, old.kind, old.digest, old.title, old.actor, old.directive, old.line_ids,
      old.data_key, old.sealed, old.byte_count, old.proposed_at, old.expire_at)
    is distinct from row(new.confirmation_id, new.kind, new.digest, new.title, new.actor, new.directive, new.line_ids,
      new.data_key, new.sealed, new.byte_count, new.proposed_at, new.expire_at)))
  execute function confirmations_are_append_only();
create index confirmations_with_bytes on confirmations (confirmation_id) where sealed is not null and state <> 'WAITING';
