import { parsePlainAmount } from '@tollgate/money'
import { randomIds } from '@tollgate/runtime'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { type Chainer, type ChainHead, createChainer } from '../../../platform/chain/index.ts'
import type { Database, Statement, Tx } from '../../../platform/database.ts'
import { type TestPostgres, testPostgres } from '../../../platform/test/index.ts'
import { bookEntries, type LedgerEntry } from '../../ledger/index.ts'
import { JOURNAL } from '../chained.ts'
import { type JournalEntry, listEntries } from '../store.ts'
import { verifyJournal } from '../verification.ts'

/** A ledger with its journal, and a session on which nothing holds anything together. */
export interface JournalRig {
  readonly db: Database
  /** A session without triggers and foreign keys. */
  readonly outside: TestPostgres['outside']
  book(...entries: readonly LedgerEntry[]): Promise<void>
  /** Books so many payins, each in a transaction of its own. */
  bookMany(count: number): Promise<void>
  /** Chains everything that is booked. */
  chainAll(chainer?: Chainer): Promise<void>
  /** Waits until every transfer could be chained. */
  untilNothingIsOpen(): Promise<void>
  /** Resolves when so many sessions of the database wait for a lock. */
  untilWaiting(sessions: number): Promise<void>
  /** All entries, in their order. */
  journal(): Promise<readonly JournalEntry[]>
  /** `check: detail` of each finding, as the session outside sees the database. */
  findings(head?: ChainHead): Promise<readonly string[]>
}

const COUNT_UNCHAINED = `select count(*)::int as n from ledger_transfers t left join ledger_journal j using (merchant_id, transfer_id)
  where j.entry_no is null`
const LIST_HELD_BACK = 'select 1 from ledger_transfers where xid >= pg_snapshot_xmin(pg_current_snapshot())'
const LIST_WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
const ENTRIES_MAX = 100_000

export async function openJournalRig(t: TestLife): Promise<JournalRig> {
  const { db, outside } = await testPostgres(t, 8)
  await outside.query('set session_replication_role = replica')
  const book = (...entries: readonly LedgerEntry[]) => db.transaction((tx) => bookEntries(tx, entries))
  return {
    db,
    outside,
    book,
    async bookMany(count) {
      for (let done = 0; done < count; done += 1) await book(entryOf())
    },
    async chainAll(chainer = createChainer(db, JOURNAL)) {
      // A transaction of another test, in another database of this cluster, may hold it up for a while.
      await waitUntil(
        async () => {
          await chainer.chain()
          const { rows } = await outside.query<{ n: number }>(COUNT_UNCHAINED)
          return rows[0]?.n === 0
        },
        { timeoutMs: 60_000, what: 'all transfers to be chained' },
      )
    },
    untilNothingIsOpen: () =>
      waitUntil(async () => (await outside.query(LIST_HELD_BACK)).rowCount === 0, {
        timeoutMs: 60_000,
        what: 'the transactions of other tests to end',
      }),
    untilWaiting: (sessions) =>
      waitUntil(async () => (await outside.query(LIST_WAITING)).rowCount === sessions, {
        timeoutMs: 20_000,
        what: `${sessions} sessions that wait for a lock`,
      }),
    journal: () => listEntries(db, 1, ENTRIES_MAX),
    async findings(head) {
      const { findings } = await verifyJournal(txOf(outside), { ...(head && { head }) })
      return findings.map(({ check, detail }) => `${check}: ${detail}`)
    },
  }
}

function txOf(client: TestPostgres['outside']): Tx {
  return {
    rows: async <Row extends object>({ name, text }: Statement, values: readonly unknown[]) =>
      (await client.query<Row>({ name, text, values: [...values] })).rows,
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
