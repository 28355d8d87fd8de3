import { CALLBACK_SETTINGS, type CallbackWorker, createCallbackWorker } from '../modules/callbacks/index.ts'
import { createOutboundClient } from '../platform/outbound/index.ts'
import { VERSION } from '../platform/version.ts'
import type { Identity } from './identity.ts'
import { callbackPolicy, type Parts } from './parts.ts'

/** Telling merchants. */
export interface Callbacks {
  readonly worker: CallbackWorker
  /** Cuts what is under way to receivers: only when the worker has stopped. */
  close(): Promise<void>
}

/** Puts together what sends callbacks; it does nothing before its worker is started. */
export function buildCallbacks(parts: Parts, { signer }: Pick<Identity, 'signer'>): Callbacks {
  const { config } = parts
  const outbound = createOutboundClient({ policy: callbackPolicy(config) })
  const worker = createCallbackWorker({
    ...parts,
    db: parts.workerDb,
    outbound,
    sign: (merchantId, message) => signer.sign(merchantId, message),
    settings: {
      ...CALLBACK_SETTINGS,
      version: VERSION,
      intervalSeconds: config.TOLLGATE_CALLBACK_INTERVAL_SECONDS,
      deadlineMs: config.TOLLGATE_CALLBACK_TIMEOUT_SECONDS * 1000,
    },
  })
  return { worker, close: () => outbound.close() }
}
