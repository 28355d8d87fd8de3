-- People sign in: a session of an operator, which ends by itself when it is not used, after some hours, or when it is ended.
create table operator_sessions (
  operator_id bigint not null references operators,
  session_id text not null unique,
  -- HMAC of the secret, as of keys.
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  method text not null check (method = 'KEY'),
  -- The key it was made with, and whether that was both halves of a key: it opens what the key opens, and no longer.
  key_id text not null,
  is_key_seconded boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Written at most once a minute.
  last_used_at timestamptz not null default clock_timestamp(),
  expire_at timestamptz not null check (expire_at > created_at),
  ended_at timestamptz,
  primary key (operator_id, session_id),
  foreign key (operator_id, key_id) references operator_keys
);

-- By which session a change was asked for; null where it was by a key.
alter table operator_requests add column session_id text;
