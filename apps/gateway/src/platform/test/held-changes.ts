import type {
  ConfigurationChanges,
  ConfigurationHandler,
  ConfigurationScope,
} from '../configuration-changes.ts'

/** Changes that the test announces by itself. */
export interface HeldChanges extends ConfigurationChanges {
  announce(scope: ConfigurationScope, merchantId?: string): Promise<void>
  /** From now on the changes were last read this long ago. */
  goStale(ms: number): void
}

export function heldChanges(): HeldChanges {
  const handlers: { readonly scope: ConfigurationScope; readonly handler: ConfigurationHandler }[] = []
  let staleMs = 0
  return {
    staleMs: () => staleMs,
    goStale: (ms) => {
      staleMs = ms
    },
    start: () => Promise.resolve(),
    stop: () => undefined,
    on: (scope, handler) => void handlers.push({ scope, handler }),
    async announce(scope, merchantId) {
      for (const known of handlers) if (known.scope === scope) await known.handler(merchantId)
    },
  }
}
