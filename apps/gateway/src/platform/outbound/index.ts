export { createAddressRule, isPublicAddress } from './addresses.ts'
export {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundCall,
  type OutboundClient,
  type OutboundDeps,
  type OutboundRequest,
  type OutboundResult,
} from './client.ts'
export type { FailureReason } from './failure.ts'
export { judgeTarget, judgeTargetPolicy, LIVE_PORTS, type TargetPolicy } from './policy.ts'
export type { Resolve } from './resolve.ts'
export { parseTargetUrl, TARGET_CHARACTERS_MAX, type TargetUrl } from './target.ts'
