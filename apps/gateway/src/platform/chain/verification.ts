import type { Tx } from '../database.ts'
import type { ChainedTable } from './chained.ts'
import { type ChainHead, firstKey } from './model.ts'
import { chainStoreOf, type LastEntry } from './store.ts'
import { createStrays, type Strays } from './strays.ts'
import { type ChainCheck, startWalk } from './walk.ts'
import { type WalkStore, walkStoreOf } from './walk-store.ts'
import { wordsOf } from './words.ts'

/** What the checks of a chain found. */
interface ChainVerification {
  readonly checks: readonly string[]
  readonly findings: readonly { readonly check: string; readonly detail: string }[]
  /** Up to which entry it was read; undefined while the chain is empty. */
  readonly last: ChainHead | undefined
}

export const FINDINGS_MAX = 100
const STRAYS_MAX = 1_000
const ENTRIES_PER_PAGE = 2_000
/** A row is chained within seconds. When it is not after so long, nothing chains. */
const UNCHAINED_SECONDS_MAX = 600

const checksOf = ({ name, row }: ChainedTable): Readonly<Record<ChainCheck, string>> => ({
  is_whole: `${name}_is_whole`,
  is_chained: `${name}_is_chained`,
  matches: `${name}_matches_${row}s`,
  has_every: `${name}_has_every_${row}`,
  contains_the_head: `${name}_contains_the_head`,
})

/**
 * Compares every entry of a chain with its row as it is today, and the chain with itself. One fault is one
 * finding: behind a break the chain is followed from what is stored. With a head that was exported before, a chain
 * whose end was cut off, or that was written anew as a whole, shows as well. Reads page by page, so that memory does not
 * grow with the chain, and may run beside the traffic.
 */
export async function verifyChain(
  tx: Tx,
  table: ChainedTable,
  options: { readonly head?: ChainHead } = {},
): Promise<ChainVerification> {
  const checks = checksOf(table)
  const findings: { readonly check: string; readonly detail: string }[] = []
  const report: Report = (check, detail) => {
    if (findings.length < FINDINGS_MAX) findings.push({ check: checks[check], detail })
  }
  const store = walkStoreOf(table)
  const { last } = await chainStoreOf(table).findEnd(tx)
  const isOfHere = last?.isOfHere === true
  const strays = createStrays(table, isOfHere ? await store.listStrays(tx, last.key, STRAYS_MAX) : [])
  const walk = startWalk({ tx, table, store, strays, report, head: options.head })
  const isWhole = await walkThrough(tx, {
    store,
    last,
    visit: walk.visit,
    isEnough: () => findings.length >= FINDINGS_MAX,
  })
  if (isWhole) walk.end()
  const telling = { table, report }
  reportStrays(strays, telling)
  await reportWaiting({ tx, store, last: isOfHere ? last : undefined }, telling)
  return { checks: Object.values(checks), findings, last }
}

type Report = (check: ChainCheck, detail: string) => void
interface Telling {
  readonly table: ChainedTable
  readonly report: Report
}

/** Visits every entry up to the last one; false when it was enough before. */
async function walkThrough(
  tx: Tx,
  way: {
    readonly store: WalkStore
    readonly last: LastEntry | undefined
    readonly visit: ReturnType<typeof startWalk>['visit']
    readonly isEnough: () => boolean
  },
): Promise<boolean> {
  const untilNo = way.last?.entryNo ?? 0
  let afterNo = 0
  while (afterNo < untilNo) {
    const page = await way.store.listAudited(tx, { afterNo, untilNo, limit: ENTRIES_PER_PAGE })
    for (const entry of page) {
      if (way.isEnough()) return false
      await way.visit(entry)
    }
    afterNo = page.at(-1)?.entryNo ?? untilNo
  }
  return true
}

/** What is behind the end of the chain may be chained later; what belongs before it was put in. */
function reportStrays(strays: Strays, { table, report }: Telling): void {
  for (const stray of strays.left())
    report(
      'has_every',
      `put in: ${wordsOf(table).nameOf(stray)} has no entry, but later ones have: it was put in afterwards, unless its entry was taken out`,
    )
}

async function reportWaiting(
  { tx, store, last }: { readonly tx: Tx; readonly store: WalkStore; readonly last: LastEntry | undefined },
  { table, report }: Telling,
): Promise<void> {
  const waiting = await store.findWaiting(tx, last?.key ?? firstKey(table), UNCHAINED_SECONDS_MAX)
  if (waiting === undefined) return
  const why = waiting.isHeldBack
    ? 'a transaction of the cluster that has been open since then holds them back'
    : 'no worker chains'
  const count = waiting.rows === 1 ? `1 ${table.row}` : `${waiting.rows} ${table.row}s`
  report(
    'has_every',
    `not chained after ${UNCHAINED_SECONDS_MAX / 60} minutes: ${count}, first ${wordsOf(table).nameOf(waiting.oldest)}; ${why}`,
  )
}
