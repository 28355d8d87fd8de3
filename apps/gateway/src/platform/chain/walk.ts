import type { Tx } from '../database.ts'
import type { ChainedTable } from './chained.ts'
import { CHAIN_BEGINNING, type ChainHead, type ChainKey, firstKey, linkHash } from './model.ts'
import type { Strays } from './strays.ts'
import type { AuditedEntry, WalkStore } from './walk-store.ts'
import { type ChainWords, rangeText, wordsOf } from './words.ts'

/** The chain as far as it has been followed. */
interface Link {
  /** The number that the entry was chained under. */
  readonly no: number
  /** Hashes that the next entry may follow from; none when that cannot be known. */
  readonly hashes: readonly Buffer[]
  readonly key: ChainKey
}

/** What a chain is checked for. */
export type ChainCheck = 'is_whole' | 'is_chained' | 'matches' | 'has_every' | 'contains_the_head'

/** What a walk was told to look at, and where it tells what it finds. */
interface WalkDeps {
  readonly tx: Tx
  readonly table: ChainedTable
  readonly store: WalkStore
  readonly strays: Strays
  readonly report: (check: ChainCheck, detail: string) => void
  /** A head that was exported once, if there is one to compare with. */
  readonly head: ChainHead | undefined
}

/** Said of entries that are missing when no rows can be proved to be theirs. */
const ofUnknown = ({ table }: State): string => `; of which ${table.row}s cannot be told`

/** Follows the chain from entry to entry. */
interface Walk {
  /** The next entry by its number. */
  visit(entry: AuditedEntry): Promise<void>
  /** Behind the last entry: judges the exported head. */
  end(): void
}

interface State extends WalkDeps {
  readonly words: ChainWords
  last: Link
  /** What has to be added to today's numbers to get those that entries were chained under. */
  shift: number
  /** Today's numbers of entries that stand at another place than their own and were told. */
  readonly displaced: Set<number>
  /** Today's numbers at which another entry was found, and was told. */
  readonly places: Set<number>
  /** Today's numbers of entries that name another's row and were told. */
  readonly renamed: Set<number>
  /** What the chain holds in the place of the exported head. */
  headFound: 'NOT_REACHED' | 'SAME' | 'DIFFERENT' | 'NOT_KNOWN'
}

/** How many entries that were taken out, with the numbers closed up behind them, are still recognized. */
const CLOSED_UP_MAX = 1_000

export function startWalk(deps: WalkDeps): Walk {
  const state: State = {
    ...deps,
    words: wordsOf(deps.table),
    last: { no: 0, hashes: [], key: firstKey(deps.table) },
    shift: 0,
    displaced: new Set(),
    places: new Set(),
    renamed: new Set(),
    headFound: 'NOT_REACHED',
  }
  step(state, { no: 0, hashes: [CHAIN_BEGINNING.chainHash], key: firstKey(deps.table) })
  return {
    visit: (entry) => visit(state, entry),
    end: () => judgeHead(state),
  }
}

async function visit(state: State, entry: AuditedEntry): Promise<void> {
  const no = entry.entryNo + state.shift
  // Put in between by somebody, which was told when the entries behind it were found.
  if (no <= state.last.no) return
  if (state.displaced.has(entry.entryNo) && no > state.last.no + 1) {
    step(state, { no, hashes: [entry.chainHash], key: entry.key })
    await judgeContent(state, entry)
    return
  }
  await crossGap(state, entry)
  if (await judgeLink(state, entry)) await judgeContent(state, entry)
}

function step(state: State, link: Link): void {
  const { head } = state
  if (head !== undefined && state.headFound === 'NOT_REACHED' && link.no >= head.entryNo) {
    const isThere = link.no === head.entryNo && link.hashes.length > 0
    const isSame = link.hashes.some((hash) => hash.equals(head.chainHash))
    state.headFound = isThere ? (isSame ? 'SAME' : 'DIFFERENT') : 'NOT_KNOWN'
  }
  state.last = link
}

