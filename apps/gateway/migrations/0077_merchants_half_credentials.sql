-- What one operator of the house adds to a merchant's credentials is half: payouts by it wait for approval. Another ADMIN confirms a key; a secret
-- was seen by whoever made it, so nobody confirms one. What is there already is whole.
alter table merchant_keys
  -- Who added it by the operator API; null for the command line, and before this.
  add column made_by text,
  add column is_half boolean not null default false,
  add column confirmed_by text,
  add column confirmed_at timestamptz,
  add constraint merchant_keys_confirmed check ((confirmed_by is null) = (confirmed_at is null)),
  add constraint merchant_keys_two_people check (confirmed_by is null or (is_half and confirmed_by is distinct from made_by));
alter table merchant_secrets
  add column made_by text,
  add column is_half boolean not null default false;

drop trigger merchant_keys_audited on merchant_keys;
create trigger merchant_keys_audited after insert or update or delete on merchant_keys
  for each row execute function audit_change('fingerprint bits made_by is_half confirmed_by removed_at', 'public_key_pem', 'key_id');
drop trigger merchant_secrets_audited on merchant_secrets;
create trigger merchant_secrets_audited after insert or update or delete on merchant_secrets
  for each row execute function audit_change('made_by is_half removed_at', 'secret_hash', 'secret_id');
