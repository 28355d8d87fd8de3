-- Signed token requests that were seen, until their timestamp is no longer accepted: one that comes again after all tokens of
-- its merchant were revoked is refused, at every process and after every restart.
create table signed_token_requests (
  merchant_id bigint not null references merchants,
  -- The id of the token that the request stands for, which follows from its signature.
  jti text not null check (length(jti) between 1 and 64),
  -- merchants.token_generation when it was first seen.
  generation integer not null check (generation >= 0),
  expires_at timestamptz not null,
  primary key (merchant_id, jti)
);
create index signed_token_requests_by_end on signed_token_requests (expires_at);
