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
  type CustomerPaymentService,
  createCustomerPaymentService,
  eraseCustomerPayments,
  hasOpenPayments,
} from './customer-payments.ts'
export {
  type Accepted,
  type CreateOrder,
  createIntake,
  type Intake,
  type IntakeDeps,
  type KnownCustomer,
} from './intake.ts'
export { type CreateBody, readMoney, readRequest } from './intake-request.ts'
export { createPaymentWorker, type PaymentWorker } from './jobs.ts'
export {
  type FeeConversion,
  isFinal,
  isOutgoing,
  OPERATOR_ACTOR_PREFIX,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentKey,
  type PaymentKind,
  PROCESSOR_STATUSES,
  type ProcessorStatus,
  type Proposal,
} from './model.ts'
export { digestBeneficiary } from './new-payment.ts'
export { openPersonalData, type PersonalData, sealPersonalData } from './personal-data.ts'
export {
  presentAccepted,
  presentAccounts,
  presentDetail,
  presentMoney,
  presentProcess,
  type Wording,
} from './present.ts'
export { beneficiaryOf, type PaymentRequest } from './request.ts'
export { customerPaymentRoutes } from './routes.ts'
export { type CollectedData, createPaymentService, type PaymentService } from './service.ts'
