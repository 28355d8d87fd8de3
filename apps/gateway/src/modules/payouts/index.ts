export {
  type ApprovalDeps,
  type ApprovalService,
  createApprovalService,
  type DecisionOrder,
} from './approvals.ts'
export { movePayouts } from './clock-store.ts'
export { createGapService, describeUnproven, type GapService } from './gap.ts'
export { findOpenGap, hasGapTracesOf } from './gap-store.ts'
export type { UnknownDebit } from './gap-view.ts'
export { createGapWatch } from './jobs.ts'
export { contentHashOf, type PayoutRule, type WaitReason, waitsForCredential } from './model.ts'
export { readApprovalHistory } from './payment-history.ts'

export { createPayoutPolicies, isPayeeBlocked, type PayoutPolicies } from './policies.ts'
export { findKnownBeneficiary } from './rule-store.ts'

export {
  createPayoutService,
  type PayoutDeps,
  type PayoutService,
  payoutTerms,
  requestApproval,
} from './service.ts'
export { createPayoutSettings, type PayoutSettings } from './settings.ts'
export { listDecisions } from './store.ts'
export type { OutgoingView } from './views.ts'
