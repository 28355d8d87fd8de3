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
export type { Resolve } from './resolve.ts'
export {
  createAddressRule,
  isPublicAddress,
  judgeTarget,
  judgeTargetPolicy,
  LIVE_PORTS,
  parseTargetUrl,
  TARGET_CHARACTERS_MAX,
  type TargetPolicy,
  type TargetUrl,
} from './target.ts'
