import type { ErrorCode } from '@tollgate/contract/words'
import { createAddressRule, judgeTarget, type TargetPolicy } from '../../platform/outbound/index.ts'
import type { RejectionItem } from '../../platform/refusal.ts'
import type { PaymentRequest } from './request.ts'

/** Judges the URLs of a request by the house's policies and the merchant's own origins; an empty list allows all. */
export type UrlJudge = (
  request: Pick<PaymentRequest, 'callbackUrl' | 'returnUrl'>,
  allowedOrigins: readonly string[],
) => readonly RejectionItem[]

/** Compiles the policies, once per process: requests are many. */
export function createUrlJudge(policies: {
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
}): UrlJudge {
  const callback = judgeField('callbackUrl', 'CALLBACK_URL_NOT_ALLOWED', policies.callbackPolicy)
  const returning = judgeField('returnUrl', 'RETURN_URL_NOT_ALLOWED', policies.returnPolicy)
  return ({ callbackUrl, returnUrl }, allowedOrigins) => [
    ...(callbackUrl === undefined ? [] : callback(callbackUrl, allowedOrigins)),
    ...(returnUrl === undefined ? [] : returning(returnUrl, allowedOrigins)),
  ]
}

function judgeField(field: string, code: ErrorCode, policy: TargetPolicy) {
  const isAllowed = createAddressRule(policy)
  return (url: URL, allowedOrigins: readonly string[]): readonly RejectionItem[] => {
    const own = allowedOrigins.length === 0 ? policy : { ...policy, allowedOrigins }
    const problem = judgeTarget(url, own, isAllowed)
    return problem === undefined ? [] : [{ code, message: `${field} ${problem}.`, field }]
  }
}
