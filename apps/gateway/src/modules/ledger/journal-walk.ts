import type { Tx } from '../../platform/database.ts'
import {
  type AuditedEntry,
  type AuditedTransfer,
  findAudited,
  findFollower,
  findOwner,
} from './journal-audit-store.ts'
import { CHAIN_BEGINNING, FIRST_KEY, type JournalHead, linkHash, type TransferKey } from './journal-model.ts'
import type { Strays } from './journal-strays.ts'

/** The chain as far as it has been followed. */
interface Link {
  /** The number that the entry was chained under. */
  readonly no: number
  /** Hashes that the next entry may follow from; none when that cannot be known. */
  readonly hashes: readonly Buffer[]
  readonly key: TransferKey
}

/** What a walk was told to look at, and where it tells what it finds. */
export interface WalkDeps {
  readonly tx: Tx
  readonly strays: Strays
  readonly report: (check: string, detail: string) => void
  /** A head that was exported once, if there is one to compare with. */
  readonly head: JournalHead | undefined
}

/** Follows the chain from entry to entry. */
export interface Walk {
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
      `entry ${state.last.no + 1 - state.shift} is missing; it stands as number ${follower.entryNo}`,
    )
    state.displaced.add(follower.entryNo)
    step(state, { no: state.last.no + 1, hashes: [follower.chainHash], key: follower.key })
  }
  const firstNo = state.last.no + 1
  const nextNo = entry.entryNo + state.shift
  if (firstNo === nextNo) return
  const strays = straysBefore(state, entry, (no) => no === nextNo - 1)
  const numbers = rangeText(firstNo - state.shift, entry.entryNo - 1)
  state.report('journal_is_whole', `${numbers} missing${strays?.text ?? ''}`)
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
  return { text: `; of ${found.map(nameOf).join(', ')}`, hash: closing, count: found.length }
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
    state.report('journal_is_chained', `the content hash of ${entryText(entry)} was changed in the journal`)
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
    state.report('journal_is_whole', `${numbers} put in between, starting with ${entryText(entry)}`)
    state.shift = no - follower.entryNo
    return false
  }
  if (!state.places.has(follower.entryNo)) {
    state.report(
      'journal_is_whole',
      `re-ordered: number ${entry.entryNo} belongs to ${transferText(follower)}, which stands as number ${follower.entryNo}; it holds ${transferText(entry)}`,
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
    const entries = removed === 1 ? 'an entry was' : `${removed} entries were`
    state.report(
      'journal_is_whole',
      `${entries} taken out before ${entryText(entry)}, and the numbers closed up${strays?.text ?? ''}`,
    )
    state.shift += removed
    step(state, { no: last.no + 1 + removed, hashes: [entry.chainHash], key: entry.key })
    return
  }
  state.report(
    'journal_is_chained',
    `${entryText(entry)} does not follow from the entry before it: a hash was changed`,
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
      report('journal_is_chained', `${entryText(entry)} has another xid than its transfer`)
    return
  }
  const stray = state.strays.takeByContent(entry.contentHash)
  if (stray !== undefined) {
    report(
      'journal_matches_transfers',
      `entry ${entry.entryNo} names ${transferText(entry)}, but was made of ${nameOf(stray)}`,
    )
  } else if (transfer === undefined) {
    report(
      'journal_matches_transfers',
      `${transferText(entry)} is gone; entry ${entry.entryNo} was made of it`,
    )
  } else {
    const owner = await findOwner(state.tx, transfer.contentHash)
    const name = nameOf(transfer)
    if (owner === undefined)
      report(
        'journal_matches_transfers',
        `${name} was changed: it is not what entry ${entry.entryNo} was made of`,
      )
    else if (!state.renamed.has(owner))
      report(
        'journal_matches_transfers',
        `entry ${entry.entryNo} names ${name}, of which entry ${owner} was made`,
      )
    state.renamed.add(entry.entryNo)
  }
}

function judgeHead({ report, head, headFound, last }: State): void {
  if (head === undefined) return
  if (headFound === 'NOT_REACHED') {
    const detail = `the journal ends with entry ${last.no}; the head that was kept is entry ${head.entryNo}: the end was cut off`
    report('journal_contains_the_head', detail)
  }
  if (headFound === 'DIFFERENT') {
    const detail = `the chain hash of entry ${head.entryNo} is not that of the head that was kept: the journal was written anew`
    report('journal_contains_the_head', detail)
  }
}

const rangeText = (firstNo: number, lastNo: number): string =>
  firstNo === lastNo ? `entry ${firstNo} is` : `entries ${firstNo} to ${lastNo} are`

/** What an entry names, as far as it is still there. */
const transferText = ({ key, transfer }: AuditedEntry): string =>
  transfer === undefined ? keyText(key) : nameOf(transfer)

/** `entry 7 of transfer … of merchant 1 (PAYIN_SUCCESS of PAYIN order-1)`. */
const entryText = (entry: AuditedEntry): string => `entry ${entry.entryNo} of ${transferText(entry)}`

const keyText = ({ transferId, merchantId }: TransferKey): string =>
  `transfer ${transferId} of merchant ${merchantId}`

/** How a finding names a transfer. */
export const nameOf = ({ key, event, kind, idPayment }: AuditedTransfer): string =>
  `${keyText(key)} (${event} of ${kind} ${idPayment})`
