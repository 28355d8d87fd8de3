-- What operators ask the operator API to change: noted before it is done, with the status of the answer afterwards.
create table operator_requests (
  request_no bigint generated always as identity primary key,
  -- operators.operator_code
  operator_code text not null,
  -- operationId of the API's description
  operation text not null,
  -- Without query and body, which may name persons.
  path text not null,
  request_id text not null,
  asked_at timestamptz not null default clock_timestamp(),
  -- Null while it is under way; for good when the process ended before its answer.
  answered_status smallint
);
create index operator_requests_by_operator on operator_requests (operator_code, request_no);
create function operator_requests_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what operators asked for stays as it was noted' using errcode = 'restrict_violation';
end $$;
create trigger operator_requests_answered_once before update on operator_requests for each row
  when (old.answered_status is not null
    or (to_jsonb(old) - 'answered_status') is distinct from (to_jsonb(new) - 'answered_status'))
  execute function operator_requests_are_append_only();
create trigger operator_requests_kept before delete or truncate on operator_requests
  for each statement execute function operator_requests_are_append_only();
