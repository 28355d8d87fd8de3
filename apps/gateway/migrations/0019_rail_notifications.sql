-- What institutions tell us on their own: each message is stored before it is answered, and applied afterwards.
-- These tables are the house's own, not a merchant's: whose payment a message is about is what is found out.

create table rail_notifications (
  notification_no bigint generated always as identity primary key,
  -- Made anew for every message that comes in: tells our own insert from a repeat when the answer of a COMMIT was lost.
  nonce uuid not null unique,
  rail_code text not null,
  -- The institution's own id of the message; null where it cannot be read.
  id_notification text check (length(id_notification) between 1 and 250),
  -- Keyed digest of what it says: the same id with other content is another message.
  content_digest bytea not null,
  -- PENDING until a worker has looked at it. APPLIED changed its payment; KNOWN said nothing new.
  state text not null check (state in ('PENDING', 'APPLIED', 'KNOWN', 'QUARANTINED')),
  reason text check (reason in ('UNREADABLE', 'ID_REUSED', 'REFERENCE_UNKNOWN', 'RAIL_DIFFERS', 'MERCHANT_DIFFERS',
    'DIRECTION_DIFFERS', 'MONEY_DIFFERS', 'CONTRADICTS', 'FAULT')),
  -- For people, without persons.
  detail text,
  -- What it says, and of which payment: as told, before anything is compared.
  reference text,
  merchant_code text,
  report text,
  -- The payment that it was found to be about.
  merchant_id bigint,
  kind text,
  id_payment text,
  -- How often it came again.
  repeats integer not null default 0 check (repeats >= 0),
  -- The message as it came, encrypted with a key of its own, since it may name persons. Erased once nobody needs it.
  data_key bytea,
  sealed bytea,
  attempts integer not null default 0,
  -- A worker that claims the message moves this to the end of its lease, so that a crash makes it due again.
  due_at timestamptz not null default clock_timestamp(),
  lease_token uuid,
  received_at timestamptz not null default clock_timestamp(),
  done_at timestamptz,
  check ((state = 'QUARANTINED') = (reason is not null)),
  check ((state = 'PENDING') = (done_at is null)),
  check ((data_key is null) = (sealed is null)),
  check (state <> 'PENDING' or sealed is not null),
  check ((merchant_id is null) = (kind is null) and (merchant_id is null) = (id_payment is null))
);
create unique index rail_notifications_by_content on rail_notifications (rail_code, id_notification, content_digest) nulls not distinct;
create index rail_notifications_due on rail_notifications (due_at) where state = 'PENDING';
create index rail_notifications_quarantined on rail_notifications (notification_no) where state = 'QUARANTINED';
create index rail_notifications_done on rail_notifications (done_at) where done_at is not null;

-- Messages that do not prove where they come from: the last thousand of each rail, so that forging fills no disk.
create sequence rail_forgeries_no;
create table rail_forgeries (
  rail_code text not null,
  slot integer not null check (slot between 0 and 999),
  forgery_no bigint not null,
  why text not null,
  -- Where it came from, and its first bytes, encrypted: an institution with a wrong secret may name persons.
  address text not null,
  byte_count integer not null check (byte_count >= 0),
  sealed bytea not null,
  received_at timestamptz not null,
  primary key (rail_code, slot)
);
