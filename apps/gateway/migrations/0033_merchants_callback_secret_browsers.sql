-- A shared secret beside the public keys, for receivers that verify `v1` signatures, and where browsers may read payins from.
-- The secret itself derives from the root key, the merchant and the generation; nothing of it is stored.

alter table merchants
  -- Only ever grows: a secret that was removed never comes back.
  add column callback_secret_generation integer not null default 0 check (callback_secret_generation >= 0),
  -- How many of the latest generations sign: none, the current one, or the one before as well.
  add column callback_secrets_signing smallint not null default 0 check (callback_secrets_signing between 0 and 2),
  -- Origins from which a browser may read a payin with a token that permits that alone.
  add column browser_origins text[] not null default '{}';
