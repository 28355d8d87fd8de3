import type { Secrets } from '../platform/secrets.ts'

// What the gateway and the hosted payment page share. Both derive from the root key: nothing is stored, nothing is asked for.

/** Under which the page seals its customers' sessions. */
export function checkoutSecret(secrets: Secrets): Buffer {
  return secrets.digest('checkout', 'sessions')
}

/** Opens the routes that are there for the page alone. */
export function checkoutServiceKey(secrets: Secrets): string {
  return secrets.digest('checkout', 'service key').toString('hex')
}
