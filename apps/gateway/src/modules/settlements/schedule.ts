// When periods end and fall due. Pure; moments are milliseconds since 1970, days are UTC.

/**
 * How a merchant's periods lie. They end at 00:00 UTC: of every day (T_PLUS, DAILY), of a day of the week (1 is Monday), or
 * of the first day of a month. T_PLUS is due so many days after its end, the others at once.
 */
export type CycleRule =
  | { readonly cycle: 'T_PLUS'; readonly days: number }
  | { readonly cycle: 'DAILY' }
  | { readonly cycle: 'WEEKLY'; readonly weekday: number }
  | { readonly cycle: 'MONTHLY' }

export const DAY_MS = 86_400_000
const DAYS_MAX = 60
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const DAYS_OF_WEEK = WEEKDAYS.length
/** 1970-01-01 was a Thursday: three days after a Monday. */
const EPOCH_AFTER_MONDAY_DAYS = 3

/** Reads `t+2`, `daily`, `weekly:mon` or `monthly`, in any case; undefined for anything else. */
export function parseCycle(text: string): CycleRule | undefined {
  const lower = text.toLowerCase()
  if (lower === 'daily') return { cycle: 'DAILY' }
  if (lower === 'monthly') return { cycle: 'MONTHLY' }
  const days = /^t\+(\d{1,2})$/.exec(lower)?.[1]
  if (days !== undefined) return Number(days) > DAYS_MAX ? undefined : { cycle: 'T_PLUS', days: Number(days) }
  const weekday = WEEKDAYS.findIndex((name) => lower === `weekly:${name}`)
  return weekday === -1 ? undefined : { cycle: 'WEEKLY', weekday: weekday + 1 }
}

/** The inverse of {@link parseCycle}. */
export function printCycle(rule: CycleRule): string {
  switch (rule.cycle) {
    case 'T_PLUS':
      return `t+${rule.days}`
    case 'DAILY':
      return 'daily'
    case 'WEEKLY':
      return `weekly:${WEEKDAYS[rule.weekday - 1] ?? rule.weekday}`
    case 'MONTHLY':
      return 'monthly'
  }
}

/** The last end of a period that is not after the moment. */
export function lastEndUntil(rule: CycleRule, ms: number): number {
  const day = Math.floor(ms / DAY_MS)
  switch (rule.cycle) {
    case 'T_PLUS':
    case 'DAILY':
      return day * DAY_MS
    case 'WEEKLY': {
      const sinceMonday = (day + EPOCH_AFTER_MONDAY_DAYS) % DAYS_OF_WEEK
      const sinceEnd = (sinceMonday - (rule.weekday - 1) + DAYS_OF_WEEK) % DAYS_OF_WEEK
      return (day - sinceEnd) * DAY_MS
    }
    case 'MONTHLY':
      return firstOfMonth(ms, 0)
  }
}

/** The first end of a period after the moment. */
export function endAfter(rule: CycleRule, ms: number): number {
  const last = lastEndUntil(rule, ms)
  switch (rule.cycle) {
    case 'T_PLUS':
    case 'DAILY':
      return last + DAY_MS
    case 'WEEKLY':
      return last + DAYS_OF_WEEK * DAY_MS
    case 'MONTHLY':
      return firstOfMonth(ms, 1)
  }
}

function firstOfMonth(ms: number, monthsLater: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1)
}

/** When the period with this end is to be settled. */
export function dueOf(rule: CycleRule, endMs: number): number {
  return rule.cycle === 'T_PLUS' ? endMs + rule.days * DAY_MS : endMs
}

interface Overdue {
  /** The ends that are due, the oldest first. */
  readonly endsMs: readonly number[]
  /** When the first end that is not among them is due; it lies in the past when there were too many. */
  readonly nextDueMs: number
}

/** The periods that ended after `afterMs` and are due: one after the other, also those that were missed. */
export function overdue(
  rule: CycleRule,
  { afterMs, nowMs, endsMax }: { readonly afterMs: number; readonly nowMs: number; readonly endsMax: number },
): Overdue {
  const endsMs: number[] = []
  let endMs = endAfter(rule, afterMs)
  while (dueOf(rule, endMs) <= nowMs && endsMs.length < endsMax) {
    endsMs.push(endMs)
    endMs = endAfter(rule, endMs)
  }
  return { endsMs, nextDueMs: dueOf(rule, endMs) }
}
