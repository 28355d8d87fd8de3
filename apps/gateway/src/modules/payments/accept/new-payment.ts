import { type Ids, readableFrom } from '@tollgate/runtime'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Instructions, Plan, Rail, RailCustomer } from '../../../rails/rail.ts'
import type { AcceptedPayment } from '../../catalogue/index.ts'
import { isOutgoing, type PaymentKey, type ProcessorStatus } from '../model.ts'
import { sealPersonalData } from '../privacy/personal-data.ts'
import { digestPayee, payeeOf } from './payee.ts'
import type { PaymentRequest } from './request.ts'
import type { NewPayment } from './store.ts'

export interface NewPaymentDeps {
  readonly ids: Ids
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly isLive: boolean
}

interface NewPaymentInput {
  readonly key: PaymentKey
  readonly merchantCode: string
  readonly request: PaymentRequest
  readonly digest: Buffer
  readonly accepted: AcceptedPayment
  /** The hosted payment page, for customers who pay there. */
  readonly pageUrl?: URL | undefined
}

const REFERENCE_LENGTH = 12
/** How long an outgoing payment waits for approval, or for a rail that takes it, before its money is released. */
const OUTGOING_EXPIRES_SECONDS = 259_200

/** The payment that a request becomes once it is accepted. Pure but for its ids and the encryption of personal data. */
export function buildPayment(deps: NewPaymentDeps, input: NewPaymentInput): NewPayment {
  const { key, request, accepted, pageUrl } = input
  const rail = railOf(deps, accepted)
  const reference = isOutgoing(key.kind)
    ? referenceOfOutgoing(deps.secrets, input)
    : deps.ids.readable(REFERENCE_LENGTH)
  const customer = customerOf(request)
  const operatorCode = accepted.operator?.code
  const plan = rail.plan({
    kind: key.kind === 'SETTLEMENT' ? 'PAYOUT' : key.kind,
    idPayment: key.idPayment,
    merchantCode: input.merchantCode,
    reference,
    money: request.money,
    methodCode: accepted.method.code,
    operatorCode,
    customer,
    returnUrl: (pageUrl ?? request.returnUrl)?.href,
  })
  const processorStatus = phaseAtFirst(key, plan, accepted)
  return {
    ...key,
    nonce: deps.ids.uuid(),
    requestDigest: input.digest,
    processorStatus,
    amount: request.money.amount,
    currencyCode: request.money.currencyCode,
    feeAmount: accepted.fee.amount,
    feeConversion: accepted.feeConversion,
    methodCode: accepted.method.code,
    operatorCode,
    segmentCode: request.segmentCode,
    idCustomer: request.idCustomer,
    rail: carrierOf(rail, plan),
    reference,
    instructions: { ...instructionsFor(key, plan, accepted), ...(pageUrl && { returnTo: pageUrl.href }) },
    callbackUrl: request.callbackUrl?.href,
    returnUrl: request.returnUrlAsSent,
    isTest: !deps.isLive,
    expiresAfterSeconds: expiryOf(key, plan, accepted),
    personalData: sealPersonalData(deps.secrets, key, customer),
    startsAtOnce: plan.startsAtOnce && processorStatus !== 'AWAITING_APPROVAL',
    ...(isOutgoing(key.kind) && outgoingParts(deps, input)),
  }
}

/**
 * By which institutions know an outgoing payment. A function of who sends it under which id: when its record is lost with a
 * database, and it is accepted again, the institution recognizes it.
 */
export function referenceOfOutgoing(
  secrets: Secrets,
  {
    key,
    merchantCode,
  }: Pick<NewPaymentInput, 'merchantCode'> & { readonly key: Omit<PaymentKey, 'merchantId'> },
): string {
  const name = JSON.stringify([merchantCode, key.kind, key.idPayment])
  return readableFrom(secrets.digest('payout-reference', name).subarray(0, REFERENCE_LENGTH))
}

const carrierOf = (rail: Rail, { carriedBy }: Plan): string => carriedBy ?? rail.code

function railOf(deps: NewPaymentDeps, accepted: AcceptedPayment): Rail {
  const rail = deps.rails.get(accepted.rail)
  if (rail !== undefined) return rail
  throw new Error(`the method ${accepted.method.code} names the rail ${accepted.rail}, which does not exist`)
}

function phaseAtFirst({ kind }: PaymentKey, plan: Plan, accepted: AcceptedPayment): ProcessorStatus {
  if (isOutgoing(kind)) return plan.needsApproval === true ? 'AWAITING_APPROVAL' : 'QUEUED'
  return isReferenceAwaited(plan, accepted) ? 'AWAITING_REFERENCE' : 'AWAITING_CUSTOMER'
}

function expiryOf({ kind }: PaymentKey, plan: Plan, accepted: AcceptedPayment): number {
  return (
    plan.expiresAfterSeconds ?? (isOutgoing(kind) ? OUTGOING_EXPIRES_SECONDS : accepted.expiresAfterSeconds)
  )
}

function outgoingParts(
  { ids, secrets }: NewPaymentDeps,
  input: NewPaymentInput,
): Pick<NewPayment, 'holdTransferId' | 'beneficiaryDigest'> {
  const payee = payeeOf(input)
  return {
    holdTransferId: ids.uuid(),
    ...(payee !== undefined && { beneficiaryDigest: digestPayee(secrets, payee) }),
  }
}

function isReferenceAwaited(plan: Plan, accepted: AcceptedPayment): boolean {
  return plan.awaitsReference === true || accepted.externalReference === 'REQUIRED'
}

function instructionsFor({ kind }: PaymentKey, plan: Plan, accepted: AcceptedPayment): Instructions {
  if (isOutgoing(kind)) return plan.instructions
  const takesReference = isReferenceAwaited(plan, accepted) || accepted.externalReference === 'OPTIONAL'
  return takesReference ? { ...plan.instructions, takesReference } : plan.instructions
}

/** The customer's data of a request, as a rail takes them. */
export function customerOf({ account, emailAddress }: PaymentRequest): RailCustomer {
  return {
    ...(account?.accountName !== undefined && { accountName: account.accountName }),
    ...(account?.accountNumber !== undefined && { accountNumber: account.accountNumber }),
    ...(account?.bankCode !== undefined && { bankCode: account.bankCode }),
    ...(emailAddress !== undefined && { emailAddress }),
  }
}

/** The payment as one that waits for people instead of its rail. */
export function awaitingApproval(payment: NewPayment): NewPayment {
  return { ...payment, processorStatus: 'AWAITING_APPROVAL', startsAtOnce: false }
}
