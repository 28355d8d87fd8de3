import { compareAmounts } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { CreateOrder } from '../payments/index.ts'
import {
  isPayeeBlocked,
  type PayoutPolicies,
  type PayoutRule,
  requestApproval,
  type WaitReason,
} from '../payouts/index.ts'

/**
 * What the house has agreed about a merchant's payouts applies to what it is settled, too: block-lists, and when people
 * have to approve. A rule that counts or looks back lets every settlement wait.
 */
export async function outgoingTerms(
  { policies, secrets }: { readonly policies: PayoutPolicies; readonly secrets: Secrets },
  { key, request }: Pick<CreateOrder, 'key' | 'request'>,
): Promise<Pick<CreateOrder, 'stop' | 'judge' | 'prepare'>> {
  const policy = await policies.of(key.merchantId)
  const reasons = reasonsBy(policy.rules.get(request.money.currencyCode), request)
  return {
    stop: policy.stopOf(key),
    judge: (accepted) => (isPayeeBlocked(secrets, policy, { request, accepted }) ? [BLOCKED] : []),
    prepare: async (tx, payment) =>
      reasons.length === 0 ? payment : requestApproval(tx, payment, { reasons, requestedBy: undefined }),
  }
}

const BLOCKED: RejectionItem = {
  code: 'BENEFICIARY_BLOCKED',
  message: 'Your registered account is on the block-list.',
}

function reasonsBy(rule: PayoutRule | undefined, { money }: CreateOrder['request']): readonly WaitReason[] {
  if (rule === undefined) return []
  if (rule.amountFrom !== undefined && compareAmounts(money.amount, rule.amountFrom) >= 0) return ['AMOUNT']
  return rule.newBeneficiary || rule.dailySumFrom !== undefined ? ['SETTLEMENT'] : []
}
