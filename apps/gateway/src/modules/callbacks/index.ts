export { listCallbackLeases, moveCallbacks } from './clock-store.ts'
export { countAnswers, eraseAnswers } from './erasure-store.ts'
export { expiringDeliveries } from './expiry-store.ts'
export type { FreshCallbacks } from './fresh.ts'
export {
  CALLBACK_SETTINGS,
  type CallbackSettings,
  type CallbackSigner,
  type CallbackWorker,
  type CallbackWorkerDeps,
  createCallbackWorker,
} from './jobs.ts'
export type { CallbackEvent, NewCallbackEvent } from './model.ts'
export { parkCallbacks, unparkCallbacks } from './park-store.ts'
export { readCallbackHistory } from './payment-history.ts'
export { presentCallback } from './present.ts'
export { type CallbackService, createCallbackService } from './service.ts'
export { CALLBACK_LIMITS } from './slots.ts'
export { findDueCallbacks, insertCallbackEvents } from './store.ts'
export { findExhaustedCallbacks } from './waiting.ts'
