export { REFUND_CHECKS } from './checks.ts'
export { readRefundHistory } from './payment-history.ts'
export { createRefundService, type RefundDeps, type RefundService } from './service.ts'
