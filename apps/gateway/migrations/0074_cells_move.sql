-- A merchant moves into a cell that has a past of its own (docs/cells.md, "Moving a merchant").

-- The letter of the cell that this database is, from the first start with one on. What a split says of it counts before it.
create table cell_letter (
  is_the_one boolean primary key default true check (is_the_one),
  letter text not null check (letter ~ '^[0-9A-HJKMNP-TV-Z]$')
);
create function cell_notes_stay() returns trigger language plpgsql as $$
begin
  raise exception 'what was noted of cells stays as it was noted' using errcode = 'restrict_violation';
end $$;
create trigger cell_letter_kept before delete or update or truncate on cell_letter for each statement execute function cell_notes_stay();

-- A move has a row in both databases. RELEASED: the merchant ended here; RETURNED: it was given up, and the merchant went on here.
-- ARRIVED: the merchant goes on here; REFUSED: it was given up, and can arrive no more.
create table cell_moves (
  move_no bigint generated always as identity primary key,
  move_id uuid not null unique,
  merchant_id bigint not null,
  from_cell text not null check (from_cell ~ '^[0-9A-HJKMNP-TV-Z]$'),
  to_cell text not null check (to_cell ~ '^[0-9A-HJKMNP-TV-Z]$' and to_cell <> from_cell),
  state text not null check (state in ('RELEASED', 'RETURNED', 'ARRIVED', 'REFUSED')),
  noted_at timestamptz not null default clock_timestamp(),
  -- Of ARRIVED: the transaction that wrote the merchant's rows, and whose count it is of. What it booked, another cell has accounted for.
  xid xid8 not null default pg_current_xact_id(),
  cluster_id bigint not null,
  -- Of ARRIVED, noted afterwards: an end of the other cell's journal, with all that it had booked for the merchant.
  journal_head text check (journal_head is null or state = 'ARRIVED')
);
create index cell_moves_by_merchant on cell_moves (merchant_id, move_no);
create trigger cell_moves_kept before delete or truncate on cell_moves for each statement execute function cell_notes_stay();
create trigger cell_moves_noted_once before update on cell_moves for each row
  when ((to_jsonb(old) || case old.state when 'RELEASED' then '{"state": "RETURNED"}' when 'ARRIVED' then jsonb_build_object('journal_head', new.journal_head)
      else '{}' end) <> to_jsonb(new) or old.journal_head is not null)
  execute function cell_notes_stay();
create trigger cell_moves_audited after insert or update on cell_moves
  for each row execute function audit_change('from_cell to_cell state journal_head', '', 'move_id');
