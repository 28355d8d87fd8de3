import type { Tx } from '../../platform/database.ts'
import type { Finding, Verification } from '../ledger/index.ts'
import { findWaiting, listAudited, listStrays } from './audit-store.ts'
import { FIRST_KEY, type JournalHead } from './model.ts'
import { listDips } from './replay.ts'
import { findJournalEnd, type LastEntry } from './store.ts'
import { createStrays, type Strays } from './strays.ts'
import { startWalk } from './walk.ts'
import { nameOf } from './words.ts'

const CHECKS = [
  'journal_is_whole',
  'journal_is_chained',
  'journal_matches_transfers',
  'journal_has_every_transfer',
  'journal_contains_the_head',
  'journal_keeps_balances_above_zero',
] as const

const FINDINGS_MAX = 100
const STRAYS_MAX = 1_000
const ENTRIES_PER_PAGE = 2_000
/** A transfer is chained within seconds. When it is not after so long, nothing chains. */
const UNCHAINED_SECONDS_MAX = 600

/**
 * Compares every entry of the journal with its transfer as it is today, and the chain with itself. One fault is one
 * finding: behind a break the chain is followed from what is stored. With a head that was exported before, a journal
 * whose end was cut off, or that was written anew as a whole, shows as well. Reads page by page, so that memory does not
 * grow with the journal, and may run beside the traffic.
 */
export async function verifyJournal(
  tx: Tx,
  options: { readonly head?: JournalHead } = {},
): Promise<Verification> {
  const findings: Finding[] = []
  const report = (check: string, detail: string): void => {
    if (findings.length < FINDINGS_MAX) findings.push({ check, detail })
  }
  const { last } = await findJournalEnd(tx)
  const isOfHere = last?.isOfHere === true
  const strays = createStrays(isOfHere ? await listStrays(tx, last.key, STRAYS_MAX) : [])
  const walk = startWalk({ tx, strays, report, head: options.head })
  const isWhole = await walkThrough(tx, {
    last,
    visit: walk.visit,
    isEnough: () => findings.length >= FINDINGS_MAX,
  })
  if (isWhole) walk.end()
  reportStrays(strays, report)
  await reportWaiting(tx, isOfHere ? last : undefined, report)
  // A change of the past shows in the sums behind it, too: that would be the same fault told again.
  if (findings.length === 0)
    for (const dip of await listDips(tx, FINDINGS_MAX)) report('journal_keeps_balances_above_zero', dip)
  return { checks: CHECKS, findings }
}

type Report = (check: string, detail: string) => void

/** Visits every entry up to the last one; false when it was enough before. */
async function walkThrough(
  tx: Tx,
  way: {
    readonly last: LastEntry | undefined
    readonly visit: ReturnType<typeof startWalk>['visit']
    readonly isEnough: () => boolean
  },
): Promise<boolean> {
  const untilNo = way.last?.entryNo ?? 0
  let afterNo = 0
  while (afterNo < untilNo) {
    const page = await listAudited(tx, { afterNo, untilNo, limit: ENTRIES_PER_PAGE })
    for (const entry of page) {
      if (way.isEnough()) return false
      await way.visit(entry)
    }
    afterNo = page.at(-1)?.entryNo ?? untilNo
  }
  return true
}

/** What is behind the end of the journal may be chained later; what belongs before it was put in. */
function reportStrays(strays: Strays, report: Report): void {
  for (const stray of strays.left())
    report(
      'journal_has_every_transfer',
      `put in: ${nameOf(stray)} has no entry, but later ones have: it was put in afterwards, unless its entry was taken out`,
    )
}

async function reportWaiting(tx: Tx, last: LastEntry | undefined, report: Report): Promise<void> {
  const waiting = await findWaiting(tx, last?.key ?? FIRST_KEY, UNCHAINED_SECONDS_MAX)
  if (waiting === undefined) return
  const why = waiting.isHeldBack
    ? 'a transaction of the cluster that has been open since then holds them back'
    : 'no worker chains'
  const count = waiting.transfers === 1 ? '1 transfer' : `${waiting.transfers} transfers`
  report(
    'journal_has_every_transfer',
    `not chained after ${UNCHAINED_SECONDS_MAX / 60} minutes: ${count}, first ${nameOf(waiting.oldest)}; ${why}`,
  )
}