/** Whether the entry follows from the link under this number, with its own content hash unless another is given. */
const follows = (
  { no, hashes }: Pick<Link, 'no' | 'hashes'>,
  entry: Pick<AuditedEntry, 'chainHash' | 'contentHash'>,
): boolean => hashes.some((hash) => linkHash(hash, no + 1, entry.contentHash).equals(entry.chainHash))

/** Entries between the last one and this one are not where they were. */
async function crossGap(state: State, entry: AuditedEntry): Promise<void> {
  while (state.last.no + 1 < entry.entryNo + state.shift) {
    const follower = await followerOf(state)
    if (follower === undefined) break
    state.report(
      'is_whole',
      `re-ordered: entry ${state.last.no + 1 - state.shift}, of ${state.words.rowText(follower)}, stands as entry ${follower.entryNo}`,
    )
    state.displaced.add(follower.entryNo)
    step(state, { no: state.last.no + 1, hashes: [follower.chainHash], key: follower.key })
  }
  const firstNo = state.last.no + 1
  const nextNo = entry.entryNo + state.shift
  if (firstNo === nextNo) return
  const strays = straysBefore(state, entry, (no) => no === nextNo - 1)
  const numbers = rangeText(firstNo - state.shift, entry.entryNo - 1)
  state.report('is_whole', `missing: ${numbers}${strays?.text ?? ofUnknown(state)}`)
  step(state, { no: nextNo - 1, hashes: strays === undefined ? [] : [strays.hash], key: entry.key })
}

async function followerOf({ tx, store, last }: State): Promise<AuditedEntry | undefined> {
  const [hash] = last.hashes
  return hash && store.findFollower(tx, hash, last.no + 1)
}

/** The rows whose entries were taken out before this entry, when that can be proved. */
function straysBefore(
  { strays, last, words }: State,
  entry: AuditedEntry,
  isNumber: (no: number) => boolean,
): { readonly text: string; readonly hash: Buffer; readonly count: number } | undefined {
  const [hash] = last.hashes
  if (hash === undefined) return undefined
  let closing = hash
  const found = strays.takeBetween({
    after: { no: last.no, hash, key: last.key },
    before: entry.key,
    closes(no, reached) {
      closing = reached
      return isNumber(no) && follows({ no, hashes: [reached] }, entry)
    },
  })
  if (found === undefined) return undefined
  return {
    text: `, of ${found.map((row) => words.nameOf(row)).join(', ')}`,
    hash: closing,
    count: found.length,
  }
}

/** Whether the entry follows from the one before it, and why not. False when its content need not be looked at. */
async function judgeLink(state: State, entry: AuditedEntry): Promise<boolean> {
  const { last } = state
  const own: Link = { no: last.no + 1, hashes: [entry.chainHash], key: entry.key }
  if (last.hashes.length === 0 || follows(last, entry)) {
    step(state, own)
    return true
  }
  const today = entry.row?.contentHash
  if (today !== undefined && follows(last, { ...entry, contentHash: today })) {
    state.report('is_chained', `changed: the content hash of ${state.words.entryText(entry)}`)
    step(state, own)
    return false
  }
  const follower = await followerOf(state)
  if (follower !== undefined) return judgePlace(state, entry, follower)
  judgeBreak(state, entry, await state.store.findAudited(state.tx, entry.entryNo + 1))
  return true
}

/** The entry that belongs here stands elsewhere: something was put in before it, or it was moved. */
async function judgePlace(state: State, entry: AuditedEntry, follower: AuditedEntry): Promise<boolean> {
  const no = state.last.no + 1
  const link: Link = { no, hashes: [follower.chainHash], key: follower.key }
  const behind = await state.store.findAudited(state.tx, follower.entryNo + 1)
  if (behind !== undefined && follower.entryNo > entry.entryNo && follows(link, behind)) {
    const numbers = rangeText(entry.entryNo, follower.entryNo - 1)
    const moved = 'the numbers of what is behind were moved on'
    const first = state.words.entryText(entry)
    state.report('is_whole', `put in: ${numbers}, beginning with ${first}; ${moved}`)
    state.shift = no - follower.entryNo
    return false
  }
  if (!state.places.has(follower.entryNo)) {
    const { rowText } = state.words
    state.report(
      'is_whole',
      `re-ordered: number ${entry.entryNo} belongs to the entry of ${rowText(follower)}, which stands as entry ${follower.entryNo}; in its place is that of ${rowText(entry)}`,
    )
  }
  state.places.add(entry.entryNo)
  state.displaced.add(follower.entryNo)
  step(state, link)
  return true
}

