export { type AcceptVerdict, CapExceeded, type NewPayment } from './accept-store.ts'
export { createPaymentWorker, type PaymentWorker } from './jobs.ts'
export {
  PAYMENT_STATUSES,
  type Payment,
  type PaymentKey,
  PROCESSOR_STATUSES,
  type ProcessorStatus,
  type Proposal,
} from './model.ts'
export { sealPersonalData } from './personal-data.ts'
export { type CollectedData, createPaymentService, type PaymentService } from './service.ts'
