import type { Payin } from './records.ts'

// How long a customer's session lasts. It begins with a token and ends with it, unless there is a payment to look at.

/** A payment is seen for so long after its token has ended, and not longer. */
const AFTER_TOKEN_MS = 14 * 86_400_000
/** How a payment ended is seen for so long, even if its token lives shorter. */
const AFTER_END_MS = 86_400_000

/** When the session of a payment ends, in milliseconds since 1970. */
export function sessionEndMs({ process, paymentMethodResponse }: Payin, tokenEndMs: number): number {
  const lastMs = tokenEndMs + AFTER_TOKEN_MS
  if (process.status === 'CREATED') return lastMs
  const endedMs = Date.parse(process.processedAt ?? paymentMethodResponse.expireAt)
  return Math.min(lastMs, Math.max(tokenEndMs, endedMs + AFTER_END_MS))
}