/** The entry that belongs here is nowhere: it was taken out and the numbers closed up, or its hashes were changed. */
function judgeBreak(state: State, entry: AuditedEntry, behind: AuditedEntry | undefined): void {
  const { last } = state
  const strays = straysBefore(state, entry, () => true)
  const removed = strays?.count ?? countRemoved(last.no + 1, entry, behind)
  if (removed > 0) {
    const entries = removed === 1 ? '1 entry' : `${removed} entries`
    const place = `in front of what is now ${state.words.entryText(entry)}, and the numbers were closed up`
    state.report('is_whole', `missing: ${entries}${strays?.text ?? ofUnknown(state)}; ${place}`)
    state.shift += removed
    step(state, { no: last.no + 1 + removed, hashes: [entry.chainHash], key: entry.key })
    return
  }
  state.report(
    'is_chained',
    `changed: a hash of ${state.words.entryText(entry)}; it does not follow from the entry before it`,
  )
  const computed = last.hashes.map((hash) => linkHash(hash, last.no + 1, entry.contentHash))
  step(state, { no: last.no + 1, hashes: [entry.chainHash, ...computed], key: entry.key })
}

/** How much higher the number was that the entry was chained under, as the one behind it tells. */
function countRemoved(no: number, entry: AuditedEntry, behind: AuditedEntry | undefined): number {
  if (behind === undefined) return 0
  const hashes = [entry.chainHash]
  for (let removed = 1; removed <= CLOSED_UP_MAX; removed += 1)
    if (follows({ no: no + removed, hashes }, behind)) return removed
  return 0
}

/** Whether the row is what was chained. */
async function judgeContent(state: State, entry: AuditedEntry): Promise<void> {
  const { report, words } = state
  const { row } = entry
  if (row?.contentHash.equals(entry.contentHash) === true) {
    if (row.key.xid !== entry.key.xid)
      report('is_chained', `changed: the xid of ${words.entryText(entry)}, which has another`)
    return
  }
  const stray = state.strays.takeByContent(entry.contentHash)
  if (stray !== undefined) {
    report(
      'matches',
      `changed: entry ${entry.entryNo} names ${words.rowText(entry)}, but was made of ${words.nameOf(stray)}`,
    )
  } else if (row === undefined) {
    report(
      'matches',
      `missing: ${words.rowText(entry)}, of which entry ${entry.entryNo} was made${await today(state, entry)}`,
    )
  } else await judgeOther(state, entry, words.nameOf(row))
}

/** The row that the entry names has another content: that of another entry, or one that nothing was chained of. */
async function judgeOther(state: State, entry: AuditedEntry, name: string): Promise<void> {
  const { report, store, table, tx } = state
  const owner = entry.row && (await store.findOwner(tx, entry.row.contentHash))
  if (owner === undefined)
    report(
      'matches',
      `changed: ${name}${table.parts} is not what entry ${entry.entryNo} was made of${await today(state, entry)}`,
    )
  else if (!state.renamed.has(owner))
    report('matches', `changed: entry ${entry.entryNo} names ${name}, of which entry ${owner} was made`)
  state.renamed.add(entry.entryNo)
}

const today = ({ tx, table }: State, { entryNo }: AuditedEntry): Promise<string> => table.today(tx, entryNo)

function judgeHead({ report, head, headFound, last, table }: State): void {
  if (head === undefined) return
  if (headFound === 'NOT_REACHED') {
    const numbers = rangeText(last.no + 1, head.entryNo)
    const detail = `missing: ${numbers}, which were there when the head was kept: the end was cut off`
    report('contains_the_head', detail)
  }
  if (headFound === 'DIFFERENT') {
    const detail = `changed: the chain hash of entry ${head.entryNo} is not that of the head that was kept: the ${table.called} was written anew`
    report('contains_the_head', detail)
  }
}
