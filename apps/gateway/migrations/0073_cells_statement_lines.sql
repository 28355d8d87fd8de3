-- After a split both databases have the statement lines of before, and one of them decides on each: of a line that names a payment, the cell that has
-- its merchant; of any other, the cell whose account it came to (docs/cells.md, "Splitting a cell").
create function cell_of_line(of_merchant bigint, came_at timestamptz) returns text language sql stable as $$
  select case when of_merchant is not null then cell_of_merchant(of_merchant)
    else (select from_cell from cell_splits where opened_at > came_at order by split_no limit 1) end
$$;
create function refuse_line_elsewhere() returns trigger language plpgsql as $$
declare
  of_cell constant text := coalesce(cell_of_line(old.merchant_id, old.created_at), cell_of_merchant(new.merchant_id));
begin
  if of_cell is not null then
    raise exception 'The statement line % is decided in cell %.', new.line_id, of_cell using errcode = '23CEL';
  end if;
  return new;
end $$;
create trigger elsewhere before update on statement_lines for each row
  when ((new.state, new.open_amount) is distinct from (old.state, old.open_amount)) execute function refuse_line_elsewhere();
do $$
begin
  if not exists (select from cell_splits) then
    alter table statement_lines disable trigger elsewhere;
  end if;
end $$;
