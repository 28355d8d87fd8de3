-- One statement writes a transfer with all of its postings, so what it inserted is all there is to sum up: nothing is looked
-- up. The foreign key looked up and locked the transfer for each posting, by a plan that was kept from when the table was
-- small: it then read every transfer of the merchant. `tollgate verify` finds postings that belong to no transfer.
alter table ledger_postings drop constraint ledger_postings_merchant_id_transfer_id_fkey;

create or replace function ledger_postings_must_balance() returns trigger language plpgsql as $$
declare
  unbalanced record;
begin
  select merchant_id, transfer_id, currency_code, sum(amount) as total into unbalanced
    from inserted_postings group by 1, 2, 3 having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'transfer % does not balance: % % too much', unbalanced.transfer_id, unbalanced.total, unbalanced.currency_code
      using errcode = 'check_violation';
  end if;
  return null;
end $$;
