-- The pictures that stand for merchants on the payment page. What comes in here was judged before, and an SVG drawn anew.
create table merchant_logos (
  merchant_id bigint primary key references merchants,
  -- SHA-256 of the content in hex: the picture's public address.
  content_hash text not null check (content_hash = encode(sha256(content), 'hex')),
  media_type text not null check (media_type in ('image/png', 'image/jpeg', 'image/webp', 'image/svg+xml')),
  content bytea not null check (octet_length(content) between 1 and 32768),
  -- In pixels, as the picture itself says.
  width integer not null check (width between 1 and 1024),
  height integer not null check (height between 1 and 1024),
  created_at timestamptz not null default clock_timestamp()
);
create index merchant_logos_by_hash on merchant_logos (content_hash);
create trigger merchant_logos_changed after insert or update or delete on merchant_logos
  for each row execute function note_configuration_change('MERCHANT', 'by_merchant');
