import type { Database, Tx } from '../../platform/database.ts'
import { CHAIN_BEGINNING, FIRST_KEY, type JournalHead, linkHash, type TransferKey } from './model.ts'
import {
  type Candidate,
  findJournalEnd,
  findWaitSeconds,
  insertEntries,
  type LastEntry,
  listCandidates,
  listFormerCandidates,
  type NewEntry,
  tryLockJournal,
} from './store.ts'

/** What a round of chaining did. */
interface ChainedRound {
  readonly entries: number
  /** Whether there may be more at once. */
  readonly isFull: boolean
}

/** Chains transfers that are not in the journal yet. Any number may exist, in one process or many: one works at a time. */
export interface Chainer {
  /** One round: at most as many transfers as the limit, in one transaction. */
  chain(): Promise<ChainedRound>
  /**
   * How long the transfer that comes next has been waiting, in seconds; 0 when all are chained. In a ledger that was
   * restored into another cluster it is the age of the transfer that is looked at next, until all were looked at.
   */
  findLagSeconds(): Promise<number>
}

const TRANSFERS_PER_ROUND_MAX = 2_000

interface Round extends ChainedRound {
  readonly seen?: Seen
}

/** How far transfers were looked at that were chained already, since the journal had this end. */
interface Seen {
  readonly end: JournalHead
  readonly key: TransferKey
}

export function createChainer(db: Database, transfersMax = TRANSFERS_PER_ROUND_MAX): Chainer {
  let seen: Seen | undefined
  return {
    async chain() {
      const round = await db.transaction((tx) => chainOnce(tx, seen, transfersMax))
      seen = round.seen
      return { entries: round.entries, isFull: round.isFull }
    },
    async findLagSeconds() {
      const { last } = await findJournalEnd(db)
      return findWaitSeconds(db, startOf(last, seen))
    },
  }
}

/**
 * Where the journal goes on: in the order of (xid, merchant, transfer), behind its last entry. All transfers of
 * transactions below the oldest open one are there to be seen, and no other can ever come between them, so nothing is
 * skipped; the same ledger has the same chain, however the rounds fall.
 *
 * A ledger that was restored into another cluster has a last entry whose xid says nothing here. What the other cluster
 * wrote and did not chain comes first; then everything is looked at again from the first transfer on, and what is in
 * the journal already is passed over, until an entry of this cluster is the last.
 */
async function chainOnce(tx: Tx, seen: Seen | undefined, transfersMax: number): Promise<Round> {
  if (!(await tryLockJournal(tx))) return { entries: 0, isFull: false, ...(seen && { seen }) }
  const { last, clusterId } = await findJournalEnd(tx)
  if (last !== undefined && !last.isOfHere) {
    const left = await listFormerCandidates(tx, last.key, transfersMax)
    const { entries } = await append(tx, last, { candidates: left, clusterId: last.clusterId })
    if (entries > 0) return { entries, isFull: true }
  }
  const candidates = await listCandidates(tx, startOf(last, seen), transfersMax)
  const { entries, head } = await append(tx, last ?? CHAIN_BEGINNING, { candidates, clusterId })
  const key = candidates.at(-1)?.key
  const seenNow = key === undefined ? seen : { end: head, key }
  return { entries, isFull: candidates.length === transfersMax, ...(seenNow && { seen: seenNow }) }
}

function startOf(last: LastEntry | undefined, seen: Seen | undefined): TransferKey {
  if (seen !== undefined && isSameHead(seen.end, last ?? CHAIN_BEGINNING)) return seen.key
  return last?.isOfHere === true ? last.key : FIRST_KEY
}

const isSameHead = (one: JournalHead, other: JournalHead): boolean =>
  one.entryNo === other.entryNo && one.chainHash.equals(other.chainHash)

interface Found {
  readonly candidates: readonly Candidate[]
  /** Whose count their xids are of. */
  readonly clusterId: string
}

/** Chains the candidates that are not in the journal to the head; gives how many they were, and the head after them. */
async function append(
  tx: Tx,
  from: JournalHead,
  found: Found,
): Promise<{ readonly entries: number; readonly head: JournalHead }> {
  const entries: NewEntry[] = []
  let head: JournalHead = from
  for (const { key, contentHash } of found.candidates) {
    if (contentHash === undefined) continue
    const entryNo = head.entryNo + 1
    head = { entryNo, chainHash: linkHash(head.chainHash, entryNo, contentHash) }
    entries.push({ ...head, key, contentHash })
  }
  if (entries.length > 0) await insertEntries(tx, entries, found.clusterId)
  return { entries: entries.length, head }
}

/** The last entry of the journal with its time; undefined while the journal is empty. */
export async function findHead(tx: Tx): Promise<(JournalHead & { readonly chainedAt: Date }) | undefined> {
  const { last } = await findJournalEnd(tx)
  return last && { entryNo: last.entryNo, chainHash: last.chainHash, chainedAt: last.chainedAt }
}

/**
 * How long the transfer that comes next has been waiting; 0 when all are chained. Undefined in a ledger that was restored into
 * another cluster, as long as the last entry is of the former one.
 */
export async function findWaitingSeconds(tx: Tx): Promise<number | undefined> {
  const { last } = await findJournalEnd(tx)
  if (last?.isOfHere === false) return undefined
  return findWaitSeconds(tx, startOf(last, undefined))
}
