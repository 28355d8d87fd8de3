import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'

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

/** The accounts that keep a balance. */
export type OwnAccount = 'AVAILABLE' | 'NOT_SETTLED' | 'RESERVED' | 'RECEIVABLE'

/** An account of a merchant in one currency. */
interface AccountKey {
  readonly merchantId: string
  readonly currencyCode: string
  readonly account: OwnAccount
}

/** What a page of the journal does to one account; RECEIVABLE with the opposite sign. */
export interface AccountSum extends AccountKey {
  readonly total: Amount
  /** The lowest sum behind any entry of the page, from 0 before it. */
  readonly lowest: Amount
}

/** A sum below zero that nothing explains, and the entry behind which it was reached; RECEIVABLE with the opposite sign. */
interface Dip {
  readonly entryNo: number
  readonly reached: Amount
}

interface SumRow {
  readonly merchant_id: string
  readonly currency_code: string
  readonly account: OwnAccount
  readonly total: string
  readonly lowest: string
}

/** The number of the last entry of the page behind the number; undefined behind the last one. */
export async function findPageEnd(tx: Tx, afterNo: number, entries: number): Promise<number | undefined> {
  const [page] = await tx.rows<{ until: string | null }>(FIND_PAGE, [afterNo, entries])
  const until = page?.until ?? null
  return until === null ? undefined : Number(until)
}

/** What the entries behind one number and up to another do to each account. */
export async function listSums(tx: Tx, afterNo: number, untilNo: number): Promise<readonly AccountSum[]> {
  const rows = await tx.rows<SumRow>(LIST_SUMS, [afterNo, untilNo])
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    currencyCode: row.currency_code,
    account: row.account,
    total: parsePlainAmount(row.total),
    lowest: parsePlainAmount(row.lowest),
  }))
}

/** The first time that the account was below zero. Reads all that was ever booked on it. */
export async function findDip(
  tx: Tx,
  { merchantId, currencyCode, account }: AccountKey,
): Promise<Dip | undefined> {
  const values = [merchantId, currencyCode, account]
  const [row] = await tx.rows<{ entry_no: string; reached: string }>(FIND_DIP, values)
  return row && { entryNo: Number(row.entry_no), reached: parsePlainAmount(row.reached) }
}
