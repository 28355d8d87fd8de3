-- A key that signs tokens is published before it signs: whoever verifies tokens by the published keys has it by then.
-- ACTIVE is the newest key. Until its time has come the one before it signs, which is VERIFY_ONLY with replaced_at to come.
alter table token_signing_keys add column signs_from timestamptz;
update token_signing_keys set signs_from = created_at;
alter table token_signing_keys
  alter column signs_from set default now(),
  alter column signs_from set not null;
