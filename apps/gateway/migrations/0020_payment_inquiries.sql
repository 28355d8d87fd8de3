-- What institutions were asked about payments and what they answered, and what people decided where nobody could say.
-- No personal data: the payer's account is neither in a row nor in a digest.
create table payment_inquiries (
  merchant_id bigint not null,
  kind text not null,
  id_payment text not null,
  -- A larger one is a later one.
  inquiry_id bigint generated always as identity,
  question text not null check (question in ('SUBMIT', 'INQUIRE', 'ADVANCE', 'NOTIFICATION', 'STATEMENT', 'TRIGGER', 'OPERATOR')),
  answer text not null check (answer in ('SUCCEEDED', 'FAILED', 'CANCELLED', 'RETURNED', 'WAITING', 'UNKNOWN',
    'EXECUTED', 'NOT_EXECUTED', 'STILL_WAITING', 'UNCHANGED')),
  -- The institution's, or ours for an answer that did not come: DEADLINE, RAIL_FAULT.
  reason_code text check (length(reason_code) <= 64),
  -- It does not fit what our books say: a person has to look at the payment.
  contradicts boolean not null default false,
  -- SHA-256 of the answer as the rail understood it, without persons.
  answer_digest bytea check (octet_length(answer_digest) = 32),
  asked_at timestamptz not null,
  answered_at timestamptz not null default clock_timestamp(),
  -- The same answer to the same question, several times in a row, is one row.
  times integer not null default 1 check (times > 0),
  last_answered_at timestamptz not null default clock_timestamp(),
  -- Of a decision: whose, why, and after which entry of the timeline. A decision about another state does not count.
  operator_code text,
  reason text check (length(reason) between 1 and 250),
  timeline_entry_no integer,
  primary key (merchant_id, kind, id_payment, inquiry_id),
  check ((question = 'OPERATOR') = (operator_code is not null)),
  check ((question = 'OPERATOR') = (reason is not null)),
  check ((question = 'OPERATOR') = (timeline_entry_no is not null))
);
create function payment_decisions_are_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'decisions of operators about payments are append-only' using errcode = 'restrict_violation';
end $$;
create trigger payment_inquiries_decisions_stay before update or delete on payment_inquiries
  for each row when (old.question = 'OPERATOR') execute function payment_decisions_are_append_only();

-- REVIEW is work of people: due_at is since when it waits for them, and no worker takes it.
alter table payment_tasks drop constraint payment_tasks_task_check,
  add constraint payment_tasks_task_check check (task in ('EXPIRE', 'RAIL', 'REVIEW'));
alter table payment_tasks
  -- Since when the rail has not been able to say what became of the payment; null when it can.
  add column unknown_since timestamptz,
  -- How often it said so since then. The distances of the inquiries grow with it.
  add column unknown_answers integer not null default 0;
create index payment_tasks_unknown on payment_tasks (unknown_since) where unknown_since is not null;
