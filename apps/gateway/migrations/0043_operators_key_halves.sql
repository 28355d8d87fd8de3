-- A key that an ADMIN made alone carries no power over money or operators until another one has added a second half to it.
-- Keys without made_by are of the command line, or older than this rule.
alter table operator_keys
  add column made_by text,
  add column second_hash bytea check (length(second_hash) = 32),
  add column seconded_by text,
  add column seconded_at timestamptz,
  add constraint operator_keys_second_check check (
    (second_hash is null) = (seconded_by is null)
    and (second_hash is null) = (seconded_at is null)
    and (second_hash is null or made_by <> seconded_by)
  );
