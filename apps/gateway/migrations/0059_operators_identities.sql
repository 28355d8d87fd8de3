-- Operators sign in by the account that a provider of identities (OpenID Connect) has of them. It is known by issuer and subject.
create table operator_identities (
  operator_id bigint not null references operators,
  identity_id text not null unique,
  issuer text not null check (length(issuer) between 1 and 2000),
  subject text not null check (length(subject) between 1 and 255),
  -- The ADMIN who invited the operator: this one does not confirm it.
  invited_by text,
  -- True where one ADMIN could have linked it for somebody else: it carries less until it is confirmed.
  is_half boolean not null,
  confirmed_by text,
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  removed_at timestamptz,
  primary key (operator_id, identity_id),
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by is null or (is_half and confirmed_by is distinct from invited_by))
);
-- An account is one operator's, and an operator has one account of an issuer.
create unique index operator_identities_by_subject on operator_identities (issuer, subject) where removed_at is null;
create unique index operator_identities_by_issuer on operator_identities (operator_id, issuer) where removed_at is null;
create trigger operator_identities_audited
  after insert or delete or update of issuer, subject, invited_by, is_half, confirmed_by, removed_at on operator_identities
  for each row execute function audit_change('issuer is_half invited_by confirmed_by removed_at', 'subject', 'operator_id identity_id');

-- Somebody was sent to the provider and has not come back. A row is taken by deleting it.
create table operator_oidc_attempts (
  state_hash bytea primary key check (length(state_hash) = 32),
  -- HMAC of what the browser keeps in a cookie; nonce and code verifier follow from that, and are not stored.
  browser_hash bytea not null check (length(browser_hash) = 32),
  -- To link an account; null to sign in.
  invitation_id text references operator_invitations (invitation_id),
  expire_at timestamptz not null
);
create index operator_oidc_attempts_by_expiry on operator_oidc_attempts (expire_at);

alter table operator_sessions
  add column identity_id text,
  drop constraint operator_sessions_method_check,
  add constraint operator_sessions_method_check check (method in ('KEY', 'PASSKEY', 'OIDC')),
  drop constraint operator_sessions_proof_check,
  add constraint operator_sessions_proof_check check (
    (method = 'KEY') = (key_id is not null)
    and (method = 'KEY') = (is_key_seconded is not null)
    and (method = 'PASSKEY') = (passkey_id is not null)
    and (method = 'OIDC') = (identity_id is not null)
  ),
  add foreign key (operator_id, identity_id) references operator_identities;
drop trigger operator_sessions_audited on operator_sessions;
create trigger operator_sessions_audited
  after insert or delete or update of method, key_id, passkey_id, identity_id, is_key_seconded, expire_at, ended_at, secret_hash on operator_sessions
  for each row execute function audit_change('method key_id passkey_id identity_id expire_at ended_at', 'secret_hash', 'operator_id session_id');

alter table operator_requests
  drop constraint operator_requests_means_check,
  add constraint operator_requests_means_check check (means in ('KEY', 'SESSION', 'PASSKEY', 'OIDC', 'INVITATION'));
alter table unmaskings
  drop constraint unmaskings_means_check,
  add constraint unmaskings_means_check check (means in ('KEY', 'SESSION', 'PASSKEY', 'OIDC', 'INVITATION'));
