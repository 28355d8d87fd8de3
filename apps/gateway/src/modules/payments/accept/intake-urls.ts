import type { ErrorCode } from '@tollgate/contract/words'
import { createAddressRule, judgeTarget, type TargetPolicy } from '../../../platform/outbound/index.ts'
import type { RejectionItem } from '../../../platform/refusal.ts'
import type { PaymentRequest } from './request.ts'

/** The origins that a merchant's addresses must have: an empty list allows none, undefined any. */
export interface AllowedOrigins {
  readonly callbackOrigins: readonly string[] | undefined
  readonly returnOrigins: readonly string[] | undefined
}

/** Judges the URLs of a request by the gateway's policies and the merchant's own origins. */
export type UrlJudge = (
  request: Pick<PaymentRequest, 'callbackUrl' | 'returnUrl'>,
  allowed: AllowedOrigins,
) => readonly RejectionItem[]

/** Compiles the policies, once per process: requests are many. */
export function createUrlJudge(policies: {
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
}): UrlJudge {
  const callback = judgeField('callbackUrl', 'CALLBACK_URL_NOT_ALLOWED', policies.callbackPolicy)
  const returning = judgeField('returnUrl', 'RETURN_URL_NOT_ALLOWED', policies.returnPolicy)
  return ({ callbackUrl, returnUrl }, { callbackOrigins, returnOrigins }) => [
    ...(callbackUrl === undefined ? [] : callback(callbackUrl, callbackOrigins)),
    ...(returnUrl === undefined ? [] : returning(returnUrl, returnOrigins)),
  ]
}

function judgeField(field: string, code: ErrorCode, policy: TargetPolicy) {
  const isAllowed = createAddressRule(policy)
  return (url: URL, allowedOrigins: readonly string[] | undefined): readonly RejectionItem[] => {
    const own = allowedOrigins === undefined ? policy : { ...policy, allowedOrigins }
    const problem =
      allowedOrigins?.length === 0
        ? 'has an origin that is not allowed: none is, until an operator sets some with `tollgate merchants set-origins`'
        : judgeTarget(url, own, isAllowed)
    return problem === undefined ? [] : [{ code, message: `${field} ${problem}.`, field }]
  }
}
