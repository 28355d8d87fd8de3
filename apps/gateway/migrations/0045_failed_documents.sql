-- Files of watched folders that could not be taken. They lie in failed/ of one machine; operators ask any process.

create table failed_documents (
  document_id bigint generated always as identity primary key,
  channel text not null check (channel in ('STATEMENTS', 'PAYOUT_REPORTS')),
  file_name text not null check (length(file_name) between 1 and 255),
  content_hash bytea not null check (octet_length(content_hash) = 32),
  byte_count bigint not null check (byte_count >= 0),
  reason text not null check (length(reason) between 1 and 1000),
  -- Both empty: of a file too large to be stored here, or removed after its time.
  data_key bytea not null,
  sealed bytea not null,
  put_aside_at timestamptz not null default clock_timestamp()
);
create function failed_documents_stay() returns trigger language plpgsql as $$
begin
  raise exception 'files that could not be taken stay listed' using errcode = 'restrict_violation';
end $$;
create trigger failed_documents_said before update on failed_documents for each row
  when (length(old.sealed) = 0 or length(new.sealed) > 0 or length(new.data_key) > 0
    or (to_jsonb(old) - 'sealed' - 'data_key') is distinct from (to_jsonb(new) - 'sealed' - 'data_key'))
  execute function documents_lose_bytes_only();
create trigger failed_documents_kept before delete or truncate on failed_documents
  for each statement execute function failed_documents_stay();
-- Two workers on one folder, or a crash before the file is moved, list it once.
create unique index failed_documents_once on failed_documents (channel, content_hash, file_name, md5(reason))
  where length(sealed) > 0;
create index failed_documents_with_bytes on failed_documents (document_id) where length(sealed) > 0;

-- They name persons: who reads the bytes of one is noted as well.
alter table unmaskings add column document_id bigint,
  drop constraint unmaskings_subject_check,
  add constraint unmaskings_subject_check
    check (subject in ('PAYEE', 'STATEMENT_LINE', 'RAIL_NOTIFICATION', 'PAYOUT_REPORT', 'FAILED_DOCUMENT')),
  add constraint unmaskings_document_check check ((subject = 'FAILED_DOCUMENT') = (document_id is not null));
