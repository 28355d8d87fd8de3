-- The volumes of all merchants together, which the first look of every operator asks for: adding up the rows of each merchant takes
-- seconds where there are many. Counted with payment_volumes, by whoever counts: docs/decisions/0044-volumes.md.

create table payment_house_volumes (
  step text not null check (step in ('HOUR', 'DAY')),
  -- In UTC.
  begins_at timestamptz not null,
  kind text not null,
  method_code text not null,
  currency_code text not null,
  entered text not null check (entered in ('CREATED', 'SUCCESS', 'LATE', 'FAILED', 'CANCELLED', 'EXPIRED', 'REVERSED')),
  payments bigint not null,
  amount numeric not null,
  primary key (step, begins_at, kind, method_code, currency_code, entered)
);

-- Who counts has the row of the marks locked: from here on nobody does, until this is committed.
-- A mark of its own: a process of the version before counts merchants alone, and what it leaves out is then counted behind it.
alter table payment_volume_marks add column house_counted_until timestamptz;
update payment_volume_marks set house_counted_until = counted_until;
alter table payment_volume_marks alter column house_counted_until set not null;

insert into payment_house_volumes
select step, begins_at, kind, method_code, currency_code, entered, sum(payments), sum(amount) from payment_volumes group by 1, 2, 3, 4, 5, 6;
