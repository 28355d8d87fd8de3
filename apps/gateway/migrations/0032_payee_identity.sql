-- What a digest of a block-list stands for: the payee that somebody named, another payee that the same line may mean, or the
-- digest that the account had before payees had an identity. The last is asked of payments from before only; rows from before
-- are PAYEE and stay in force. The old version reads every row.
alter table blocked_beneficiaries
  add column means text not null default 'PAYEE' check (means in ('PAYEE', 'SPELLING', 'FORMER'));
