-- What proved a change of status, and the operators it rests on. A change of phase and the acceptance of a payment need no
-- proof, and have nothing here.
alter table payment_timeline
  add column evidence_class text,
  add column operators text[],
  -- How many different operators that change took.
  add column operators_needed smallint,
  -- The mark of what is exempt from `ledger check`: rows from before, and those of the version before while it still runs,
  -- which knows nothing of evidence. This version writes false with every change of status.
  add column is_without_evidence boolean not null default true;
