import type { Database, Statement } from '../../platform/database.ts'

/** One thing that is wrong in the books: which check found it and what exactly it saw. */
export interface Finding {
  readonly check: string
  readonly detail: string
}

interface Check {
  readonly name: string
  readonly statement: Statement
}

const FINDINGS_MAX = 100

/** Each returns one row per fault, as a text. */
const CHECKS: readonly Check[] = [
  check(
    'transfers_balance',
    `select format('transfer %s of merchant %s sums to %s %s', transfer_id, merchant_id, sum(amount), currency_code) as detail
    from ledger_postings group by merchant_id, transfer_id, currency_code having sum(amount) <> 0`,
  ),
  check(
    'transfers_have_postings',
    `select format('transfer %s of merchant %s has no postings', t.transfer_id, t.merchant_id) as detail
    from ledger_transfers t left join ledger_postings p using (merchant_id, transfer_id) where p.transfer_id is null`,
  ),
  check(
    'balances_equal_postings',
    `with summed as (
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
  ),
  check(
    'payments_are_booked',
    `select format('payin %s of merchant %s is %s but has %s booking(s) of its success', p.id_payment, p.merchant_id, p.status, count(t.*)) as detail
    from payments p left join ledger_transfers t
      on t.merchant_id = p.merchant_id and t.kind = p.kind and t.id_payment = p.id_payment and t.event = 'PAYIN_SUCCESS'
    where p.kind = 'PAYIN' group by p.merchant_id, p.kind, p.id_payment
    having count(t.*) <> case when p.status in ('SUCCESS', 'REVERSED') then 1 else 0 end`,
  ),
  check(
    'transfers_belong_to_payments',
    `select format('transfer %s of merchant %s belongs to no payment', t.transfer_id, t.merchant_id) as detail
    from ledger_transfers t left join payments p using (merchant_id, kind, id_payment) where p.id_payment is null`,
  ),
  check(
    'timelines_are_whole',
    `select format('%s %s of merchant %s has %s timeline rows instead of %s', p.kind, p.id_payment, p.merchant_id, count(l.*), p.timeline_count) as detail
    from payments p left join payment_timeline l using (merchant_id, kind, id_payment)
    group by p.merchant_id, p.kind, p.id_payment having count(l.*) <> p.timeline_count`,
  ),
  check(
    'status_is_the_last_of_the_timeline',
    `select format('%s %s of merchant %s is %s, its timeline ends with %s', p.kind, p.id_payment, p.merchant_id, p.status, l.status) as detail
    from payments p join payment_timeline l on l.merchant_id = p.merchant_id and l.kind = p.kind and l.id_payment = p.id_payment
      and l.entry_no = p.timeline_count where l.status <> p.status`,
  ),
  check(
    'changes_are_called_back',
    `with changes as (
      select merchant_id, kind, id_payment, entry_no, status,
        lag(status) over (partition by merchant_id, kind, id_payment order by entry_no) as before
      from payment_timeline)
    select format('%s %s of merchant %s: the change to %s has no callback', c.kind, c.id_payment, c.merchant_id, c.status) as detail
    from changes c join payments p using (merchant_id, kind, id_payment)
      left join callback_events e on e.merchant_id = c.merchant_id and e.kind = c.kind and e.id_entity = c.id_payment and e.timeline_entry_no = c.entry_no
    where c.before <> c.status and p.callback_url is not null and e.event_id is null`,
  ),
  check(
    'personal_data_belongs_to_payments',
    `select format('personal data of %s %s of merchant %s belongs to no payment', d.kind, d.id_payment, d.merchant_id) as detail
    from payment_personal_data d left join payments p using (merchant_id, kind, id_payment) where p.id_payment is null`,
  ),
]

function check(name: string, text: string): Check {
  return { name, statement: { name: `verify_${name}`, text: `${text} limit ${String(FINDINGS_MAX)}` } }
}

export interface Verification {
  readonly checks: readonly string[]
  readonly findings: readonly Finding[]
}

/** Recomputes every balance from the postings and looks for books that do not agree. No finding means: all is well. */
export async function verifyBooks(db: Database): Promise<Verification> {
  const findings: Finding[] = []
  for (const { name, statement } of CHECKS) {
    const rows = await db.rows<{ detail: string }>(statement, [])
    findings.push(...rows.map((row) => ({ check: name, detail: row.detail })))
  }
  return { checks: CHECKS.map((each) => each.name), findings }
}
