import { compareAmounts } from '@tollgate/money'
import type { Tx } from '../../../platform/database.ts'
import { executionDay } from '../../bank-accounts/index.ts'
import { type Balances, listBalances } from './coverage-store.ts'

/** Days, both of them included; ISO 8601. */
interface Period {
  readonly firstDay: string
  readonly lastDay: string
}

/** What statements of an account prove about a period. */
interface Coverage {
  /** Every booking of the period is on one of these statements. */
  readonly isComplete: boolean
  /** The statements that follow each other from before the period on. */
  readonly statementIds: readonly string[]
  /** Until the end of which day they have everything; undefined when they do not begin before the period. */
  readonly untilDay: string | undefined
}

const DAY_MS = 86_400_000
/** A statement that ended before the period is of use when the next one follows it. */
const DAYS_BEFORE = 40

/** An account, and the period to be covered. */
interface CoverageOrder {
  readonly accountCode: string
  readonly currencyCode: string
  readonly period: Period
}

/** What the statements that were taken so far prove about the period. */
export async function findCoverage(
  tx: Tx,
  { accountCode, currencyCode, period }: CoverageOrder,
): Promise<Coverage> {
  const since = new Date(Date.parse(period.firstDay) - DAYS_BEFORE * DAY_MS).toISOString().slice(0, 10)
  return coverageOf(await listBalances(tx, accountCode, since), currencyCode, period)
}

/**
 * Follows statements from before the period to its end. One follows another if it opens with the balance with which the other
 * closed, and no day is between them; all of them have to add up, so that no booking can be missing.
 */
export function coverageOf(
  statements: readonly Balances[],
  currencyCode: string,
  { firstDay, lastDay }: Period,
): Coverage {
  const usable = statements.filter(({ addsUp }) => addsUp)
  const before = statements.filter(({ closingOn, isFinal }) => isFinal && closingOn < firstDay)
  const reached = new Set(
    usable.filter(
      (each) => each.openingOn < firstDay || before.some((other) => follows(each, other, currencyCode)),
    ),
  )
  // Those that are added are looked at in their turn.
  for (const other of reached)
    for (const each of usable) if (follows(each, other, currencyCode)) reached.add(each)
  const inPeriod = [...reached].filter(({ closingOn }) => closingOn >= firstDay)
  const untilDay = inPeriod
    .filter(({ isFinal }) => isFinal)
    .reduce<string | undefined>(
      (last, { closingOn }) => (last === undefined || closingOn > last ? closingOn : last),
      undefined,
    )
  return {
    isComplete: untilDay !== undefined && untilDay >= lastDay,
    statementIds: inPeriod.map(({ statementId }) => statementId),
    untilDay,
  }
}

/** A statement that opens on the day on which it closes begins in the morning: the bank's working day before may be the other's. */
function follows(next: Balances, other: Balances, currencyCode: string): boolean {
  if (next === other || compareAmounts(next.openingAmount, other.closingAmount) !== 0) return false
  if (next.closingOn < other.closingOn) return false
  if (next.openingOn <= other.closingOn) return true
  const following = executionDay(new Date(Date.parse(other.closingOn) + DAY_MS), currencyCode)
  return next.openingOn === next.closingOn && next.openingOn <= following
}
