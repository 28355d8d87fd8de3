-- What operators do, in one log: each request with its reason and answer, each look at data in full, and what was changed,
-- before and after. Rows are written by triggers, in the transaction of what they are about, so that no code can forget one.

-- By what an operator asked, what the request is about, and why: noted before it is done, as the rest.
alter table operator_requests
  add column means text check (means in ('KEY', 'SESSION', 'PASSKEY', 'INVITATION')),
  -- Of the key, session or invitation.
  add column means_id text,
  add column merchant_code text,
  add column subject text,
  add column reason text;

-- The same of who reads names and accounts in full. A payout file has them, too.
alter table unmaskings
  add column means text check (means in ('KEY', 'SESSION', 'PASSKEY', 'INVITATION')),
  add column means_id text,
  add column request_id text,
  add column file_id text,
  drop constraint unmaskings_subject_check,
  add constraint unmaskings_subject_check check (
    subject in ('PAYEE', 'STATEMENT_LINE', 'RAIL_NOTIFICATION', 'PAYOUT_REPORT', 'FAILED_DOCUMENT', 'PAYOUT_FILE')),
  add constraint unmaskings_file_check check ((subject = 'PAYOUT_FILE') = (file_id is not null));

create table audit_records (
  record_no bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  happened_at timestamptz not null default clock_timestamp(),
  -- ACT: an operator asked for it. READ: an operator looked at data in full. LOCAL: no request of an operator, but a
  -- command, a worker, or somebody at the database. ANSWER and CHANGE belong to an act. BEGAN: from here on all is recorded as it happens.
  kind text not null check (kind in ('ACT', 'READ', 'LOCAL', 'ANSWER', 'CHANGE', 'BEGAN')),
  -- Of ANSWER and CHANGE: the record of the act.
  act_no bigint,
  -- operator_requests
  request_no bigint,
  -- operators.operator_code; of LOCAL nobody.
  operator_code text,
  means text,
  means_id text,
  -- operationId of the API's description; of READ what was read.
  operation text,
  -- Without query and body, which may name persons.
  path text,
  merchant_code text,
  subject text,
  reason text,
  request_id text,
  -- Of ANSWER.
  status smallint,
  -- Of LOCAL: application_name and session_user of the session.
  program text,
  database_user text,
  -- Of CHANGE: the table, what names the row, and the columns that changed, as texts. Secrets are never in it.
  section text,
  item text,
  verb text check (verb in ('ADDED', 'CHANGED', 'REMOVED')),
  before jsonb,
  after jsonb,
  check ((kind in ('ANSWER', 'CHANGE')) = (act_no is not null)),
  check ((kind in ('ACT', 'READ')) = (operator_code is not null)),
  check ((kind = 'CHANGE') = (section is not null and verb is not null))
);
create index audit_records_by_xid on audit_records (xid, record_no);
create index audit_records_by_act on audit_records (act_no, record_no) where act_no is not null;
create unique index audit_records_by_request on audit_records (request_no) where kind = 'ACT';
create unique index audit_records_answered_once on audit_records (act_no) where kind = 'ANSWER';
create unique index audit_records_began_once on audit_records (kind) where kind = 'BEGAN';
create index audit_records_by_time on audit_records (happened_at) where act_no is null;
create index audit_records_by_operator on audit_records (operator_code, record_no) where act_no is null;
create index audit_records_by_operation on audit_records (operation, record_no) where act_no is null;
create index audit_records_by_merchant on audit_records (merchant_code, record_no) where act_no is null;
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'what was done stays as it was recorded' using errcode = 'restrict_violation';
end $$;
create trigger audit_records_append_only before update or delete or truncate on audit_records
  for each statement execute function audit_is_append_only();

-- One chain of hashes over all records, as ledger_journal has it over transfers.
create table audit_chain (
  entry_no bigint primary key check (entry_no > 0),
  record_no bigint not null unique,
  xid xid8 not null,
  cluster_id bigint not null,
  content_hash bytea not null check (octet_length(content_hash) = 32),
  chain_hash bytea not null check (octet_length(chain_hash) = 32),
  chained_at timestamptz not null default clock_timestamp()
);
create trigger audit_chain_append_only before update or delete or truncate on audit_chain
  for each statement execute function audit_is_append_only();

