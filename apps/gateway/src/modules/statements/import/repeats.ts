import { compareAmounts, ZERO } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import type { Tx } from '../../../platform/database.ts'
import { bookEntries } from '../../ledger/index.ts'
import type { ReadStatement } from '../formats/reading.ts'
import { changeLines } from '../lines/line-changes.ts'
import { listKnownEntries, listLinesForUpdate, lockMatching } from '../lines/line-store.ts'
import { suspenseEntry } from '../lines/suspense.ts'
import { countEntriesOfDays, listToldEntries, type ToldEntry } from './repeat-store.ts'
import { type CountedEntry, nameOfEntry } from './split.ts'

// Two equal bookings to which the bank gives no reference: the same money told twice, or twice the money?

/** Why a line was put aside, in its reasons: operators may then decide that it is the same money. */
export const LOOKS_REPEATED = 'the bank gives no reference, so nobody can tell whether it is the same booking'

/** The entries of a statement after those that look like others were judged. */
export interface Repeats {
  /** All of them; what is another booking is counted on from those that are stored. */
  readonly entries: readonly CountedEntry[]
  /** Those that may be the same booking or another one, with the line that each looks like. */
  readonly aside: readonly { readonly entry: CountedEntry; readonly like: string }[]
  /** How many are taken for the same booking, though nothing proves it. */
  readonly likelySame: number
}

type Verdict = 'SAME' | 'LIKELY_SAME' | 'ANOTHER' | 'UNCLEAR'

/** Judges the entries without a reference of the bank that equal entries of earlier statements. */
export async function judgeRepeats(
  tx: Tx,
  given: {
    readonly accountCode: string
    readonly statement: ReadStatement
    readonly entries: readonly CountedEntry[]
    readonly knownNames: ReadonlySet<string>
  },
): Promise<Repeats> {
  const { accountCode, statement, entries, knownNames } = given
  const doubtful = entries.filter(
    (each) => each.entry.bankReference === undefined && knownNames.has(nameOfEntry(each)),
  )
  if (doubtful.length === 0) return { entries, aside: [], likelySame: 0 }
  const told = await listTold(tx, accountCode, doubtful)
  const inDays = await countEntriesOfDays(tx, [...new Set([...told.values()].flat().map(idOf))])
  const verdictOf = createJudgement({ statement, entries, told, inDays, knownNames })
  return shift(entries, { told, verdictOf, knownNames })
}

const idOf = ({ statementId }: ToldEntry): string => statementId
const textOf = (fingerprint: Buffer): string => fingerprint.toString('base64')

type ToldByFingerprint = ReadonlyMap<string, readonly ToldEntry[]>

const FINGERPRINTS_AT_ONCE = 2_000

async function listTold(
  tx: Tx,
  accountCode: string,
  entries: readonly CountedEntry[],
): Promise<ToldByFingerprint> {
  const found: ToldEntry[] = []
  for (let from = 0; from < entries.length; from += FINGERPRINTS_AT_ONCE) {
    const some = entries.slice(from, from + FINGERPRINTS_AT_ONCE).map(({ fingerprint }) => fingerprint)
    found.push(...(await listToldEntries(tx, accountCode, some)))
  }
  return Map.groupBy(found, ({ fingerprint }) => textOf(fingerprint))
}

interface Facts {
  readonly statement: ReadStatement
  readonly entries: readonly CountedEntry[]
  readonly told: ToldByFingerprint
  readonly inDays: ReadonlyMap<string, number>
  readonly knownNames: ReadonlySet<string>
}

function createJudgement({ statement, entries, told, inDays, knownNames }: Facts) {
  const days = new Map<string, { all: number; known: number }>()
  const found = new Map<string, number>()
  for (const each of entries) {
    const { bookedOn } = each.entry
    const day = days.get(bookedOn) ?? { all: 0, known: 0 }
    const isKnown = knownNames.has(nameOfEntry(each))
    days.set(bookedOn, { all: day.all + 1, known: day.known + (isKnown ? 1 : 0) })
    const teller = told
      .get(textOf(each.fingerprint))
      ?.find(({ occurrence }) => occurrence === each.occurrence)
    if (teller !== undefined) {
      const name = `${teller.statementId} ${bookedOn}`
      found.set(name, (found.get(name) ?? 0) + 1)
    }
  }
  /** Whether this statement has everything that the other one told of the day; or, without balances, nothing else. */
  const coversDay = (other: ToldEntry, bookedOn: string): boolean => {
    const name = `${other.statementId} ${bookedOn}`
    const day = days.get(bookedOn)
    const hasAll = (found.get(name) ?? 0) >= (inDays.get(name) ?? 0)
    return hasAll || (statement.opening === undefined && day !== undefined && day.all === day.known)
  }
  return (tellers: readonly ToldEntry[], bookedOn: string): Verdict => {
    if (tellers.some((other) => isSameStatement(statement, other))) return 'SAME'
    if (tellers.some(({ isNotification }) => isNotification !== statement.isNotification)) return 'SAME'
    if (tellers.every((other) => isNeighbour(statement, other))) return 'ANOTHER'
    if (tellers.every((other) => isOtherNotification(statement, other))) return 'UNCLEAR'
    return tellers.every((other) => coversDay(other, bookedOn)) ? 'LIKELY_SAME' : 'UNCLEAR'
  }
}

