/** When an institution is asked again about a payment whose outcome nobody knows. */
export interface InquirySchedule {
  /** Seconds from one answer to the next question: after the first answer, the second, and so on. */
  readonly distancesSeconds: readonly number[]
  /** From then on, always so many. */
  readonly lastDistanceSeconds: number
  /** How long an outcome may stay unknown; after that a person decides. */
  readonly patienceSeconds: number
}

/** Soon at first, since most answers are only late; then rarely, since an institution that is down is not helped by questions. */
export const INQUIRY_SCHEDULE: InquirySchedule = {
  distancesSeconds: [5, 15, 60, 300, 900],
  lastDistanceSeconds: 3600,
  patienceSeconds: 259_200,
}

/** What is known about not knowing. */
export interface Uncertainty {
  /** How often in a row the answer was that it is not known, this time included. */
  readonly answers: number
  /** Seconds since the first of them. */
  readonly unknownSeconds: number
  /** The rail wants to be left alone for so long. */
  readonly askAgainSeconds: number
}

/** Seconds until the next question; undefined when nobody is asked any more and a person decides. */
export function nextInquirySeconds(
  schedule: InquirySchedule,
  { answers, unknownSeconds, askAgainSeconds }: Uncertainty,
): number | undefined {
  if (unknownSeconds >= schedule.patienceSeconds) return undefined
  const distance = schedule.distancesSeconds[answers - 1] ?? schedule.lastDistanceSeconds
  return Math.max(distance, askAgainSeconds)
}

const EXPIRY_RETRY_SECONDS_MIN = 5
/** What is known again to be unpaid expires within this time. */
const EXPIRY_RETRY_SECONDS_MAX = 300

/**
 * Seconds until a payment whose time to pay is over, and that may not expire while its outcome is not known, is looked at
 * again: half as long as it has been overdue, within limits.
 */
export function nextExpirySeconds(overdueSeconds: number): number {
  return Math.min(EXPIRY_RETRY_SECONDS_MAX, Math.max(EXPIRY_RETRY_SECONDS_MIN, overdueSeconds / 2))
}
