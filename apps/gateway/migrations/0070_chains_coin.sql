-- The chain's own coin, beside tokens: what a transaction of a payment's address cost left it for the network, which is nobody's address;
-- and what it was given to pay for that came to no payment, so it left the other way round.
alter table chain_departures alter column to_address drop not null;
alter table chain_departures drop constraint chain_departures_amount_check;
alter table chain_departures add constraint chain_departures_amount_check check (amount <> 0 and (amount > 0 or to_address is not null));

-- What an address has is compared with what came to it, at every look.
create index chain_transfers_by_address on chain_transfers (chain_code, lower(address));
create index chain_departures_by_address on chain_departures (chain_code, address);
create index payments_with_wallet on payments (created_at) where instructions ? 'wallet';
