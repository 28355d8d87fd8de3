export type { NewPayment } from './accept-rows.ts'
export type { AcceptVerdict } from './accept-store.ts'
export { type AcceptTerms, CapExceeded } from './accepting.ts'
export { type ApprovalJudge, awaitingApproval, type HeldPayment, withSealedData } from './approval.ts'
export {
  type ListedPayment,
  listOutgoing,
  type OutgoingPosition,
  type OutgoingQuery,
} from './approval-store.ts'
export {
  type CollectDeps,
  type Collected,
  type CollectedPayment,
  handOver,
  lockCollectable,
} from './collecting.ts'
export {
  type CustomerPaymentService,
  createCustomerPaymentService,
  hasOpenPayments,
} from './customer-payments.ts'
export { eraseCustomerPayments, erasePayments } from './erasure.ts'
export {
  type DocumentEvidence,
  documentEvidence,
  type Evidence,
  type EvidenceClass,
  evidenceMissing,
  operatorsNeeded,
} from './evidence.ts'
export { type HoldEntry, listHolds } from './hold-store.ts'
export type { HoldOrder } from './holding.ts'
export { type Inquiry, REVIEW_OUTCOMES, type ReviewOutcome } from './inquiry-store.ts'
export {
  type Accepted,
  type CreateOrder,
  createIntake,
  type Intake,
  type IntakeDeps,
  type KnownCustomer,
} from './intake.ts'
export { type CreateBody, readMoney, readRequest, readReturnUrl, readUrl } from './intake-request.ts'
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
export { referenceOfOutgoing } from './new-payment.ts'
export { digestPayee, exactFormerDigestOf, formerDigestOf, type PayeeSource, payeeOf } from './payee.ts'
export { openPersonalData, type PersonalData, sealPersonalData } from './personal-data.ts'
export { listPersonalData } from './personal-data-store.ts'
export { contradicts } from './phases.ts'
export {
  presentAccepted,
  presentAccounts,
  presentDetail,
  presentMoney,
  presentProcess,
  type Wording,
} from './present.ts'
export type { TalkResult } from './rail-talk.ts'
export { mayBeOfBank } from './reference-format.ts'
export { findPaymentByReference } from './reference-store.ts'
export { type HeardReport, keepAnswer, putForward, type ReportDeps } from './reports.ts'
export type { PaymentRequest } from './request.ts'
export { DECISIONS_NEEDED, type ReviewOrder, type ReviewVerdict } from './review.ts'
export {
  listReviews,
  type ReviewedPayment,
  type ReviewPosition,
} from './review-store.ts'
export { type CollectedData, createPaymentService, type PaymentService } from './service.ts'
export { type PhaseChange, updatePhase } from './store.ts'
export { type TransitionDeps, type TransitionOutcome, transition } from './transitions.ts'
export { TRIGGER_OUTCOMES, type Triggered, type TriggerOutcome, triggerOutcome } from './trigger.ts'