-- What was noted before there was this log stays readable in it. It is chained as it is found today.
insert into audit_records (happened_at, kind, request_no, operator_code, means, means_id, operation, path, request_id)
  select asked_at, 'ACT', request_no, operator_code, case when session_id is not null then 'SESSION' end, session_id, operation, path, request_id
  from operator_requests order by request_no;
insert into audit_records (happened_at, kind, act_no, status)
  select a.happened_at, 'ANSWER', a.record_no, r.answered_status
  from audit_records a join operator_requests r using (request_no) where r.answered_status is not null order by a.record_no;
insert into audit_records (happened_at, kind, operator_code, operation, merchant_code, subject)
  select u.seen_at, 'READ', u.operator_code, u.subject, m.merchant_code,
    coalesce(u.kind || ' ' || u.id_payment, u.line_id::text, u.notification_no::text, u.report_id::text, u.document_id::text)
  from unmaskings u left join merchants m using (merchant_id) order by u.unmasking_id;
insert into audit_records (happened_at, kind, act_no, section, item, verb, before, after)
  select c.changed_at, 'CHANGE', a.record_no, c.section, c.item,
    case when c.before is null then 'ADDED' when c.after is null then 'REMOVED' else 'CHANGED' end,
    (select jsonb_object_agg(key, value) from jsonb_each_text(c.before)), (select jsonb_object_agg(key, value) from jsonb_each_text(c.after))
  from catalogue_changes c join audit_records a on a.kind = 'ACT' and a.operation = 'applyCatalogue' and a.request_id = c.request_id
  where jsonb_typeof(coalesce(c.before, '{}')) = 'object' and jsonb_typeof(coalesce(c.after, '{}')) = 'object' order by c.change_no;
insert into audit_records (kind) values ('BEGAN');

create function audit_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into audit_records (kind, request_no, operator_code, means, means_id, operation, path, merchant_code, subject, reason, request_id)
    values ('ACT', new.request_no, new.operator_code, new.means, coalesce(new.means_id, new.session_id), new.operation, new.path,
      new.merchant_code, new.subject, new.reason, new.request_id);
  else
    insert into audit_records (kind, act_no, status)
    select 'ANSWER', record_no, new.answered_status from audit_records where kind = 'ACT' and request_no = new.request_no;
  end if;
  return null;
end $$;
create trigger operator_requests_audited after insert or update on operator_requests for each row execute function audit_request();

create function audit_unmasking() returns trigger language plpgsql as $$
begin
  insert into audit_records (kind, operator_code, means, means_id, operation, merchant_code, subject, request_id)
  values ('READ', new.operator_code, new.means, new.means_id, new.subject,
    (select merchant_code from merchants where merchant_id = new.merchant_id),
    coalesce(new.kind || ' ' || new.id_payment, new.line_id::text, new.notification_no::text, new.report_id::text,
      new.document_id::text, new.file_id),
    new.request_id);
  return null;
end $$;
create trigger unmaskings_audited after insert on unmaskings for each row execute function audit_unmasking();

-- The act that this transaction does: of the request that the session names, as long as it has no answer. Otherwise it is
-- one without an operator, which the first change of the transaction begins.
create function audit_act() returns bigint language plpgsql as $$
declare
  the_act bigint;
begin
  select record_no into the_act from audit_records a
    where a.kind = 'ACT' and a.request_no = nullif(current_setting('tollgate.request', true), '')::bigint
      and not exists (select from audit_records b where b.act_no = a.record_no and b.kind = 'ANSWER');
  if the_act is null then
    the_act := nullif(current_setting('tollgate.act', true), '')::bigint;
  end if;
  if the_act is null then
    insert into audit_records (kind, program, database_user) values ('LOCAL', current_setting('application_name'), session_user)
      returning record_no into the_act;
    perform set_config('tollgate.act', the_act::text, true);
  end if;
  return the_act;
end $$;

-- Arguments: the columns that are shown, those of which only the change is told, those that name the row.
-- What is not listed is left out: secrets and data of persons cannot come in by themselves.
create function audit_change() returns trigger language plpgsql as $$
declare
  old_row jsonb := '{}';
  new_row jsonb := '{}';
  a_row jsonb;
  the_before jsonb;
  the_after jsonb;
  the_item text;
  the_merchant text;
