/** What the payments of a customer hold of persons: how many of each. */
export interface Traces {
  readonly payments: number
  readonly personalData: number
  readonly callbackAnswers: number
  readonly statementLines: number
  readonly payoutFiles: number
  readonly openPayoutFiles: number
  readonly payoutReports: number
  readonly confirmations: number
  readonly messages: number
  readonly messagesDoneAt: Date | undefined
}

/** What is still there of an erased customer. */
const KEPT = [
  'PAYMENTS',
  'STATEMENT_LINES',
  'PAYOUT_FILES',
  'PAYOUT_REPORTS',
  'CONFIRMATIONS',
  'MESSAGES',
] as const

/** Something that stays, until when, and why. */
interface KeptTrace {
  readonly what: (typeof KEPT)[number]
  readonly count: number
  /** `for ever`, what has to happen, or a day. */
  readonly until: string
  readonly why: string
}

/** What became of a customer's data. */
export interface Erasure {
  /** How many of each were erased now; the customer's own record is not counted. */
  readonly erased: Pick<Traces, 'personalData' | 'callbackAnswers' | 'statementLines'>
  readonly kept: readonly KeptTrace[]
}

const DAY_MS = 86_400_000
/** Messages of institutions are kept so long after they were done with; see the room of notifications. */
const MESSAGES_KEPT_DAYS = 90
const NEXT_ROUND = 'the next round of a worker, within the hour'
const WITH_FILES = 'the payout files that they are about have lost their bytes, then within the hour'

/** What an erasure did, and what it left. */
export function erasureOf(before: Traces, after: Traces): Erasure {
  const openFiles = after.openPayoutFiles
  const kept: readonly KeptTrace[] = [
    {
      what: 'PAYMENTS',
      count: after.payments,
      until: 'for ever',
      why: 'Ids, amounts, statuses, history and bookings account for the money. They name nobody.',
    },
    {
      what: 'STATEMENT_LINES',
      count: after.statementLines,
      until: 'an operator has decided about their money',
      why: 'The money may have to go back to the account that it came from.',
    },
    {
      what: 'PAYOUT_FILES',
      count: after.payoutFiles,
      until:
        openFiles === 0
          ? NEXT_ROUND
          : `all payments in them have ended (${openFiles} open), then within the hour`,
      why: 'A bank may have to be given the file again as long as a payment in it is open.',
    },
    {
      what: 'PAYOUT_REPORTS',
      count: after.payoutReports,
      until: openFiles === 0 ? NEXT_ROUND : WITH_FILES,
      why: 'A report goes with the file that it is about.',
    },
    {
      what: 'CONFIRMATIONS',
      count: after.confirmations,
      until: `they are decided, then ${NEXT_ROUND}`,
      why: 'The second operator decides about what the first one handed in.',
    },
    {
      what: 'MESSAGES',
      count: after.messages,
      until: dayOf(after.messagesDoneAt),
      why: 'What institutions told on their own is kept for disputes.',
    },
  ]
  return {
    erased: {
      personalData: before.personalData - after.personalData,
      callbackAnswers: before.callbackAnswers - after.callbackAnswers,
      statementLines: before.statementLines - after.statementLines,
    },
    kept: kept.filter(({ count }) => count > 0),
  }
}

function dayOf(doneAt: Date | undefined): string {
  if (doneAt === undefined) return `${MESSAGES_KEPT_DAYS} days after they are done with`
  return new Date(doneAt.getTime() + MESSAGES_KEPT_DAYS * DAY_MS).toISOString().slice(0, 10)
}
