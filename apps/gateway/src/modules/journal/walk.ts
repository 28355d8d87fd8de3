import type { Tx } from '../../platform/database.ts'
import { type AuditedEntry, findAudited, findFollower, findOwner } from './audit-store.ts'
import { CHAIN_BEGINNING, FIRST_KEY, type JournalHead, linkHash, type TransferKey } from './model.ts'
import { listEntries } from './store.ts'
import type { Strays } from './strays.ts'
import { entryText, nameOf, postingsText, rangeText, transferText } from './words.ts'

/** The chain as far as it has been followed. */
interface Link {
  /** The number that the entry was chained under. */
  readonly no: number
  /** Hashes that the next entry may follow from; none when that cannot be known. */
  readonly hashes: readonly Buffer[]
  readonly key: TransferKey
}

/** What a walk was told to look at, and where it tells what it finds. */
interface WalkDeps {
  readonly tx: Tx
  readonly strays: Strays
  readonly report: (check: string, detail: string) => void
  /** A head that was exported once, if there is one to compare with. */
  readonly head: JournalHead | undefined
}

/** Said of entries that are missing when no transfers of the books can be proved to be theirs. */
const OF_UNKNOWN = '; of which transfers cannot be told'

/** Follows the chain from entry to entry. */
interface Walk {
  /** The next entry by its number. */
  visit(entry: AuditedEntry): Promise<void>
  /** Behind the last entry: judges the exported head. */
  end(): void
}

interface State extends WalkDeps {
  last: Link
  /** What has to be added to today's numbers to get those that entries were chained under. */
  shift: number
  /** Today's numbers of entries that stand at another place than their own and were told. */
  readonly displaced: Set<number>
  /** Today's numbers at which another entry was found, and was told. */
  readonly places: Set<number>
  /** Today's numbers of entries that name another's transfer and were told. */
  readonly renamed: Set<number>
  /** What the journal holds in the place of the exported head. */
  headFound: 'NOT_REACHED' | 'SAME' | 'DIFFERENT' | 'NOT_KNOWN'
}

/** How many entries that were taken out, with the numbers closed up behind them, are still recognized. */
const CLOSED_UP_MAX = 1_000

export function startWalk(deps: WalkDeps): Walk {
  const state: State = {
    ...deps,
    last: { no: 0, hashes: [], key: FIRST_KEY },
    shift: 0,
    displaced: new Set(),
    places: new Set(),
    renamed: new Set(),
    headFound: 'NOT_REACHED',
  }
  step(state, { no: 0, hashes: [CHAIN_BEGINNING.chainHash], key: FIRST_KEY })
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
      'journal_is_whole',
      `re-ordered: entry ${state.last.no + 1 - state.shift}, of ${transferText(follower)}, stands as entry ${follower.entryNo}`,
    )
    state.displaced.add(follower.entryNo)
    step(state, { no: state.last.no + 1, hashes: [follower.chainHash], key: follower.key })
  }
  const firstNo = state.last.no + 1
  const nextNo = entry.entryNo + state.shift
  if (firstNo === nextNo) return
  const strays = straysBefore(state, entry, (no) => no === nextNo - 1)
  const numbers = rangeText(firstNo - state.shift, entry.entryNo - 1)
  state.report('journal_is_whole', `missing: ${numbers}${strays?.text ?? OF_UNKNOWN}`)
  step(state, { no: nextNo - 1, hashes: strays === undefined ? [] : [strays.hash], key: entry.key })
}

async function followerOf({ tx, last }: State): Promise<AuditedEntry | undefined> {
  const [hash] = last.hashes
  return hash && findFollower(tx, hash, last.no + 1)
}

/** The transfers whose entries were taken out before this entry, when that can be proved. */
function straysBefore(
  { strays, last }: State,
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
  return { text: `, of ${found.map(nameOf).join(', ')}`, hash: closing, count: found.length }
}

