export { ActImpossible } from './errors.ts'
export { countActsAbout, EXPIRING_ACTS } from './expiry-store.ts'
export { type ConfirmationWorker, createConfirmationWorker } from './jobs.ts'
export {
  type Act,
  type ActKind,
  type ActState,
  type ChangedPayment,
  type ConsequenceSum,
  type Consequences,
  type NewAct,
  type SecondPersonPolicy,
  sumsByCurrency,
  sumsOfPayments,
} from './model.ts'
export {
  ANYBODY,
  isSecondPersonWanted,
  listNeedingSecond,
  policyOf,
  recordPolicy,
  type SecondPersonSettings,
} from './policy.ts'
export { presentAct, presentWaiting } from './present.ts'
export { createSecondPerson, type SecondPerson } from './second-person.ts'
export {
  type ActView,
  type ConfirmationService,
  type ConfirmOrder,
  createConfirmationService,
  type OpenedAct,
  type Performer,
} from './service.ts'
export { expireAllActs } from './store.ts'
export { findWaitingActs } from './waiting.ts'
