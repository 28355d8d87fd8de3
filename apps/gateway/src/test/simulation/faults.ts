import type { Random } from '../../../../../lab/rig/random.ts'
import type { Life } from './time.ts'

/**
 * What may go wrong at a call to the outside. UNAVAILABLE: it surely did not arrive. REQUEST_LOST and ANSWER_LOST: the
 * caller cannot tell which. CRASH_BEFORE and CRASH_AFTER: the caller dies before it is executed, or before it hears of it.
 */
export const FAULTS = ['UNAVAILABLE', 'REQUEST_LOST', 'ANSWER_LOST', 'CRASH_BEFORE', 'CRASH_AFTER'] as const
export type Fault = (typeof FAULTS)[number]

/** Decides what goes wrong where. */
export interface Faults {
  /** Of the call that a process makes now; `site` names what it calls. */
  at(life: Life, site: string): Fault | undefined
  /** Ends the process. Never resolves: whoever awaits it is gone. */
  crash(life: Life): Promise<never>
  /** How many faults there were. */
  count(): number
}

interface FaultOptions {
  readonly random: Random
  readonly onCrash: (life: Life) => void
  /** Whether anything goes wrong now. */
  readonly isOn: () => boolean
}

/** The share of the points at which something goes wrong in a run, and how often it does there. */
const SITES_SHARE = 0.25
const CALLS_SHARE = 0.06
/** Looks at the queues are many, and most of them find nothing. */
export const LOOKS: ReadonlySet<string> = new Set([
  'payment_tasks_claim',
  'payment_tasks_claim_beside',
  'payment_tasks_find_next_due',
  'callbacks_claim_due',
  'rail_notifications_claim',
  'confirmations_update_expired',
  'rail_notifications_delete_old',
  'rail_forgeries_delete_old',
  'configuration_list_since',
])
const LOOKS_SHARE = 0.001

const shareOf = (site: string): number => (LOOKS.has(site) ? LOOKS_SHARE : CALLS_SHARE)

/** Which points are bad is drawn once for a run, so that some runs are hard on one thing, and others on another. */
export function createFaults({ random, onCrash, isOn }: FaultOptions): Faults & {
  /** The next call to the site by any process goes wrong like this. */
  plan(site: string, fault: Fault): void
  /** The next call to the site finds that this has happened. */
  planEvent(site: string, event: () => void): void
  isPlanned(): boolean
  /** What was planned and has not happened will not. */
  forget(): void
} {
  const bad = new Map<string, boolean>()
  const planned = new Map<string, Fault>()
  const events = new Map<string, () => void>()
  let count = 0
  const isBad = (site: string): boolean => {
    const known = bad.get(site)
    if (known !== undefined) return known
    const drawn = random.share() < SITES_SHARE
    bad.set(site, drawn)
    return drawn
  }
  const draw = (life: Life, site: string): Fault | undefined => {
    const wanted = planned.get(site)
    if (planned.delete(site)) return wanted
    if (!isOn() || !isBad(`${life.name} ${site}`) || random.share() >= shareOf(site)) return undefined
    return random.pick(FAULTS)
  }
  return {
    at(life, site) {
      const event = events.get(site)
      if (events.delete(site)) event?.()
      const fault = draw(life, site)
      if (fault !== undefined) count += 1
      return fault
    },
    crash(life) {
      onCrash(life)
      return new Promise(() => undefined)
    },
    count: () => count,
    plan: (site, fault) => void planned.set(site, fault),
    planEvent: (site, event) => void events.set(site, event),
    isPlanned: () => planned.size > 0 || events.size > 0,
    forget() {
      planned.clear()
      events.clear()
    },
  }
}
