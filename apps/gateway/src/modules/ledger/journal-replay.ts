import { type Amount, addAmounts, isNegative, negateAmount, parsePlainAmount, ZERO } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { BalanceDelta } from './model.ts'

const MERCHANTS_OWN = `('AVAILABLE', 'NOT_SETTLED', 'RESERVED', 'RECEIVABLE')`
/** What a merchant owes is kept below zero: turned round, no account may ever fall below zero. */
const UPWARD = `case p.account when 'RECEIVABLE' then -p.amount else p.amount end`
const FIND_PAGE: Statement = {
  name: 'journal_find_page',
  text: `select max(entry_no)::text as until from (select entry_no from ledger_journal where entry_no > $1 order by entry_no limit $2) page`,
}
const LIST_SUMS: Statement = {
  name: 'journal_list_sums',
  // `offset 0` keeps the postings from being joined, for which all of them would be read for every page.
  text: `with line as (
      select p.merchant_id, p.currency_code, p.account, ${UPWARD} as amount,
        sum(${UPWARD}) over (partition by p.merchant_id, p.currency_code, p.account order by j.entry_no) as reached
      from ledger_journal j cross join lateral (
        select * from ledger_postings where merchant_id = j.merchant_id and transfer_id = j.transfer_id offset 0) p
      where j.entry_no > $1 and j.entry_no <= $2 and p.account in ${MERCHANTS_OWN})
    select merchant_id::text, currency_code, account, sum(amount)::text as total, min(reached)::text as lowest
    from line group by merchant_id, currency_code, account`,
}
/**
 * The order of the journal is that in which transactions began to write, and a transaction may spend what one that began
 * later has brought: so a sum below zero counts only when all that came in behind it, and was begun before it was chained,
 * does not make up for it. The clock of another cluster may differ by a minute.
 */
const FIND_DIP: Statement = {
  name: 'journal_find_dip',
  text: `with line as (
      select j.entry_no, j.chained_at, t.created_at, sum(${UPWARD}) as amount
      from ledger_postings p join ledger_transfers t using (merchant_id, transfer_id) join ledger_journal j using (merchant_id, transfer_id)
      where p.merchant_id = $1 and p.currency_code = $2 and p.account = $3 group by 1, 2, 3),
    running as (
      select *, sum(amount) over before_it as reached, sum(greatest(amount, 0)) over before_it as came_in
      from line window before_it as (order by entry_no)),
    moment as (
      select created_at as at, entry_no as begun, null::bigint as asked from line
      union all select chained_at + interval '1 minute', null, entry_no from running where reached < 0),
    horizon as (select asked, max(begun) over (order by at) as entry_no from moment)
    select dip.entry_no::text, dip.reached::text from running dip join horizon h on h.asked = dip.entry_no
      join running later on later.entry_no = greatest(h.entry_no, dip.entry_no)
    where dip.reached + later.came_in - dip.came_in < 0 order by dip.entry_no limit 1`,
}

const ENTRIES_PER_PAGE = 5_000

const MEMBER = {
  AVAILABLE: 'available',
  NOT_SETTLED: 'notSettled',
  RESERVED: 'reserved',
  RECEIVABLE: 'receivable',
} as const
type OwnAccount = keyof typeof MEMBER

interface SumRow {
  readonly merchant_id: string
  readonly currency_code: string
  readonly account: OwnAccount
  readonly total: string
  readonly lowest: string
}

/** What one account of a merchant came to; RECEIVABLE with the opposite sign. */
interface Account extends Pick<BalanceDelta, 'merchantId' | 'currencyCode'> {
  readonly account: OwnAccount
  readonly sum: Amount
  readonly mayHaveDipped: boolean
}

/**
 * Walks the journal in its order and adds up what every merchant has, from the chained transfers alone. In the order of
 * merchant and currency. Memory grows with the number of balances, not with the journal.
 */
export async function replayBalances(tx: Tx): Promise<readonly BalanceDelta[]> {
  const balances = new Map<string, BalanceDelta>()
  for (const { merchantId, currencyCode, account, sum } of await replayAccounts(tx)) {
    const key = `${merchantId.padStart(20, '0')} ${currencyCode}`
    const balance = balances.get(key) ?? {
      merchantId,
      currencyCode,
      available: ZERO,
      notSettled: ZERO,
      reserved: ZERO,
      receivable: ZERO,
    }
    balances.set(key, { ...balance, [MEMBER[account]]: account === 'RECEIVABLE' ? negateAmount(sum) : sum })
  }
  return [...balances.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, balance]) => balance)
}

/** Accounts that were below zero at some point of the journal, each with its first one, at most so many. */
export async function listDips(tx: Tx, dipsMax: number): Promise<readonly string[]> {
  const dips: string[] = []
  for (const { merchantId, currencyCode, account, mayHaveDipped } of await replayAccounts(tx)) {
    if (!mayHaveDipped || dips.length >= dipsMax) continue
    const values = [merchantId, currencyCode, account]
    const [dip] = await tx.rows<{ entry_no: string; reached: string }>(FIND_DIP, values)
    if (dip === undefined) continue
    const amount = parsePlainAmount(dip.reached)
    const shown = account === 'RECEIVABLE' ? negateAmount(amount) : amount
    dips.push(`merchant ${merchantId}: ${account} was ${shown} ${currencyCode} at entry ${dip.entry_no}`)
  }
  return dips
}

async function replayAccounts(tx: Tx): Promise<Iterable<Account>> {
  const accounts = new Map<string, Account>()
  let afterNo = '0'
  for (;;) {
    const [page] = await tx.rows<{ until: string | null }>(FIND_PAGE, [afterNo, ENTRIES_PER_PAGE])
    const untilNo = page?.until ?? null
    if (untilNo === null) return accounts.values()
    for (const row of await tx.rows<SumRow>(LIST_SUMS, [afterNo, untilNo])) {
      const key = `${row.merchant_id} ${row.currency_code} ${row.account}`
      accounts.set(key, addUp(accounts.get(key), row))
    }
    afterNo = untilNo
  }
}

function addUp(before: Account | undefined, row: SumRow): Account {
  const sum = before?.sum ?? ZERO
  const lowest = addAmounts(sum, parsePlainAmount(row.lowest))
  return {
    merchantId: row.merchant_id,
    currencyCode: row.currency_code,
    account: row.account,
    sum: addAmounts(sum, parsePlainAmount(row.total)),
    mayHaveDipped: before?.mayHaveDipped === true || isNegative(lowest),
  }
}
