-- Keys that sign our auth tokens. One is ACTIVE; a key that was active stays VERIFY_ONLY until no token
-- signed by it can still be valid, then it is RETIRED.
create table token_signing_keys (
  kid text primary key,
  private_key_sealed bytea not null,
  public_key_pem text not null,
  status text not null check (status in ('ACTIVE', 'VERIFY_ONLY', 'RETIRED')),
  created_at timestamptz not null default now(),
  replaced_at timestamptz
);
create unique index token_signing_keys_one_active on token_signing_keys (status) where status = 'ACTIVE';

create table revoked_tokens (
  merchant_id bigint not null references merchants,
  jti text not null check (length(jti) between 1 and 64),
  -- After this moment the row may be deleted: no token lives longer.
  expires_at timestamptz not null,
  revoked_at timestamptz not null default now(),
  primary key (merchant_id, jti)
);

create trigger token_signing_keys_changed after insert or update or delete on token_signing_keys
  for each row execute function note_configuration_change('SIGNING_KEYS', 'for_all');
create trigger revoked_tokens_changed after insert or update or delete on revoked_tokens
  for each row execute function note_configuration_change('REVOCATIONS', 'by_merchant');
