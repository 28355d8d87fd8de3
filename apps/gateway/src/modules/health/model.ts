/** A bank or a wallet, or the rail itself for payments that go through none of them. */
export interface Institution {
  readonly type: 'OPERATOR' | 'RAIL'
  readonly code: string
  /** PAYIN also stands for top-ups, PAYOUT also for settlements. */
  readonly direction: 'PAYIN' | 'PAYOUT'
}

export const AVAILABILITIES = ['OPERATIONAL', 'DELAYED', 'CLOSED'] as const
/** DELAYED takes payments, slower than usual; CLOSED takes none. */
export type Availability = (typeof AVAILABILITIES)[number]

/** How talks with an institution went. */
export interface Results {
  readonly answered: number
  readonly unanswered: number
}

/** What the workers have made of it so far. */
interface Observed {
  readonly availability: Availability
  readonly sinceSeconds: number
}

/** Results that count: those of the last so many seconds, and none from before the last change. */
export const WINDOW_SECONDS = 300
/** Fewer talks than this say nothing. */
const TALKS_MIN = 20
/** Share of talks without an answer from which on it is so. To get well again, it takes clearly fewer: nothing flutters. */
const CLOSED_FROM = 0.5
const DELAYED_FROM = 0.2
const DELAYED_UNTIL = 0.1
/** How long a closed one is left alone before it is tried again, as a delayed one. */
const CLOSED_SECONDS = 60
/** A delayed one must have been well for so long. */
const DELAYED_SECONDS = 60
/** Without enough talks to judge by, a delayed one counts as well after this time. */
const QUIET_SECONDS = 300

/** What an institution is to be taken for now, given how the last talks went. */
export function judgeHealth(observed: Observed, { answered, unanswered }: Results): Availability {
  const talks = answered + unanswered
  if (talks < TALKS_MIN) return judgeQuiet(observed)
  const share = unanswered / talks
  if (share >= CLOSED_FROM) return 'CLOSED'
  const { availability, sinceSeconds } = observed
  if (availability === 'CLOSED') return sinceSeconds >= CLOSED_SECONDS ? 'DELAYED' : 'CLOSED'
  if (share >= DELAYED_FROM) return 'DELAYED'
  const isWell = share < DELAYED_UNTIL && sinceSeconds >= DELAYED_SECONDS
  return availability === 'DELAYED' && !isWell ? 'DELAYED' : 'OPERATIONAL'
}

/** Nobody sends anything to a closed one, so it would stay closed for good. */
function judgeQuiet({ availability, sinceSeconds }: Observed): Availability {
  if (availability === 'CLOSED' && sinceSeconds >= CLOSED_SECONDS) return 'DELAYED'
  if (availability === 'DELAYED' && sinceSeconds >= QUIET_SECONDS) return 'OPERATIONAL'
  return availability
}

/** The institution that a talk was with. */
export function institutionOf(talk: {
  readonly rail: string
  readonly operatorCode: string | undefined
  readonly kind: 'PAYIN' | 'PAYOUT' | 'TOPUP' | 'SETTLEMENT'
}): Institution {
  const direction = talk.kind === 'PAYOUT' || talk.kind === 'SETTLEMENT' ? 'PAYOUT' : 'PAYIN'
  return talk.operatorCode === undefined
    ? { type: 'RAIL', code: talk.rail, direction }
    : { type: 'OPERATOR', code: talk.operatorCode, direction }
}

/** A key for maps. */
export const textOfInstitution = ({ type, code, direction }: Institution): string =>
  `${type} ${code} ${direction}`
