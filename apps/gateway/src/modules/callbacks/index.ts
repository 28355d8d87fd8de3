export type { CallbackFilter } from './history-store.ts'
export {
  CALLBACK_SETTINGS,
  type CallbackSettings,
  type CallbackSigner,
  type CallbackWorker,
  type CallbackWorkerDeps,
  createCallbackWorker,
} from './jobs.ts'
export {
  CALLBACK_KINDS,
  CALLBACK_STATES,
  type CallbackAttempt,
  type CallbackEvent,
  type CallbackKind,
  type CallbackOutcome,
  type CallbackState,
  type NewCallbackEvent,
} from './model.ts'
export { presentCallback } from './present.ts'
export {
  CALLBACKS_LISTED_MAX,
  type CallbackService,
  createCallbackService,
  type ResendVerdict,
} from './service.ts'
export { CALLBACK_LIMITS, type CallbackLimits } from './slots.ts'
export { insertCallbackEvents } from './store.ts'
