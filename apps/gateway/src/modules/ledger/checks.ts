/** A question to the whole database that has no answer while the books are right. */
export interface Check {
  readonly name: string
  /** Returns one row per fault, as a text `detail`. */
  readonly text: string
}

/** The ledger in itself: double entry, and balances that follow from it. */
export const LEDGER_CHECKS: readonly Check[] = [
  {
    name: 'transfers_balance',
    text: `select format('transfer %s of merchant %s sums to %s %s', transfer_id, merchant_id, sum(amount), currency_code) as detail
    from ledger_postings group by merchant_id, transfer_id, currency_code having sum(amount) <> 0`,
  },
  {
    name: 'transfers_have_postings',
    text: `select format('transfer %s of merchant %s has no postings', t.transfer_id, t.merchant_id) as detail
    from ledger_transfers t left join ledger_postings p using (merchant_id, transfer_id) where p.transfer_id is null`,
  },
  {
    name: 'postings_have_transfers',
    text: `select format('posting %s of transfer %s of merchant %s belongs to no transfer', p.posting_no, p.transfer_id, p.merchant_id) as detail
    from ledger_postings p left join ledger_transfers t using (merchant_id, transfer_id) where t.transfer_id is null`,
  },
  {
    name: 'balances_equal_postings',
    text: `with summed as (
      select merchant_id, currency_code,
        coalesce(sum(amount) filter (where account = 'AVAILABLE'), 0) as available,
        coalesce(sum(amount) filter (where account = 'NOT_SETTLED'), 0) as not_settled,
        coalesce(sum(amount) filter (where account = 'RESERVED'), 0) as reserved,
        coalesce(sum(amount) filter (where account = 'RECEIVABLE'), 0) as receivable
      from ledger_postings group by merchant_id, currency_code)
    select format('merchant %s %s: stored available %s, not settled %s, reserved %s, receivable %s; postings say %s, %s, %s, %s',
      merchant_id, currency_code, b.available, b.not_settled, b.reserved, b.receivable, s.available, s.not_settled, s.reserved, s.receivable) as detail
    from balances b full join summed s using (merchant_id, currency_code)
    where coalesce(b.available, 0) <> coalesce(s.available, 0) or coalesce(b.not_settled, 0) <> coalesce(s.not_settled, 0)
      or coalesce(b.reserved, 0) <> coalesce(s.reserved, 0) or coalesce(b.receivable, 0) <> coalesce(s.receivable, 0)`,
  },
  {
    name: 'balances_are_not_negative',
    text: `select format('merchant %s %s: available %s, not settled %s, reserved %s, receivable %s', merchant_id, currency_code,
      available, not_settled, reserved, receivable) as detail
    from balances where available < 0 or not_settled < 0 or reserved < 0 or receivable > 0`,
  },
]
