-- Passkeys: operators sign in by a touch on a device, which has the private key; here is the public one.
create table operator_passkeys (
  operator_id bigint not null references operators,
  passkey_id text not null unique,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  -- COSE
  public_key bytea not null check (length(public_key) between 1 and 4096),
  -- How often the device says that it was used; 0 for good where it does not count.
  counter bigint not null check (counter >= 0),
  is_backed_up boolean not null,
  name text not null check (length(name) between 1 and 140),
  -- Whoever invited the operator, or made the key by whose session it was registered: this ADMIN does not confirm it.
  invited_by text,
  -- By a session of which key it was registered: before it is confirmed it opens nothing without that key.
  key_id text,
  -- True where one ADMIN, or who has a key, could have registered it for somebody else: it carries less until it is confirmed.
  is_half boolean not null,
  confirmed_by text,
  confirmed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  removed_at timestamptz,
  primary key (operator_id, passkey_id),
  foreign key (operator_id, key_id) references operator_keys,
  check ((confirmed_by is null) = (confirmed_at is null)),
  check (confirmed_by is null or (is_half and confirmed_by is distinct from invited_by))
);

-- One-time secrets by which an operator registers a passkey.
create table operator_invitations (
  operator_id bigint not null references operators,
  invitation_id text not null unique,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  -- The ADMIN; null for the command line.
  made_by text,
  created_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null check (expire_at > created_at),
  ended_at timestamptz,
  primary key (operator_id, invitation_id)
);

-- What a device is asked to sign. A row is taken by deleting it.
create table operator_challenges (
  challenge_id text primary key,
  challenge bytea not null check (length(challenge) = 32),
  purpose text not null check (purpose in ('SIGN_IN', 'REGISTER', 'STEP_UP')),
  operator_id bigint references operators,
  -- By what it was asked for.
  session_id text references operator_sessions (session_id),
  invitation_id text references operator_invitations (invitation_id),
  -- The request that a touch is for.
  method text,
  path text,
  expire_at timestamptz not null,
  check ((purpose = 'SIGN_IN') = (operator_id is null)),
  check ((purpose = 'STEP_UP') = (method is not null)),
  check ((method is null) = (path is null))
);
create index operator_challenges_by_expiry on operator_challenges (expire_at);

-- A fresh touch, for one request of one session. A row is taken by deleting it.
create table operator_step_ups (
  secret_hash bytea primary key check (length(secret_hash) = 32),
  session_id text not null references operator_sessions (session_id),
  method text not null,
  path text not null,
  expire_at timestamptz not null
);
create index operator_step_ups_by_expiry on operator_step_ups (expire_at);

alter table operator_sessions
  add column passkey_id text,
  alter column key_id drop not null,
  alter column is_key_seconded drop not null,
  drop constraint operator_sessions_method_check,
  add constraint operator_sessions_method_check check (method in ('KEY', 'PASSKEY')),
  add constraint operator_sessions_proof_check check (
    (method = 'KEY') = (key_id is not null)
    and (method = 'KEY') = (is_key_seconded is not null)
    and (method = 'PASSKEY') = (passkey_id is not null)
  ),
  add foreign key (operator_id, passkey_id) references operator_passkeys;
