export {
  type ApprovalDeps,
  type ApprovalService,
  createApprovalService,
  type DecisionOrder,
  type HoldOrderByCode,
  type ListOrder,
  type OutgoingPage,
} from './approvals.ts'
export type { BlockedAccount } from './block-store.ts'
export {
  createGapService,
  describeUnproven,
  GapRefused,
  type GapService,
  type UnprovenGap,
} from './gap.ts'
export { findOpenGap, type GapOpened, type OutgoingKind, openGap, type RestoreGap } from './gap-store.ts'
export type { GapAccount, GapDebit, GapView, UnknownDebit } from './gap-view.ts'
export { createGapWatch } from './jobs.ts'
export {
  APPROVALS_NEEDED,
  contentHashOf,
  HOUSE_ID,
  type PayoutRule,
  type WaitReason,
} from './model.ts'
export type { PayeeView } from './payees.ts'
export { createPayoutPolicies, isPayeeBlocked, type PayoutPolicies } from './policies.ts'
export { presentPayee } from './present.ts'
export { createPayoutService, type PayoutDeps, type PayoutService, requestApproval } from './service.ts'
export { createPayoutSettings, type PayoutSettings } from './settings.ts'
export { type ApprovalRequest, listDecisions, type StoredDecision } from './store.ts'
export type { OutgoingView } from './views.ts'
