/** What a merchant's program hears: 201; 500 with `Retry-After` from the gateway; 503 without it from the router. */
export type Answer = 'ACCEPTED' | 'REFUSED' | 'AWAY'

/** How a merchant's program repeats a create that was not accepted, with the same id. */
export interface Client {
  readonly name: string
  readonly retries: number
  /** After the attempt of this number, from 1 on. */
  pauseMs(attempt: number, answer: Answer): number
}

// packages/sdk/src/patience.ts, and Retry-After in apps/gateway/src/http/errors.ts.
const PAUSE_FIRST_MS = 250
const PAUSE_MS_MAX = 10_000
const RETRY_AFTER_MS = 2_000

const pauseOfSdk = (attempt: number, answer: Answer): number =>
  answer === 'REFUSED' ? RETRY_AFTER_MS : Math.min(PAUSE_FIRST_MS * 2 ** (attempt - 1), PAUSE_MS_MAX)

/** The SDK as it is when nothing is set. */
export const SDK: Client = { name: 'SDK, 2 repeats', retries: 2, pauseMs: pauseOfSdk }
/** The SDK with the most repeats that it takes, which go on for almost a minute. */
export const PATIENT: Client = { name: 'SDK, 10 repeats', retries: 10, pauseMs: pauseOfSdk }
/** An assumption: a program that makes its pauses no longer. */
export const HASTY: Client = { name: 'every 2 s', retries: 30, pauseMs: () => RETRY_AFTER_MS }
