-- What narrows down a merchant's tokens. Merchants that are there keep what they may; new ones of a live gateway begin narrow.
alter table merchants
  -- The segments that requests may name, and that count; null means all.
  add column segments text[],
  -- Whether tokens for the payment page must carry the money.
  add column require_money_in_tokens boolean not null default false,
  -- Origins of callback and of return URLs; empty means none. Null means allowed_origins, of which empty means any.
  add column callback_origins text[],
  add column return_origins text[];