begin
  if tg_op <> 'INSERT' then old_row := to_jsonb(old); end if;
  if tg_op <> 'DELETE' then new_row := to_jsonb(new); end if;
  a_row := case tg_op when 'DELETE' then old_row else new_row end;
  select jsonb_object_agg(c, old_row->>c) filter (where old_row->>c is not null),
      jsonb_object_agg(c, new_row->>c) filter (where new_row->>c is not null)
    into the_before, the_after
    from unnest(string_to_array(tg_argv[0], ' ')) c where old_row->c is distinct from new_row->c;
  select coalesce(the_before, '{}') || coalesce(jsonb_object_agg(c, 'hidden') filter (where old_row->>c is not null), '{}'),
      coalesce(the_after, '{}') || coalesce(jsonb_object_agg(c, case tg_op when 'UPDATE' then 'hidden, changed' else 'hidden' end)
        filter (where new_row->>c is not null), '{}')
    into the_before, the_after
    from unnest(string_to_array(tg_argv[1], ' ')) c where old_row->c is distinct from new_row->c;
  if tg_op = 'UPDATE' and the_before = '{}' and the_after = '{}' then return null; end if;
  select string_agg(case c when 'operator_id'
      then (select operator_code from operators where operator_id = (a_row->>c)::bigint) else a_row->>c end, ' ' order by n)
    into the_item from unnest(string_to_array(tg_argv[2], ' ')) with ordinality k (c, n);
  select merchant_code into the_merchant from merchants where merchant_id = (a_row->>'merchant_id')::bigint;
  insert into audit_records (kind, act_no, section, item, merchant_code, verb, before, after)
  values ('CHANGE', audit_act(), tg_table_name, the_item, coalesce(the_merchant, a_row->>'merchant_code'),
    case tg_op when 'INSERT' then 'ADDED' when 'UPDATE' then 'CHANGED' else 'REMOVED' end,
    case when tg_op <> 'INSERT' then the_before end, case when tg_op <> 'DELETE' then the_after end);
  return null;
end $$;

-- People and how they prove who they are.
create trigger operators_audited after insert or update or delete on operators
  for each row execute function audit_change('name roles status', '', 'operator_code');
create trigger operator_keys_audited after insert or update or delete on operator_keys
  for each row execute function audit_change('expires_at removed_at made_by seconded_by', 'key_hash second_hash', 'operator_id key_id');
create trigger operator_passkeys_audited after insert or delete or update of is_half, name, confirmed_by, removed_at, public_key, credential_id on operator_passkeys
  for each row execute function audit_change('name is_half is_backed_up invited_by confirmed_by removed_at', 'credential_id public_key', 'operator_id passkey_id');
create trigger operator_invitations_audited after insert or update or delete on operator_invitations
  for each row execute function audit_change('made_by expire_at ended_at end_reason', 'secret_hash', 'operator_id invitation_id');
create trigger operator_sessions_audited after insert or delete or update of method, key_id, passkey_id, is_key_seconded, expire_at, ended_at, secret_hash on operator_sessions
  for each row execute function audit_change('method key_id passkey_id expire_at ended_at', 'secret_hash', 'operator_id session_id');
create trigger root_key_audited after insert or update or delete on root_key
  for each row execute function audit_change('master_key_id sealed_at', 'sealed', '');
create trigger token_signing_keys_audited after insert or update or delete on token_signing_keys
  for each row execute function audit_change('status signs_from replaced_at', 'private_key_sealed public_key_pem', 'kid');
-- Merchants and their terms.
create trigger merchants_audited after insert or update or delete on merchants
  for each row execute function audit_change('channel_name logo_url support_email support_url primary_color status rate_limit_per_second secret_enabled allowed_origins browser_origins callback_origins return_origins tokens_not_before token_generation callback_key_generation callback_secret_generation callback_secrets_signing segments require_money_in_tokens', '', 'merchant_code');
create trigger merchant_keys_audited after insert or update or delete on merchant_keys
  for each row execute function audit_change('fingerprint bits removed_at', 'public_key_pem', 'key_id');
create trigger merchant_secrets_audited after insert or update or delete on merchant_secrets
  for each row execute function audit_change('removed_at', 'secret_hash', 'secret_id');
create trigger merchant_logos_audited after insert or update or delete on merchant_logos
  for each row execute function audit_change('content_hash media_type width height', '', '');
create trigger merchant_methods_audited after insert or update or delete on merchant_methods
  for each row execute function audit_change('', '', 'method_code direction');
