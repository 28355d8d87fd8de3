-- The people who operate the gateway. What each role may do is in the code; here is who has which.
create table operators (
  operator_id bigint generated always as identity primary key,
  operator_code text not null unique check (operator_code ~ '^[a-z0-9._-]{2,64}$'),
  name text not null check (length(name) between 1 and 140),
  roles text[] not null check (
    cardinality(roles) between 1 and 6
    and roles <@ array['AUDITOR', 'SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN']
    -- Who makes operators could make a second one, and approve by both.
    and not roles @> array['ADMIN', 'APPROVER']
  ),
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'DISABLED')),
  created_at timestamptz not null default now()
);

create table operator_keys (
  operator_id bigint not null references operators,
  key_id text not null,
  -- HMAC-SHA-256 of the key under a key derived from the master key: the key has 256 bits, so a fast hash is enough.
  key_hash bytea not null unique check (length(key_hash) = 32),
  created_at timestamptz not null default now(),
  expires_at timestamptz check (expires_at > created_at),
  removed_at timestamptz,
  primary key (operator_id, key_id)
);
