import type { Database, Tx } from '../database.ts'
import type { ChainedTable } from './chained.ts'
import { CHAIN_BEGINNING, type ChainHead, type ChainKey, firstKey, linkHash } from './model.ts'
import { type Candidate, type ChainStore, chainStoreOf, type LastEntry, type NewEntry } from './store.ts'

/** What a round of chaining did. */
interface ChainedRound {
  readonly entries: number
  /** Whether there may be more at once. */
  readonly isFull: boolean
}

/** Chains rows that are not in the chain yet. Any number may exist, in one process or many: one works at a time. */
export interface Chainer {
  /** One round: at most as many rows as the limit, in one transaction. */
  chain(): Promise<ChainedRound>
  /**
   * How long the row that comes next has been waiting, in seconds; 0 when all are chained. In a database that was
   * restored into another cluster it is the age of the row that is looked at next, until all were looked at.
   */
  findLagSeconds(): Promise<number>
}

const ROWS_PER_ROUND_MAX = 2_000

interface Round extends ChainedRound {
  readonly seen?: Seen
}

/** How far rows were looked at that were chained already, since the chain had this end. */
interface Seen {
  readonly end: ChainHead
  readonly key: ChainKey
}

export function createChainer(db: Database, table: ChainedTable, rowsMax = ROWS_PER_ROUND_MAX): Chainer {
  const store = chainStoreOf(table)
  let seen: Seen | undefined
  return {
    async chain() {
      const round = await db.transaction((tx) => chainOnce({ tx, store, table }, seen, rowsMax))
      seen = round.seen
      return { entries: round.entries, isFull: round.isFull }
    },
    async findLagSeconds() {
      const { last } = await store.findEnd(db)
      return store.findWaitSeconds(db, startOf(table, last, seen))
    },
  }
}

/** What a round works with. */
interface Chaining {
  readonly tx: Tx
  readonly table: ChainedTable
  readonly store: ChainStore
}

/**
 * Where the chain goes on: in the order of transactions, then of keys, behind its last entry. All rows of
 * transactions below the oldest open one are there to be seen, and no other can ever come between them, so nothing is
 * skipped; the same table has the same chain, however the rounds fall.
 *
 * A database that was restored into another cluster has a last entry whose xid says nothing here. What the other cluster
 * wrote and did not chain comes first; then everything is looked at again from the first row on, and what is in
 * the chain already is passed over, until an entry of this cluster is the last.
 */
async function chainOnce(chaining: Chaining, seen: Seen | undefined, rowsMax: number): Promise<Round> {
  const { tx, store, table } = chaining
  if (!(await store.tryLock(tx))) return { entries: 0, isFull: false, ...(seen && { seen }) }
  const { last, clusterId } = await store.findEnd(tx)
  if (last !== undefined && !last.isOfHere) {
    const left = await store.listFormerCandidates(tx, last.key, rowsMax)
    const { entries } = await append(chaining, last, { candidates: left, clusterId: last.clusterId })
    if (entries > 0) return { entries, isFull: true }
  }
  const candidates = await store.listCandidates(tx, startOf(table, last, seen), rowsMax)
  const { entries, head } = await append(chaining, last ?? CHAIN_BEGINNING, { candidates, clusterId })
  const key = candidates.at(-1)?.key
  const seenNow = key === undefined ? seen : { end: head, key }
  return { entries, isFull: candidates.length === rowsMax, ...(seenNow && { seen: seenNow }) }
}

function startOf(table: ChainedTable, last: LastEntry | undefined, seen: Seen | undefined): ChainKey {
  if (seen !== undefined && isSameHead(seen.end, last ?? CHAIN_BEGINNING)) return seen.key
  return last?.isOfHere === true ? last.key : firstKey(table)
}

const isSameHead = (one: ChainHead, other: ChainHead): boolean =>
  one.entryNo === other.entryNo && one.chainHash.equals(other.chainHash)

interface Found {
  readonly candidates: readonly Candidate[]
  /** Whose count their xids are of. */
  readonly clusterId: string
}

/** Chains the candidates that are not in the chain to the head; gives how many they were, and the head after them. */
async function append(
  { tx, store }: Chaining,
  from: ChainHead,
  found: Found,
): Promise<{ readonly entries: number; readonly head: ChainHead }> {
  const entries: NewEntry[] = []
  let head: ChainHead = from
  for (const { key, contentHash } of found.candidates) {
    if (contentHash === undefined) continue
    const entryNo = head.entryNo + 1
    head = { entryNo, chainHash: linkHash(head.chainHash, entryNo, contentHash) }
    entries.push({ ...head, key, contentHash })
  }
  if (entries.length > 0) await store.insertEntries(tx, entries, found.clusterId)
  return { entries: entries.length, head }
}

/** The last entry of a chain with its time; undefined while the chain is empty. */
export async function findHead(
  tx: Tx,
  table: ChainedTable,
): Promise<(ChainHead & { readonly chainedAt: Date }) | undefined> {
  const { last } = await chainStoreOf(table).findEnd(tx)
  return last && { entryNo: last.entryNo, chainHash: last.chainHash, chainedAt: last.chainedAt }
}

/**
 * How long the row that comes next has been waiting; 0 when all are chained. Undefined in a database that was restored into
 * another cluster, as long as the last entry is of the former one.
 */
export async function findWaitingSeconds(tx: Tx, table: ChainedTable): Promise<number | undefined> {
  const store = chainStoreOf(table)
  const { last } = await store.findEnd(tx)
  if (last?.isOfHere === false) return undefined
  return store.findWaitSeconds(tx, startOf(table, last, undefined))
}
