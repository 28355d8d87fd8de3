export { type AdapterAddress, callAdapter } from './adapter-call.ts'
export {
  createOutboundClient,
  type OutboundAnswer,
  type OutboundCall,
  type OutboundClient,
  type OutboundRequest,
  type OutboundResult,
} from './client.ts'

export { createLargeAnswerClient, type LargeAnswerClient } from './large-answers.ts'

export {
  createAddressRule,
  judgeTarget,
  LIVE_PORTS,
  parseTargetUrl,
  type TargetPolicy,
  type TargetUrl,
} from './target.ts'
