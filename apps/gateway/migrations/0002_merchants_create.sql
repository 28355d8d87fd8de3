create table merchants (
  merchant_id bigint generated always as identity primary key,
  merchant_code text not null unique check (merchant_code ~ '^[A-Za-z0-9_-]{1,64}$'),
  channel_name text not null check (length(channel_name) between 1 and 140),
  logo_url text,
  support_email text,
  support_url text,
  primary_color text check (primary_color ~ '^#[0-9a-fA-F]{6}$'),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  rate_limit_per_second integer not null default 10 check (rate_limit_per_second between 1 and 100000),
  -- The deprecated credential (specification 5.1) can be switched off per merchant.
  secret_enabled boolean not null default true,
  -- Origins (scheme://host[:port]) that callback and return URLs must have; empty means any.
  allowed_origins text[] not null default '{}',
  -- Tokens signed at an earlier time than this are revoked, all at once.
  tokens_not_before timestamptz,
  -- Grows with each such revocation and is a claim of every token: one that was signed ahead of time ends with it, too.
  token_generation integer not null default 0 check (token_generation >= 0),
  -- The callback signing key is derived from the master key and this number; the previous one stays published.
  callback_key_generation integer not null default 1 check (callback_key_generation >= 1),
  created_at timestamptz not null default now()
);

create table merchant_keys (
  merchant_id bigint not null references merchants,
  key_id text not null,
  public_key_pem text not null,
  fingerprint text not null,
  bits integer not null check (bits >= 2048),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (merchant_id, key_id)
);

create table merchant_secrets (
  merchant_id bigint not null references merchants,
  secret_id text not null,
  -- HMAC-SHA-256 of the secret under a key derived from the master key: the secret has 256 bits, so a fast hash is enough.
  secret_hash bytea not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (merchant_id, secret_id)
);

create trigger merchants_changed after insert or update or delete on merchants
  for each row execute function note_configuration_change('MERCHANT', 'by_merchant');
create trigger merchant_keys_changed after insert or update or delete on merchant_keys
  for each row execute function note_configuration_change('MERCHANT', 'by_merchant');
create trigger merchant_secrets_changed after insert or update or delete on merchant_secrets
  for each row execute function note_configuration_change('MERCHANT', 'by_merchant');
