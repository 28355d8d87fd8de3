import type { OptionsRequest, PayoutCreate } from '@tollgate/contract'
import type { Caller } from '../../http/app-type.ts'
import type { Tx } from '../../platform/database.ts'
import type { RejectionItem } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { PaymentOption } from '../catalogue/index.ts'
import {
  type Accepted,
  awaitingApproval,
  type CreateOrder,
  exactFormerDigestOf,
  type Intake,
  type NewPayment,
  type PayeeSource,
  type Payment,
  type PaymentKey,
  readRequest,
} from '../payments/index.ts'
import {
  needsDatabase,
  type PayoutRule,
  reaches,
  type WaitReason,
  waitsForAmount,
  waitsForCredential,
} from './model.ts'
import { isPayeeBlocked, type PayoutPolicies, type PayoutPolicy } from './policies.ts'
import { addToDailySum, findKnownBeneficiary } from './rule-store.ts'
import { type ApprovalRequest, insertRequest } from './store.ts'

export interface PayoutDeps {
  readonly intake: Intake
  readonly policies: PayoutPolicies
  readonly secrets: Secrets
}

/** Outgoing payments, in the order of the specification (section 4.3). Refusals are thrown. */
export interface PayoutService {
  listOptions(caller: Caller, request: OptionsRequest): Promise<readonly PaymentOption[]>
  create(caller: Caller, idPayout: string, body: PayoutCreate): Promise<Accepted>
  read(caller: Caller, idPayout: string): Promise<Payment>
}

export function createPayoutService(deps: PayoutDeps): PayoutService {
  const { intake } = deps
  return {
    listOptions: (caller, request) => intake.listOptions(caller, 'PAYOUT', request),
    create: (caller, idPayout, body) => create(deps, keyOf(caller, idPayout), { caller, body }),
    read: (caller, idPayout) => intake.read(keyOf(caller, idPayout)),
  }
}

const keyOf = (caller: Caller, idPayout: string): PaymentKey => ({
  merchantId: caller.merchantId,
  kind: 'PAYOUT',
  idPayment: idPayout,
})

async function create(
  { intake, policies, secrets }: PayoutDeps,
  key: PaymentKey,
  { caller, body }: { readonly caller: Caller; readonly body: PayoutCreate },
): Promise<Accepted> {
  // Member by member: what the schema does not know, such as a `returnUrl`, is ignored.
  const { paymentRequested: requested, paymentMethod, callbackUrl, customer } = body
  const request = readRequest(caller, {
    requested,
    requestedField: 'paymentRequested',
    paymentMethod,
    callbackUrl,
    customer,
  })
  const policy = await policies.of(caller.merchantId)
  return intake.create({
    caller,
    key,
    direction: 'PAYOUT',
    request,
    ...payoutTerms(secrets, policy, { caller, key, request }),
  })
}

/** What was agreed about a merchant's payouts: block-lists, restores, and when people have to approve. */
export function payoutTerms(
  secrets: Secrets,
  policy: PayoutPolicy,
  { caller, key, request }: Pick<CreateOrder, 'caller' | 'key' | 'request'>,
): Pick<CreateOrder, 'stop' | 'judge' | 'needsApproval' | 'prepare'> {
  return {
    stop: policy.stopOf(key),
    judge: (accepted) => judgePayee(secrets, policy, { request, accepted }),
    ...waitingTerms(secrets, policy.rules.get(request.money.currencyCode), { caller, request }),
  }
}

function judgePayee(secrets: Secrets, policy: PayoutPolicy, source: PayeeSource): readonly RejectionItem[] {
  if (!isPayeeBlocked(secrets, policy, source)) return []
  const message = 'The account to pay to is on the block-list.'
  return [{ code: 'BENEFICIARY_BLOCKED', message, field: 'paymentMethod.account.accountNumber' }]
}

/**
 * An amount is judged here and now; only a rule that looks back or counts takes a transaction of the payout's own, and a half
 * credential, for which the reason is stored.
 */
function waitingTerms(
  secrets: Secrets,
  rule: PayoutRule | undefined,
  { caller, request }: Pick<CreateOrder, 'caller' | 'request'>,
): Pick<CreateOrder, 'needsApproval' | 'prepare'> {
  const half = waitsForCredential(caller)
  const counting = rule !== undefined && needsDatabase(rule) ? rule : undefined
  const byAmount = waitsForAmount(rule, request.money.amount)
  const needsApproval = byAmount || half.length > 0
  if (counting === undefined && half.length === 0) return { needsApproval }
  const known: readonly WaitReason[] = [...(byAmount ? (['AMOUNT'] as const) : []), ...half]
  return {
    needsApproval,
    prepare: async (tx, payment) => {
      const former = exactFormerDigestOf(secrets, request)
      const counted = counting && (await judgeInTransaction(tx, counting, { payment, former }))
      const reasons = [...known, ...(counted ?? [])]
      if (reasons.length === 0) return payment
      return requestApproval(tx, payment, { reasons, requestedBy: undefined })
    },
  }
}

/** Every payout is counted, whether it waits for another reason or not. */
async function judgeInTransaction(
  tx: Tx,
  rule: PayoutRule,
  { payment, former }: { readonly payment: NewPayment; readonly former: Buffer | undefined },
): Promise<readonly WaitReason[]> {
  const reasons: WaitReason[] = []
  if (rule.newBeneficiary && !(await findKnownBeneficiary(tx, payment, former)))
    reasons.push('NEW_BENEFICIARY')
  if (rule.dailySumFrom !== undefined && reaches(await addToDailySum(tx, payment), rule.dailySumFrom))
    reasons.push('DAILY_SUM')
  return reasons
}

/**
 * The payment as one that waits for two operators, with why and who of the gateway asked for it: that one can never be among
 * the two. For the `prepare` of a create: it is accepted with the request, or both are not.
 */
export async function requestApproval(
  tx: Tx,
  payment: NewPayment,
  request: ApprovalRequest,
): Promise<NewPayment> {
  await insertRequest(tx, payment, request)
  return awaitingApproval(payment)
}
