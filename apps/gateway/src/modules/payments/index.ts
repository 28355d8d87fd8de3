export { type AcceptTerms, CapExceeded } from './accept/accepting.ts'
export {
  type Accepted,
  awaitingApproval,
  type CreateOrder,
  createIntake,
  type Intake,
  type IntakeDeps,
  type KnownCustomer,
  referenceOfOutgoing,
} from './accept/intake.ts'
export { explainMerchantOptions } from './accept/options.ts'
export {
  digestPayee,
  exactFormerDigestOf,
  formerDigestOf,
  type PayeeSource,
  payeeOf,
} from './accept/payee.ts'
export {
  type CreateBody,
  type PaymentRequest,
  readMoney,
  readRequest,
  readReturnUrl,
  readUrl,
} from './accept/request.ts'
export type { AcceptVerdict, NewPayment } from './accept/store.ts'
export { BOOKING_CHECKS, PAYMENT_CHECKS } from './checks.ts'
export {
  type DocumentEvidence,
  documentEvidence,
  type Evidence,
  type EvidenceClass,
  evidenceMissing,
  operatorsNeeded,
} from './evidence.ts'
export { createPaymentWorker, type PaymentWorker } from './jobs.ts'
export {
  type FeeConversion,
  HOLD_CAUSES,
  type HoldCause,
  isFinal,
  isOutgoing,
  OPERATOR_ACTOR_PREFIX,
  PAYMENT_KINDS,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentKey,
  type PaymentKind,
  PROCESSOR_STATUSES,
  type ProcessorStatus,
  type Proposal,
  textOf,
} from './model.ts'
export type { ApprovalJudge } from './people/approval.ts'
export { createPaymentDesk, type PaymentDesk } from './people/desk.ts'
export { readPaymentHistory } from './people/history-store.ts'
export type { HoldOrder } from './people/holding.ts'
export { findPayeeHistory, type PayeeHistory } from './people/payee-store.ts'
export {
  DECISIONS_NEEDED,
  type ListPowerless,
  openOutcomes,
  type ReviewOrder,
  type ReviewRules,
  type ReviewVerdict,
} from './people/review.ts'
export { createPaymentSearch } from './people/search.ts'
export {
  type ListedPayment,
  listOutgoing,
  listReviews,
  type OutgoingPosition,
  type OutgoingQuery,
  type ReviewedPayment,
  type ReviewPosition,
} from './people/store.ts'
export { findHeld, findReviews, findUnapproved } from './people/waiting.ts'
export {
  presentAccepted,
  presentAccounts,
  presentDetail,
  presentMoney,
  presentProcess,
  presentTimelineEntry,
  presentTriggered,
} from './present.ts'
export { ERASURE_CHECKS } from './privacy/checks.ts'
export {
  type CustomerPaymentService,
  createCustomerPaymentService,
  hasOpenPayments,
} from './privacy/customer-payments.ts'
export { erasePayments } from './privacy/erasure.ts'
export { expiringInquiries, paymentsToErase } from './privacy/expiry-store.ts'
export { countPersonalData, listKeysOfCustomer } from './privacy/payer-store.ts'
export { sweepPayersAgain } from './privacy/payers.ts'
export {
  type HeldPayment,
  openPersonalData,
  type PersonalData,
  sealPersonalData,
  withSealedData,
} from './privacy/personal-data.ts'
export { listPersonalData } from './privacy/personal-data-store.ts'
export { hasRealPayments, listPaymentLeases, movePayments } from './progress/clock-store.ts'
export {
  type CollectDeps,
  type Collected,
  type CollectedPayment,
  handOver,
  lockCollectable,
} from './progress/collecting.ts'
export { type HoldEntry, listHolds } from './progress/hand-over-store.ts'
export {
  type Inquiry,
  REVIEW_OUTCOMES,
  type ReviewOutcome,
  raiseInquiryNumbers,
} from './progress/inquiry-store.ts'
export {
  findFirstOnChain,
  listOpenPaymentsByAmount,
  listPaymentsByExternalReference,
  listPaymentsByReference,
  listPaymentsByWallet,
  listWalletsInTurn,
  type NamedPayment,
  type WalletPayment,
} from './progress/match-store.ts'
export { countPayments, listBoundPayments, parkTasks, unparkTasks } from './progress/park-store.ts'
export { contradicts } from './progress/phases.ts'
export type { TalkResult } from './progress/rail-talk.ts'
export { findPaymentByReference } from './progress/reference-store.ts'
export { mayBeOfBank } from './progress/references.ts'
export { type HeardReport, keepAnswer, putForward, type ReportDeps } from './progress/reports.ts'
export { countHeldSinceRestore, listKnownIds, listKnownReferences } from './progress/restore-store.ts'
export { findDueTasks } from './progress/task-store.ts'
export { type TransitionDeps, type TransitionOutcome, transition } from './progress/transitions.ts'
export { type Triggered, triggerOutcome } from './progress/trigger.ts'
export { type CollectedData, createPaymentService, type PaymentService } from './service.ts'
export { lockPayment, type PhaseChange, updatePhase, updatePhases } from './store.ts'
export { kindWord, unknownPayment } from './unknown-payment.ts'
export { createVolumeWorker, type VolumeWorker } from './volumes/counting.ts'
export { createVolumeReader } from './volumes/reading.ts'
export { recountMerchant, recountVolumes } from './volumes/store.ts'
