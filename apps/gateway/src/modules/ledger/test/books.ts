import { parsePlainAmount } from '@tollgate/money'
import { runSql, type SqlRow, type TestLife } from '@tollgate/testkit'
import type { Database } from '../../../platform/database.ts'
import { randomIds } from '../../../platform/ids.ts'
import { testPostgres } from '../../../platform/test/postgres.ts'
import type { LedgerEntry } from '../model.ts'
import { bookEntries } from '../service.ts'

const POOL_MAX = 8

/** Balances as they are stored, without trailing zeros. */
export const BALANCES_AS_STORED = `select merchant_id, currency_code, trim_scale(available)::text as available,
    trim_scale(not_settled)::text as not_settled, trim_scale(reserved)::text as reserved, trim_scale(receivable)::text as receivable
  from balances order by merchant_id, currency_code collate "C"`

/** The same, as the postings say. */
export const BALANCES_FROM_POSTINGS = `select merchant_id, currency_code,
    ${['AVAILABLE', 'NOT_SETTLED', 'RESERVED', 'RECEIVABLE']
      .map(
        (account) =>
          `trim_scale(coalesce(sum(amount) filter (where account = '${account}'), 0))::text as ${account.toLowerCase()}`,
      )
      .join(', ')}
  from ledger_postings group by merchant_id, currency_code order by merchant_id, currency_code collate "C"`

/** A ledger of the test's own. */
export interface Books {
  readonly db: Database
  /** Books the entries in a transaction of their own. */
  book(...entries: readonly LedgerEntry[]): Promise<void>
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Runs a statement in a transaction that stays open until it is released. */
  hold(text: string): Promise<{ release(): Promise<unknown> }>
  /** All that is in the ledger. */
  snapshot(): Promise<readonly (readonly SqlRow[])[]>
}

/** A database of the test's own with the ledger's service on it. */
export async function openBooks(t: TestLife): Promise<Books> {
  const { url, db, outside } = await testPostgres(t, POOL_MAX)
  const sql: Books['sql'] = (text, values) => runSql(url, text, values)
  return {
    db,
    book: (...entries) => db.transaction((tx) => bookEntries(tx, entries)),
    sql,
    async hold(text) {
      await outside.query('begin')
      await outside.query(text)
      return { release: () => outside.query('rollback') }
    },
    snapshot: () =>
      Promise.all([
        sql('select * from ledger_transfers order by merchant_id, transfer_id'),
        sql('select * from ledger_postings order by merchant_id, transfer_id, posting_no'),
        sql(BALANCES_AS_STORED),
      ]),
  }
}

let entries = 0

/** The given members of an entry; amounts as plain texts. */
interface Given extends Partial<Omit<LedgerEntry, 'gross' | 'fee'>> {
  readonly gross?: string
  readonly fee?: string
}

/** The success of a payin of 10 EUR without a fee; every call makes another one. */
export function payin({ gross = '10', fee = '0', ...given }: Given = {}): LedgerEntry {
  entries += 1
  return {
    transferId: randomIds.uuid(),
    merchantId: '1',
    event: 'PAYIN_SUCCESS',
    kind: 'PAYIN',
    idPayment: `order-${entries}`,
    currencyCode: 'EUR',
    ...given,
    gross: parsePlainAmount(gross),
    fee: parsePlainAmount(fee),
  }
}

/** The recall of a payin. */
export const reversal = (paid: LedgerEntry): LedgerEntry => ({
  ...paid,
  transferId: randomIds.uuid(),
  event: 'PAYIN_REVERSED',
})
