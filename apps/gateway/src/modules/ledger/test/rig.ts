import { parsePlainAmount } from '@tollgate/money'
import { randomIds } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'
import type { LedgerEntry } from '../model.ts'
import { bookEntries } from '../service.ts'

/** A database of the test's own, through the product and behind its back. */
export interface Rig {
  readonly db: Database
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  book(...entries: readonly LedgerEntry[]): Promise<void>
}

export async function openRig(t: TestLife): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'ledger test' })
  t.after(() => db.close())
  return {
    db,
    sql: (text, values) => runSql(url, text, values),
    book: (...entries) => db.transaction((tx) => bookEntries(tx, entries)),
  }
}

/** A payin of 100 EUR with a fee of 3 that succeeded; every call makes another one. */
export function entryOf(
  given: Partial<Omit<LedgerEntry, 'gross' | 'fee'>> & {
    readonly gross?: string
    readonly fee?: string
  } = {},
): LedgerEntry {
  const transferId = randomIds.uuid()
  return {
    transferId,
    merchantId: '1',
    event: 'PAYIN_SUCCESS',
    kind: 'PAYIN',
    idPayment: `order-${transferId}`,
    currencyCode: 'EUR',
    ...given,
    gross: parsePlainAmount(given.gross ?? '100'),
    fee: parsePlainAmount(given.fee ?? '3'),
  }
}