create trigger merchant_limits_audited after insert or update or delete on merchant_limits
  for each row execute function audit_change('min_amount max_amount daily_amount_max daily_count_max', '', 'method_code direction currency_code');
create trigger merchant_fees_audited after insert or update or delete on merchant_fees
  for each row execute function audit_change('fixed percentage minimum maximum priced_currency_code rate_list_code', '', 'method_code direction currency_code operator_code segment_code');
create trigger payout_rules_audited after insert or update or delete on payout_rules
  for each row execute function audit_change('amount_from new_beneficiary daily_sum_from', '', 'currency_code');
create trigger blocked_beneficiaries_audited after insert or update or delete on blocked_beneficiaries
  for each row execute function audit_change('means created_by', 'beneficiary_digest', '');
create trigger settlement_cycles_audited after insert or delete or update of cycle, days, weekday, minimum, settle_currency_code, rate_list_code on settlement_cycles
  for each row execute function audit_change('cycle days weekday minimum settle_currency_code rate_list_code', '', 'currency_code');
create trigger settlement_accounts_audited after insert or update or delete on settlement_accounts
  for each row execute function audit_change('method_code operator_code masked_number', 'sealed', 'currency_code');
create trigger revoked_tokens_audited after insert on revoked_tokens
  for each row execute function audit_change('expires_at', '', 'jti');
-- The catalogue, our accounts, rates and switches.
create trigger currencies_audited after insert or update or delete on currencies
  for each row execute function audit_change('name type minor_units enabled', '', 'currency_code');
create trigger segments_audited after insert or update or delete on segments
  for each row execute function audit_change('name position', '', 'segment_code');
create trigger payment_methods_audited after insert or update or delete on payment_methods
  for each row execute function audit_change('name flow rail external_reference expires_after_seconds enabled position payin_speed', '', 'method_code');
create trigger payment_method_excluded_segments_audited after insert or update or delete on payment_method_excluded_segments
  for each row execute function audit_change('', '', 'method_code segment_code');
create trigger payment_method_fields_audited after insert or update or delete on payment_method_fields
  for each row execute function audit_change('required pattern checksum max_length position', '', 'method_code direction field_name');
create trigger payment_method_limits_audited after insert or update or delete on payment_method_limits
  for each row execute function audit_change('min_amount max_amount', '', 'method_code direction currency_code segment_code');
create trigger payment_method_operators_audited after insert or update or delete on payment_method_operators
  for each row execute function audit_change('', '', 'method_code operator_code');
create trigger payment_operators_audited after insert or update or delete on payment_operators
  for each row execute function audit_change('name type country_code currency_codes payin_availability payout_availability enabled position popular_rank bic aliases', '', 'operator_code');
create trigger fees_audited after insert or update or delete on fees
  for each row execute function audit_change('fixed percentage minimum maximum priced_currency_code rate_list_code', '', 'method_code direction currency_code operator_code segment_code');
create trigger bank_accounts_audited after insert or update or delete on bank_accounts
  for each row execute function audit_change('currency_code bank_name bank_code bic country_code payout_format is_default status retired_at', 'holder iban account_number upi_address pix_key bitcoin_address street building_number postal_code town', 'account_code');
create trigger rate_lists_audited after insert or update or delete on rate_lists
  for each row execute function audit_change('name base_currency_code stale_after_seconds enabled', '', 'rate_list_code');
create trigger rate_sheets_audited after insert or update or delete on rate_sheets
  for each row execute function audit_change('valid_from source row_count', '', 'rate_list_code version');
create trigger confirmation_policies_audited after insert or update or delete on confirmation_policies
  for each row execute function audit_change('is_on from_amounts expires_after_hours folder_is_channel', '', 'policy_id');
-- What workers observe is not in it.
create trigger institution_health_audited after update of by_hand, by_hand_until, by_hand_reason, by_hand_operator or delete on institution_health
  for each row execute function audit_change('by_hand by_hand_until by_hand_reason by_hand_operator', '', 'institution_type institution_code direction');
create trigger institution_health_audited_first after insert on institution_health for each row when (new.by_hand is not null)
  execute function audit_change('by_hand by_hand_until by_hand_reason by_hand_operator', '', 'institution_type institution_code direction');
create trigger restore_gaps_audited after insert or update or delete on restore_gaps
  for each row execute function audit_change('lost_from opened_by proposed_by proposed_reason closed_by closed_reason', '', 'gap_id');