/** Whether the entry follows from the one before it, and why not. False when its content need not be looked at. */
async function judgeLink(state: State, entry: AuditedEntry): Promise<boolean> {
  const { last } = state
  const own: Link = { no: last.no + 1, hashes: [entry.chainHash], key: entry.key }
  if (last.hashes.length === 0 || follows(last, entry)) {
    step(state, own)
    return true
  }
  const today = entry.transfer?.contentHash
  if (today !== undefined && follows(last, { ...entry, contentHash: today })) {
    state.report('journal_is_chained', `changed: the content hash of ${entryText(entry)}`)
    step(state, own)
    return false
  }
  const follower = await followerOf(state)
  if (follower !== undefined) return judgePlace(state, entry, follower)
  judgeBreak(state, entry, await findAudited(state.tx, entry.entryNo + 1))
  return true
}

/** The entry that belongs here stands elsewhere: something was put in before it, or it was moved. */
async function judgePlace(state: State, entry: AuditedEntry, follower: AuditedEntry): Promise<boolean> {
  const no = state.last.no + 1
  const link: Link = { no, hashes: [follower.chainHash], key: follower.key }
  const behind = await findAudited(state.tx, follower.entryNo + 1)
  if (behind !== undefined && follower.entryNo > entry.entryNo && follows(link, behind)) {
    const numbers = rangeText(entry.entryNo, follower.entryNo - 1)
    const moved = 'the numbers of what is behind were moved on'
    state.report('journal_is_whole', `put in: ${numbers}, beginning with ${entryText(entry)}; ${moved}`)
    state.shift = no - follower.entryNo
    return false
  }
  if (!state.places.has(follower.entryNo)) {
    state.report(
      'journal_is_whole',
      `re-ordered: number ${entry.entryNo} belongs to the entry of ${transferText(follower)}, which stands as entry ${follower.entryNo}; in its place is that of ${transferText(entry)}`,
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
    const place = `in front of what is now ${entryText(entry)}, and the numbers were closed up`
    state.report('journal_is_whole', `missing: ${entries}${strays?.text ?? OF_UNKNOWN}; ${place}`)
    state.shift += removed
    step(state, { no: last.no + 1 + removed, hashes: [entry.chainHash], key: entry.key })
    return
  }
  state.report(
    'journal_is_chained',
    `changed: a hash of ${entryText(entry)}; it does not follow from the entry before it`,
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

/** Whether the transfer is what was chained. */
async function judgeContent(state: State, entry: AuditedEntry): Promise<void> {
  const { report } = state
  const { transfer } = entry
  if (transfer?.contentHash.equals(entry.contentHash) === true) {
    if (transfer.key.xid !== entry.key.xid)
      report('journal_is_chained', `changed: the xid of ${entryText(entry)}, which has another`)
    return
  }
  const stray = state.strays.takeByContent(entry.contentHash)
  if (stray !== undefined) {
    report(
      'journal_matches_transfers',
      `changed: entry ${entry.entryNo} names ${transferText(entry)}, but was made of ${nameOf(stray)}`,
    )
  } else if (transfer === undefined) {
    report(
      'journal_matches_transfers',
      `missing: ${transferText(entry)}, of which entry ${entry.entryNo} was made; its postings today: ${await postingsToday(state, entry)}`,
    )
  } else {
    const owner = await findOwner(state.tx, transfer.contentHash)
    const name = nameOf(transfer)
    if (owner === undefined)
      report(
        'journal_matches_transfers',
        `changed: ${name}, or a posting of it, is not what entry ${entry.entryNo} was made of; its postings today: ${await postingsToday(state, entry)}`,
      )
    else if (!state.renamed.has(owner))
      report(
        'journal_matches_transfers',
        `changed: entry ${entry.entryNo} names ${name}, of which entry ${owner} was made`,
      )
    state.renamed.add(entry.entryNo)
  }
}

async function postingsToday({ tx }: State, { entryNo }: AuditedEntry): Promise<string> {
  const [entry] = await listEntries(tx, entryNo, 1)
  return postingsText(entry?.postings ?? [])
}

function judgeHead({ report, head, headFound, last }: State): void {
  if (head === undefined) return
  if (headFound === 'NOT_REACHED') {
    const numbers = rangeText(last.no + 1, head.entryNo)
    const detail = `missing: ${numbers}, which were there when the head was kept: the end was cut off`
    report('journal_contains_the_head', detail)
  }
  if (headFound === 'DIFFERENT') {
    const detail = `changed: the chain hash of entry ${head.entryNo} is not that of the head that was kept: the journal was written anew`
    report('journal_contains_the_head', detail)
  }
}
