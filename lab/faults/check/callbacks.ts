import {
  type Arrival,
  type AttemptRow,
  type CallbackRow,
  type Facts,
  type Finding,
  type PaymentRow,
  type TimelineRow,
  textOf,
} from './facts.ts'
import { groupBy } from './groups.ts'

const ATTEMPTS_MAX = 5
/** What times lose when they become numbers. */
const GRAIN_MS = 0.01

/** What merchants are told: I6, I7, I8 and I13. */
export function checkCallbacks(facts: Facts): readonly Finding[] {
  const attempts = groupBy(facts.attempts, ({ eventId }) => eventId)
  const arrivals = groupBy(facts.arrivals, ({ eventId }) => eventId)
  return [
    ...checkNotices(facts),
    ...checkStrangers(facts),
    ...facts.callbacks.flatMap((row) => {
      const told = {
        row,
        attempts: attempts.get(row.eventId) ?? [],
        arrivals: arrivals.get(row.eventId) ?? [],
        intervalMs: facts.callbackIntervalMs,
        leaseMs: facts.callbackLeaseMs,
      }
      const times = isTimed(told, facts) ? [...checkLeases(told), ...checkCause(told)] : []
      return [...checkSchedule(told), ...checkArrivals(told), ...times]
    }),
  ]
}

/** One notice for each change of status. */
function checkNotices({ payments, timeline, callbacks }: Facts): readonly Finding[] {
  const entries = groupBy(timeline, textOf)
  const notices = groupBy(callbacks, textOf)
  return payments.flatMap((row) => {
    const expected = row.hasCallback ? changesIn(entries.get(textOf(row)) ?? []) : []
    const found = (notices.get(textOf(row)) ?? []).map(({ timelineEntryNo }) => timelineEntryNo)
    if (found.toSorted((a, b) => a - b).join() === expected.join()) return []
    const says = `its status changed at the entries ${numbersText(expected)}, and callbacks are noted for ${numbersText(found)}`
    return [{ invariant: 'I6', says, name: row satisfies PaymentRow }]
  })
}

const numbersText = (numbers: readonly number[]): string => numbers.join(', ') || 'none'

function changesIn(entries: readonly TimelineRow[]): readonly number[] {
  return entries.flatMap(({ entryNo, status }, index) => {
    const before = entries[index - 1]
    return before === undefined || before.status === status ? [] : [entryNo]
  })
}

/** A merchant is told of nothing that is not written down. */
function checkStrangers({ callbacks, arrivals }: Facts): readonly Finding[] {
  const known = new Set(callbacks.map(({ eventId }) => eventId))
  return arrivals
    .filter(({ eventId }) => !known.has(eventId))
    .map(({ eventId, id }) => ({
      invariant: 'I13',
      says: `a callback about ${id} came under ${eventId}, which is not written down`,
    }))
}

interface Told {
  readonly row: CallbackRow
  readonly attempts: readonly AttemptRow[]
  readonly arrivals: readonly Arrival[]
  readonly intervalMs: number
  readonly leaseMs: number
}

/** Five attempts at most, each an interval or more after the one before, none after a 200; and all of it is done. */
function checkSchedule({ row, attempts, intervalMs }: Told): readonly Finding[] {
  const findings: Finding[] = []
  const find = (invariant: string, says: string): void =>
    void findings.push({ invariant, says: `callback ${row.eventId}: ${says}`, name: row })
  if (attempts.length > ATTEMPTS_MAX) find('I7', `${attempts.length} attempts`)
  for (const [index, attempt] of attempts.entries()) {
    const before = attempts[index - 1]
    if (before === undefined) continue
    const apartMs = attempt.startedAtMs - before.startedAtMs
    if (apartMs < intervalMs - GRAIN_MS)
      find('I7', `attempt ${attempt.attemptNo} started ${apartMs.toFixed(0)} ms after the one before`)
    if (before.httpStatus === 200)
      find('I7', `attempt ${attempt.attemptNo} was made after one that was answered 200`)
  }
  if (row.state === 'PENDING') find('I8', 'it is still to be sent, though all is quiet')
  return findings
}

/** Whether the database's clock can say how long something took: it did not jump around that time. */
function isTimed({ row, arrivals, leaseMs }: Told, { clockJumps }: Facts): boolean {
  const times = [row.createdAtMs, ...arrivals.map(({ atMs }) => atMs)]
  const [firstMs, lastMs] = [Math.min(...times) - leaseMs, Math.max(...times) + leaseMs]
  return !clockJumps.some((atMs) => firstMs < atMs && atMs < lastMs)
}

/** While somebody holds an attempt, nobody else begins it: each further start comes a lease or more after the one before. */
function checkLeases({ row, attempts, intervalMs, leaseMs }: Told): readonly Finding[] {
  return attempts.flatMap(({ attemptNo, startedAtMs, starts }, index) => {
    const before = attempts[index - 1]
    const dueAtMs = before === undefined ? row.createdAtMs : before.startedAtMs + intervalMs
    if (startedAtMs - dueAtMs >= (starts - 1) * leaseMs - GRAIN_MS) return []
    const says = `callback ${row.eventId}: attempt ${attemptNo} was begun ${starts} times while its lease was held`
    return [{ invariant: 'I7', says, name: row }]
  })
}

/** The receiver's own log: it was told, and no more often than attempts were begun. */
function checkArrivals({ row, attempts, arrivals }: Told): readonly Finding[] {
  const find = (says: string): readonly Finding[] => [
    { invariant: 'I13', says: `callback ${row.eventId}: ${says}`, name: row },
  ]
  const begun = attempts.reduce((sum, { starts }) => sum + starts, 0)
  if (arrivals.length > begun) return find(`it came ${arrivals.length} times for ${begun} attempts begun`)
  if (row.state === 'DELIVERED' && !arrivals.some(({ isAccepted }) => isAccepted))
    return find('it counts as delivered, and the receiver never answered 200')
  if (row.state === 'EXHAUSTED' && attempts.length < ATTEMPTS_MAX)
    return find(`it was given up after ${attempts.length} attempts`)
  if (row.state !== 'PENDING' && arrivals.length === 0) return find('it is done, and never came')
  return []
}

/**
 * The receiver's own log against the database's clock: no call comes before its attempt is begun. What is noted as the start
 * may lie after it by as long as a claim took, which is less than a lease. Of attempts that were begun again only the last
 * start is known.
 */
function checkCause({ row, attempts, arrivals, leaseMs }: Told): readonly Finding[] {
  if (attempts.some(({ starts }) => starts > 1)) return []
  const starts = attempts.map(({ startedAtMs }) => startedAtMs).sort((a, b) => a - b)
  const calls = arrivals.map(({ atMs }) => atMs).sort((a, b) => a - b)
  const early = calls.findIndex((atMs, index) => atMs < (starts[index] ?? atMs) - leaseMs)
  if (early < 0) return []
  const says = `callback ${row.eventId}: call ${early + 1} came long before the database says that it was begun`
  return [{ invariant: 'I7', says, name: row }]
}
