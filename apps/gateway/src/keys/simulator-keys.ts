import type { Secrets } from '../platform/secrets.ts'

// What the gateway and the bank simulator share. Both derive from the root key: nothing is stored, nothing is asked for.

/** The name under which both know the secret. */
export const SIMULATOR_KEY_ID = 'sandbox'

/** The rail that talks to the simulator, and that its notifications name. */
export const SIMULATOR_RAIL_CODE = 'simulator'

/** Signs what the gateway and the simulator say to each other. */
export function simulatorSecret(secrets: Secrets): Buffer {
  return secrets.digest('rail simulator', 'shared secret')
}

/** Opens the simulator's admin API. */
export function simulatorAdminKey(secrets: Secrets): string {
  return secrets.digest('rail simulator', 'admin key').toString('hex')
}
