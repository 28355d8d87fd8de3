-- What merchants' developers see of their requests in a sandbox. Live writes nothing here.
create unlogged table sandbox_requests (
  -- As the request claims it where nothing is proven, and so of no merchant that must exist.
  merchant_code text not null,
  request_no bigint generated always as identity,
  is_proven boolean not null,
  request_id text not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  says text[] not null,
  took_ms real not null,
  answered_at timestamptz not null default clock_timestamp(),
  primary key (merchant_code, request_no)
);
create index sandbox_requests_by_no on sandbox_requests (request_no);
