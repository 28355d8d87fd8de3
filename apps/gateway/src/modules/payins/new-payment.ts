import type { Ids } from '../../platform/ids.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Instructions, Plan, Rail, RailCustomer } from '../../rails/rail.ts'
import type { AcceptedPayment } from '../catalogue/index.ts'
import { type NewPayment, type PaymentKey, sealPersonalData } from '../payments/index.ts'
import type { PayinRequest } from './model.ts'

export interface NewPaymentDeps {
  readonly ids: Ids
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly isLive: boolean
}

export interface NewPaymentInput {
  readonly key: PaymentKey
  readonly merchantCode: string
  readonly request: PayinRequest
  readonly digest: Buffer
  readonly accepted: AcceptedPayment
}

const REFERENCE_LENGTH = 12

/** The payment that a request becomes once it is accepted. Pure but for its ids and the encryption of personal data. */
export function buildPayment(deps: NewPaymentDeps, input: NewPaymentInput): NewPayment {
  const { key, request, accepted } = input
  const rail = deps.rails.get(accepted.rail)
  if (rail === undefined)
    throw new Error(
      `the method ${accepted.method.code} names the rail ${accepted.rail}, which does not exist`,
    )
  const reference = deps.ids.readable(REFERENCE_LENGTH)
  const customer = customerOf(request)
  const plan = rail.plan({
    kind: 'PAYIN',
    idPayment: key.idPayment,
    merchantCode: input.merchantCode,
    reference,
    money: request.money,
    methodCode: accepted.method.code,
    operatorCode: accepted.operator?.code,
    customer,
    returnUrl: request.returnUrl?.href,
  })
  return {
    ...key,
    nonce: deps.ids.uuid(),
    requestDigest: input.digest,
    processorStatus: isReferenceAwaited(plan, accepted) ? 'AWAITING_REFERENCE' : 'AWAITING_CUSTOMER',
    amount: request.money.amount,
    currencyCode: request.money.currencyCode,
    feeAmount: accepted.fee.amount,
    methodCode: accepted.method.code,
    operatorCode: accepted.operator?.code,
    segmentCode: request.segmentCode,
    rail: rail.code,
    reference,
    instructions: instructionsFor(plan, accepted),
    callbackUrl: request.callbackUrl.href,
    returnUrl: request.returnUrl?.href,
    isTest: !deps.isLive,
    expiresAfterSeconds: plan.expiresAfterSeconds ?? accepted.expiresAfterSeconds,
    personalData: sealPersonalData(deps.secrets, key, customer),
    startsAtOnce: plan.startsAtOnce,
  }
}

function isReferenceAwaited(plan: Plan, accepted: AcceptedPayment): boolean {
  return plan.awaitsReference === true || accepted.externalReference === 'REQUIRED'
}

function instructionsFor(plan: Plan, accepted: AcceptedPayment): Instructions {
  const takesReference = isReferenceAwaited(plan, accepted) || accepted.externalReference === 'OPTIONAL'
  return takesReference ? { ...plan.instructions, takesReference } : plan.instructions
}

function customerOf({ account, emailAddress }: PayinRequest): RailCustomer {
  return {
    ...(account?.accountName !== undefined && { accountName: account.accountName }),
    ...(account?.accountNumber !== undefined && { accountNumber: account.accountNumber }),
    ...(account?.bankCode !== undefined && { bankCode: account.bankCode }),
    ...(emailAddress !== undefined && { emailAddress }),
  }
}