/** The bank calls it the same, or it begins and ends with the same balances. */
function isSameStatement(statement: ReadStatement, other: ToldEntry): boolean {
  if (statement.isNotification !== other.isNotification) return false
  const hasSameName = statement.bankName !== undefined && statement.bankName === other.bankName
  if (statement.opening === undefined || other.opening === undefined) return hasSameName
  return isEqual(statement.opening.amount, other.opening) && isEqual(statement.closing?.amount, other.closing)
}

/** One begins with the balance that the other ended with, and money moved: they have no booking in common. */
function isNeighbour({ opening, closing }: ReadStatement, other: ToldEntry): boolean {
  if (opening === undefined || closing === undefined || isEqual(opening.amount, closing.amount)) return false
  if (isEqual(other.opening, other.closing)) return false
  return isEqual(opening.amount, other.closing) || isEqual(closing.amount, other.opening)
}

function isOtherNotification({ isNotification, bankName }: ReadStatement, other: ToldEntry): boolean {
  return isNotification && other.isNotification && bankName !== undefined && other.bankName !== bankName
}

type MaybeAmount = Parameters<typeof compareAmounts>[0] | undefined

const isEqual = (one: MaybeAmount, other: MaybeAmount): boolean =>
  one !== undefined && other !== undefined && compareAmounts(one, other) === 0

/** Counts what is not the same on from what is stored, so that a later statement with all of them knows each. */
function shift(
  entries: readonly CountedEntry[],
  {
    told,
    verdictOf,
    knownNames,
  }: {
    readonly told: ToldByFingerprint
    readonly verdictOf: (tellers: readonly ToldEntry[], bookedOn: string) => Verdict
    readonly knownNames: ReadonlySet<string>
  },
): Repeats {
  const verdicts = new Map<string, Verdict>()
  const judge = (text: string, tellers: readonly ToldEntry[], bookedOn: string): Verdict => {
    if (tellers.length === 0) return 'SAME'
    const verdict = verdicts.get(text) ?? verdictOf(tellers, bookedOn)
    verdicts.set(text, verdict)
    return verdict
  }
  const counted: CountedEntry[] = []
  const aside: { readonly entry: CountedEntry; readonly like: string }[] = []
  let likelySame = 0
  for (const each of entries) {
    const text = textOf(each.fingerprint)
    const tellers = told.get(text) ?? []
    const verdict = judge(text, tellers, each.entry.bookedOn)
    const isKnown = knownNames.has(nameOfEntry(each))
    likelySame += verdict === 'LIKELY_SAME' && isKnown ? 1 : 0
    const entry = isCountedOn(verdict) ? countedOn(each, tellers) : each
    counted.push(entry)
    const [like] = tellers
    if (verdict === 'UNCLEAR' && isKnown && like !== undefined) aside.push({ entry, like: like.lineId })
  }
  return { entries: counted, aside, likelySame }
}

const isCountedOn = (verdict: Verdict): boolean => verdict === 'ANOTHER' || verdict === 'UNCLEAR'

function countedOn(entry: CountedEntry, tellers: readonly ToldEntry[]): CountedEntry {
  const last = tellers.reduce((most, { occurrence }) => Math.max(most, occurrence), 0)
  return { ...entry, occurrence: last + entry.occurrence }
}

const ENTRIES_AT_ONCE = 1_000

/** Puts stored lines aside for people: they wait, and money that came lies in SUSPENSE. */
export async function putAside(
  deps: { readonly ids: Ids },
  tx: Tx,
  given: { readonly accountCode: string; readonly aside: Repeats['aside'] },
): Promise<void> {
  const likeByName = new Map(given.aside.map(({ entry, like }) => [nameOfEntry(entry), like]))
  if (likeByName.size === 0) return
  await lockMatching(tx)
  for (let from = 0; from < given.aside.length; from += ENTRIES_AT_ONCE) {
    const fingerprints = given.aside.slice(from, from + ENTRIES_AT_ONCE).map(({ entry }) => entry.fingerprint)
    const stored = (await listKnownEntries(tx, given.accountCode, fingerprints)).filter((known) =>
      likeByName.has(nameOfEntry(known)),
    )
    const lines = await listLinesForUpdate(
      tx,
      stored.map(({ lineId }) => lineId),
    )
    const credits = lines.filter(({ direction }) => direction === 'CREDIT')
    await bookEntries(
      tx,
      credits.map(({ lineId, amount, currencyCode }) =>
        suspenseEntry(deps.ids, 'SUSPENSE_RECEIVED', { lineId, amount, currencyCode }),
      ),
    )
    await changeLines(
      tx,
      lines.map((line) => ({
        ...line,
        state: 'UNKNOWN',
        payment: undefined,
        score: '0',
        openAmount: line.direction === 'CREDIT' ? line.amount : ZERO,
        reasons: [
          `it looks like statement line ${likeByName.get(nameOfEntry(line)) ?? ''}, which another file brought`,
          LOOKS_REPEATED,
        ],
      })),
    )
  }
}
