export { REFUND_CHECKS } from './checks.ts'
export { createRefundService, type RefundDeps, type RefundService } from './service.ts'
