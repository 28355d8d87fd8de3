import type { Answer, Client } from '../model/clients.ts'
import { closedMs, type Failure, OUT_AFTER_MS } from '../model/door.ts'

/** What becomes of payments that meet a closed door, in seconds of payments: times payments a second, they are payments. */
interface Counted {
  readonly refusedFirst: number
  readonly acceptedWithinMinute: number
}

const STEP_MS = 100
const SECOND_MS = 1_000
const MINUTE_MS = 60_000
/** Until the gateway gives up an attempt: half of the 1.5 s for which it tries, in the mean. */
const ATTEMPT_MS = 750

/**
 * The coarse model, for thousands of failovers: an attempt fails while the door is closed, and succeeds at once when it is open.
 * So it is too kind where the repeats after an outage are more than a cell takes; a test holds it against the model event by event.
 */
export function countOutage(failure: Failure, client: Client): Counted {
  const openMs = closedMs(failure)
  let refused = 0
  let accepted = 0
  for (let dueMs = STEP_MS / 2; dueMs < openMs; dueMs += STEP_MS) {
    refused += 1
    if (waitMs(failure, client, dueMs) <= MINUTE_MS) accepted += 1
  }
  const seconds = STEP_MS / SECOND_MS
  return { refusedFirst: refused * seconds, acceptedWithinMinute: accepted * seconds }
}

/** Until a payment is accepted that is due then after the failure; Infinity when its merchant gives up before. */
function waitMs(failure: Failure, client: Client, dueMs: number): number {
  const openMs = closedMs(failure)
  let nowMs = dueMs
  for (let attempt = 1; attempt <= client.retries; attempt += 1) {
    const isRefused = failure.what === 'DATABASE' && nowMs < OUT_AFTER_MS
    const answer: Answer = isRefused ? 'REFUSED' : 'AWAY'
    nowMs += (isRefused ? ATTEMPT_MS : 0) + client.pauseMs(attempt, answer)
    if (nowMs >= openMs) return nowMs - dueMs
  }
  return Infinity
}
