import { executionDay } from '../bank-accounts/index.ts'
import type { RestoreGap } from './gap-store.ts'

/** Days, both of them included; ISO 8601. */
export interface GapPeriod {
  readonly firstDay: string
  readonly lastDay: string
}

const DAY_MS = 86_400_000

/**
 * The days on which banks may have booked payouts of the gap. From the day before, because a bank may be west of us; to the first
 * day after the restore on which banks work, because they book in the evening what they got too late for the day before.
 */
export function periodOf(gap: Pick<RestoreGap, 'lostFrom' | 'restoredAt'>, currencyCode: string): GapPeriod {
  return {
    firstDay: new Date(gap.lostFrom.getTime() - DAY_MS).toISOString().slice(0, 10),
    lastDay: executionDay(new Date(gap.restoredAt.getTime() + DAY_MS), currencyCode),
  }
}
