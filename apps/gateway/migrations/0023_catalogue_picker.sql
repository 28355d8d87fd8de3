-- What helps a customer to find a bank and to choose a way to pay. Nothing of it decides about payments.
alter table payment_operators
  -- From 1, the most used first; null is not shown among the most used.
  add column popular_rank integer check (popular_rank between 1 and 1000),
  add column bic text check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  -- Other names that people know it by and search for.
  add column aliases text[] not null default '{}' check (cardinality(aliases) <= 20);
alter table payment_methods
  -- How soon money is usually there; null where nobody can say.
  add column payin_speed text check (payin_speed in ('INSTANT', 'MINUTES', 'HOURS', 'DAYS'));
