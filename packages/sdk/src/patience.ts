import { errorOf, TollgateError } from './errors.ts'
import { type RawRequest, type RawResponse, send, type Wire } from './transport.ts'

const RETRIES_MAX = 10
const PAUSE_FIRST_MS = 250
const PAUSE_MS_MAX = 10_000
/** An attempt that begins just before the caller's time is over may still be answered. */
const ATTEMPT_MS_MIN = 1_000
/** No timer waits longer. */
export const TIMER_MS_MAX = 2 ** 31 - 1

/** A wire, and how often and how patiently to use it again. */
export interface Patience extends Wire {
  /** Repeats after the first attempt; at most 10. */
  readonly retries: number
  readonly sleep: (ms: number) => Promise<void>
}

/** A request that the gateway carries out once however often it arrives. `idPayment`: the payment it creates. */
export interface RepeatableRequest extends RawRequest {
  readonly idPayment?: string | undefined
  /** How long the caller still waits for an answer. Default: as long as all attempts take. */
  readonly leftMs?: (() => number) | undefined
}

/**
 * Sends until a success or a refusal: the very same request is repeated after network errors, 5xx and 429
 * (specification 4.8: the id makes a repeat safe). Throws TollgateError for every answer that is not 2xx.
 */
export async function sendPatiently(parts: Patience, request: RepeatableRequest): Promise<RawResponse> {
  const attemptsMax = 1 + Math.min(parts.retries, RETRIES_MAX)
  const { leftMs = () => Infinity } = request
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await send(
        { ...parts, timeoutMs: Math.min(parts.timeoutMs, attemptMs(leftMs)) },
        request,
      )
      if (response.status >= 200 && response.status <= 299) return response
      throw errorOf(response, request.idPayment)
    } catch (error) {
      if (!(error instanceof TollgateError) || !error.retryable || attempt >= attemptsMax) throw error
      const pause = pauseMs(attempt, error.retryAfterSeconds)
      if (pause >= leftMs()) throw error
      await parts.sleep(pause)
    }
  }
}

/** How long one attempt may take; who waits without end gives it the longest time that a timer has. */
export const attemptMs = (leftMs: () => number): number =>
  Math.min(Math.max(Math.ceil(leftMs()), ATTEMPT_MS_MIN), TIMER_MS_MAX)

function pauseMs(attempt: number, retryAfterSeconds: number | undefined): number {
  const wanted =
    retryAfterSeconds === undefined ? PAUSE_FIRST_MS * 2 ** (attempt - 1) : retryAfterSeconds * 1000
  return Math.min(wanted, PAUSE_MS_MAX)
}
