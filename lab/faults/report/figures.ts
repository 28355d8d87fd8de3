import { isAcknowledged } from '../check/acceptance.ts'
import { waitsForPeople } from '../check/ends.ts'
import { type Arrival, type Call, type Facts, type Finding, textOf } from '../check/facts.ts'
import { groupBy } from '../check/groups.ts'
import { COMPONENTS, type Component, type Kill } from '../setup/kills.ts'
import type { Notes } from '../setup/notes.ts'

/** What lies in the middle, near the end and at the end of some durations, in milliseconds. */
export interface Durations {
  readonly count: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** What a run comes to. */
export interface Figures {
  readonly acknowledged: number
  readonly requests: number
  /** Requests whose outcome the merchant could not know, and payments among them that were decided by asking again. */
  readonly unknown: number
  readonly decidedByAsking: number
  readonly lost: number
  readonly doubled: number
  /** Payouts about which people decide, since the bank does not know them and they are not handed over again. */
  readonly forPeople: number
  readonly kills: Readonly<Record<Component, number>>
  /** From a kill to the first 201 of a request that came after it: of that process, or of any when the database was killed. */
  readonly recovery: Readonly<Partial<Record<Component, Durations>>>
  readonly callbacks: {
    readonly events: number
    readonly arrivals: number
    /** Calls that came to a receiver after it had answered 200. */
    readonly afterAccepted: number
    /** From the change of status to the first call, of payments that merchants have asked for. */
    readonly lateness: Durations | null
  }
  /** What single kinds of faults have counted and measured, by what it is called. */
  readonly notes: Readonly<Record<string, number>>
}

const LOSSES: readonly string[] = ['I10']
const DOUBLES: readonly string[] = ['I4', 'I11', 'I14']

/** What the run itself has counted and found. */
interface Counted {
  readonly kills: readonly Kill[]
  readonly notes: Pick<Notes, 'figures'>
  readonly findings: readonly Finding[]
}

/** How many processes a run killed in all. */
export function killsIn({ kills }: Pick<Figures, 'kills'>): number {
  return Object.values(kills).reduce((sum, count) => sum + count, 0)
}

export function figuresOf(facts: Facts, { kills, notes, findings }: Counted): Figures {
  const creates = facts.calls.filter(({ operation }) => operation === 'CREATE')
  const byPayment = [...groupBy(creates, ({ name }) => textOf(name)).values()]
  const acknowledged = byPayment.filter(isAcknowledged)
  const unsure = acknowledged.filter((ofOne) => ofOne.some(isUnknown))
  const count = (invariants: readonly string[]): number =>
    findings.filter(({ invariant }) => invariants.includes(invariant)).length
  const counted = COMPONENTS.map(
    (component) => [component, kills.filter((kill) => kill.component === component).length] as const,
  )
  return {
    acknowledged: acknowledged.length,
    requests: facts.calls.length,
    unknown: facts.calls.filter(isUnknown).length,
    decidedByAsking: unsure.length,
    lost: count(LOSSES),
    doubled: count(DOUBLES),
    forPeople: facts.payments.filter(waitsForPeople(facts.movements)).length,
    kills: { ...NO_KILLS, ...Object.fromEntries(counted) },
    recovery: recoveryOf(creates, kills),
    callbacks: callbackFigures(facts),
    notes: Object.fromEntries(notes.figures),
  }
}

const NO_KILLS: Figures['kills'] = {
  API: 0,
  worker: 0,
  PostgreSQL: 0,
  session: 0,
  primary: 0,
  'frozen primary': 0,
  'primary and standby': 0,
}

const isUnknown = ({ outcome }: Call): boolean => outcome === 'unknown'

function recoveryOf(creates: readonly Call[], kills: readonly Kill[]): Figures['recovery'] {
  const accepted = creates.filter(({ httpStatus }) => httpStatus === 201)
  const durations = COMPONENTS.filter((component) => component !== 'worker').flatMap((component) => {
    const samples = kills
      .filter((kill) => kill.component === component)
      .flatMap((kill) => recoveryMs(accepted, kill))
    const of = durationsOf(samples)
    return of === null ? [] : [[component, of] as const]
  })
  return Object.fromEntries(durations)
}

function recoveryMs(accepted: readonly Call[], { atMs, api }: Kill): readonly number[] {
  const ends = accepted
    .filter((call) => call.invokedAtMs >= atMs && (api === undefined || call.api === api))
    .flatMap(({ endedAtMs }) => (endedAtMs === undefined ? [] : [endedAtMs]))
  return ends.length === 0 ? [] : [ends.reduce((first, end) => Math.min(first, end)) - atMs]
}

function callbackFigures({ calls, callbacks, arrivals }: Facts): Figures['callbacks'] {
  const askedAtMs = new Map(calls.toReversed().map(({ name, invokedAtMs }) => [textOf(name), invokedAtMs]))
  const byEvent = groupBy(arrivals, ({ eventId }) => eventId)
  const lateness = callbacks.flatMap((row) => {
    const [first] = byEvent.get(row.eventId) ?? []
    const asked = askedAtMs.get(textOf(row))
    // Where the database's clock was fast, it says that the call came before the change: nobody knows how late it was.
    if (first === undefined || asked === undefined || first.atMs < row.createdAtMs) return []
    // Where it was slow, nothing has changed before it was asked for all the same.
    return [first.atMs - Math.max(row.createdAtMs, asked)]
  })
  return {
    events: callbacks.length,
    arrivals: arrivals.length,
    afterAccepted: [...byEvent.values()].reduce((sum, ofOne) => sum + countAfterAccepted(ofOne), 0),
    lateness: durationsOf(lateness),
  }
}

function countAfterAccepted(arrivals: readonly Arrival[]): number {
  const index = arrivals.findIndex(({ isAccepted }) => isAccepted)
  return index < 0 ? 0 : arrivals.length - index - 1
}

const P99 = 0.99

/** Null for none. */
export function durationsOf(samples: readonly number[]): Durations | null {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? 0
  if (sorted.length === 0) return null
  return { count: sorted.length, medianMs: at(0.5), p99Ms: at(P99), maxMs: at(1) }
}
