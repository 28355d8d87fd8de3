-- Whether institutions are there: as the workers see it, and as people say it. An institution is a payment operator (a bank,
-- a wallet) or, for payments that go through none, the rail itself. Of the installation, so merchants do not come in.
create table institution_results (
  institution_type text not null check (institution_type in ('OPERATOR', 'RAIL')),
  institution_code text not null,
  direction text not null check (direction in ('PAYIN', 'PAYOUT')),
  -- Ten seconds; what all workers saw in them.
  slot_at timestamptz not null,
  answered integer not null check (answered >= 0),
  -- The rail failed, gave no answer in time, or could not say what became of the payment.
  unanswered integer not null check (unanswered >= 0),
  primary key (institution_type, institution_code, direction, slot_at)
);

create table institution_health (
  institution_type text not null check (institution_type in ('OPERATOR', 'RAIL')),
  institution_code text not null,
  direction text not null check (direction in ('PAYIN', 'PAYOUT')),
  observed text not null default 'OPERATIONAL' check (observed in ('OPERATIONAL', 'DELAYED', 'CLOSED')),
  observed_since timestamptz not null default clock_timestamp(),
  -- What people say wins, until then or for good.
  by_hand text check (by_hand in ('OPERATIONAL', 'DELAYED', 'CLOSED')),
  by_hand_until timestamptz,
  by_hand_since timestamptz,
  by_hand_reason text check (length(by_hand_reason) between 1 and 250),
  -- operators.operator_code
  by_hand_operator text,
  primary key (institution_type, institution_code, direction),
  check ((by_hand is null) = (by_hand_reason is null)),
  check ((by_hand is null) = (by_hand_operator is null)),
  check ((by_hand is null) = (by_hand_since is null)),
  check (by_hand is not null or by_hand_until is null)
);
-- The catalogue of every process is made of it, too.
create trigger institution_health_changed after insert or update or delete on institution_health
  for each row execute function note_configuration_change('CATALOGUE', 'for_all');
