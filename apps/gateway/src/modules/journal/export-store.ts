import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Arrival } from '../cells/index.ts'
import type { LedgerAccount } from '../ledger/index.ts'

/** A line of the accounting export. */
export interface BookedPosting {
  readonly entryNo: number
  /** Of the posting within its transfer, from 1. */
  readonly lineNo: number
  readonly transferId: string
  readonly merchantId: string
  /** Empty for what the house booked for itself. */
  readonly merchantCode: string
  readonly event: string
  readonly kind: string
  readonly idPayment: string
  readonly bookedAt: Date
  readonly account: LedgerAccount
  readonly currencyCode: string
  /** Credit above zero. */
  readonly amount: Amount
}

/** What was booked from one moment up to another. */
export interface Period {
  readonly from: Date
  readonly to: Date
}

const IS_OVER: Statement = {
  name: 'journal_is_over',
  // A booking has the time at which its transaction began. Whoever has just begun may not be listed yet: hence the second.
  text: `select $1 <= clock_timestamp() - interval '1 second' as is_past, not exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' and xact_start < $1) as is_done`,
}
const FIND_SPAN: Statement = {
  name: 'journal_find_span',
  text: `select min(j.entry_no)::text as first, max(j.entry_no)::text as last,
      count(*) filter (where j.entry_no is null)::int as unchained
    from ledger_transfers t left join ledger_journal j using (merchant_id, transfer_id)
    where t.created_at >= $1 and t.created_at < $2`,
}

/** Entries of the journal, both ends among them. */
export interface Span {
  readonly first: number
  readonly last: number
}

/**
 * Where the period lies in the journal; undefined where nothing was booked. `FUTURE` while it is not over, `GROWING` while bookings
 * of it may still come into the journal.
 */
export async function findSpan(
  tx: Tx,
  { from, to }: Period,
): Promise<Span | 'FUTURE' | 'GROWING' | undefined> {
  // First who is still at work, then what is there: the other way round, what ends in between would be overlooked.
  const [now] = await tx.rows<{ is_past: boolean; is_done: boolean }>(IS_OVER, [to])
  if (now?.is_past !== true) return 'FUTURE'
  if (!now.is_done) return 'GROWING'
  const [row] = await tx.rows<{ first: string | null; last: string | null; unchained: number }>(FIND_SPAN, [
    from,
    to,
  ])
  if (row === undefined || row.unchained > 0) return 'GROWING'
  const { first, last } = row
  return first === null || last === null ? undefined : { first: Number(first), last: Number(last) }
}

const LIST_POSTINGS: Statement = {
  name: 'journal_list_postings',
  text: `select j.entry_no::text, p.posting_no::int as line_no, j.transfer_id::text, j.merchant_id::text, t.event, t.kind, t.id_payment,
      t.created_at, p.account, p.currency_code, p.amount::text
    from (select * from ledger_journal where entry_no >= $1 and entry_no <= $2) j
      join ledger_transfers t on t.merchant_id = j.merchant_id and t.transfer_id = j.transfer_id
      join ledger_postings p on p.merchant_id = j.merchant_id and p.transfer_id = j.transfer_id
    where t.created_at >= $3 and t.created_at < $4 and ($5::text is null or p.currency_code = $5)
      and (j.xid, j.cluster_id) not in (select x, c from unnest($6::xid8[], $7::bigint[]) as a(x, c))
    order by j.entry_no, p.posting_no`,
}

interface PostingRow {
  readonly entry_no: string
  readonly line_no: number
  readonly transfer_id: string
  readonly merchant_id: string
  readonly event: string
  readonly kind: string
  readonly id_payment: string
  readonly created_at: Date
  readonly account: LedgerAccount
  readonly currency_code: string
  readonly amount: string
}

/** Postings of the period that are in these entries, in the order of the journal. Without those that came with merchants of another cell. */
export async function listPostings(
  tx: Tx,
  entries: Span,
  {
    from,
    to,
    currencyCode,
    arrivals,
  }: Period & {
    readonly currencyCode: string | undefined
    readonly arrivals: readonly Arrival[]
  },
): Promise<readonly Omit<BookedPosting, 'merchantCode'>[]> {
  const brought = [arrivals.map(({ xid }) => xid), arrivals.map(({ clusterId }) => clusterId)]
  const values = [entries.first, entries.last, from, to, currencyCode ?? null, ...brought]
  return (await tx.rows<PostingRow>(LIST_POSTINGS, values)).map((row) => ({
    entryNo: Number(row.entry_no),
    lineNo: row.line_no,
    transferId: row.transfer_id,
    merchantId: row.merchant_id,
    event: row.event,
    kind: row.kind,
    idPayment: row.id_payment,
    bookedAt: row.created_at,
    account: row.account,
    currencyCode: row.currency_code,
    amount: parsePlainAmount(row.amount),
  }))
}
