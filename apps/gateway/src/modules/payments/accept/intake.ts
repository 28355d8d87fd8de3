import type { Money } from '@tollgate/money'
import { type Ids, readableFrom, type WallClock } from '@tollgate/runtime'
import type { Caller } from '../../../http/app-type.ts'
import type { TargetPolicy } from '../../../platform/outbound/index.ts'
import { Refusal, type RejectionItem, rejection } from '../../../platform/refusal.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Instructions, Plan, Rail, RailCustomer } from '../../../rails/rail.ts'
import {
  type AcceptedPayment,
  type CatalogueService,
  type Choice,
  type Direction,
  judgePayment,
  type PaymentOption,
  pathsOfCreate,
} from '../../catalogue/index.ts'
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts'
import type { RateService } from '../../rates/index.ts'
import { isOutgoing, type Payment, type PaymentKey, type ProcessorStatus } from '../model.ts'
import { sealPersonalData } from '../privacy/personal-data.ts'
import type { PaymentService } from '../service.ts'
import { unknownPayment } from '../unknown-payment.ts'
import { type AcceptTerms, CapExceeded } from './accepting.ts'
import { findChoices, findOptions, type OptionsOrder, USED_UP } from './options.ts'
import { digestPayee, payeeOf } from './payee.ts'
import {
  canonicalRequest,
  createUrlJudge,
  judgeSegment,
  objectionsOf,
  type PaymentRequest,
  type UrlJudge,
} from './request.ts'
import type { AcceptVerdict, NewPayment } from './store.ts'

/** What the creates need to know of a customer that a request names. */
export interface KnownCustomer {
  readonly status: 'ACTIVE' | 'BLOCKED'
  readonly segmentCode: string | undefined
}

export interface IntakeDeps {
  readonly ids: Ids
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly isLive: boolean
  readonly catalogue: CatalogueService
  /** By which fees are converted that are priced in another currency. */
  readonly rates: Pick<RateService, 'current'>
  readonly clock: Pick<WallClock, 'nowMs'>
  readonly merchants: MerchantDirectory
  readonly payments: PaymentService
  /** Undefined for a customer that is unknown or was erased. */
  readonly findCustomer: (merchantId: string, idCustomer: string) => Promise<KnownCustomer | undefined>
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
  /** True for an e-mail address that only means something in the sandbox. */
  readonly isSandboxAddress: (emailAddress: string | undefined) => boolean
  /** Tells the worker of this process that there is work: others find it by polling. */
  readonly wakeWorker: () => void
}

interface IntakeParts extends IntakeDeps {
  readonly judgeUrls: UrlJudge
}

/** A payment that was accepted just now. */
export interface Accepted {
  readonly money: Money
  readonly payment: NewPayment
  readonly acceptedAt: Date
  readonly expireAt: Date
}

/** A request under an id, and who sends it. */
export interface CreateOrder {
  readonly caller: Caller
  readonly key: PaymentKey
  readonly direction: Direction
  readonly request: PaymentRequest
  /** Further reasons to refuse it, beside those of the catalogue, which may have refused it already. */
  readonly judge?: (
    accepted: AcceptedPayment | undefined,
  ) => Promise<readonly RejectionItem[]> | readonly RejectionItem[]
  /** It is decided already that people have to approve it. */
  readonly needsApproval?: boolean
  /** Rules that count and decide in the transaction that accepts the payment; see AcceptTerms. */
  readonly prepare?: AcceptTerms['prepare']
  /** Nothing new is accepted under this id, now or ever; a repeat of what is here hears that it is. */
  readonly stop?: Refusal | undefined
  /** It is known already that it cannot be made. A repeat of what is here hears that it is. */
  readonly refusal?: Refusal | undefined
  /** What was asked for as one text, where the request says more than that: a repeat is recognized by it. */
  readonly asked?: string
  /** Replaces the catalogue's fee. */
  readonly fee?: Money
  /** Where the institution sends the customer back to, in place of the merchant's address. */
  readonly pageUrl?: URL | undefined
}

/** How payins, payouts, top-ups and paid-out settlements are taken in (specification 4.8). Refusals are thrown. */
export interface Intake {
  /** The options operations (specification 2.7). */
  listOptions(caller: Caller, direction: Direction, order: OptionsOrder): Promise<readonly PaymentOption[]>
  /** What a picker shows beside them. */
  listChoices(caller: Caller, direction: Direction, order: OptionsOrder): Promise<readonly Choice[]>
  /**
   * Accepts a payment. Everything is decided in memory, then one shared round trip stores it. Whether the id is taken
   * goes before business rules: a repeat of an accepted payment must never hear that it could not be made.
   */
  create(order: CreateOrder): Promise<Accepted>
  /** Throws what a create with these addresses would be refused for. */
  judgeAddresses(caller: Caller, urls: Pick<PaymentRequest, 'callbackUrl' | 'returnUrl'>): Promise<void>
  /** Throws ENTITY_NOT_FOUND. */
  read(key: PaymentKey): Promise<Payment>
}

export function createIntake(deps: IntakeDeps): Intake {
  const parts: IntakeParts = { ...deps, judgeUrls: createUrlJudge(deps) }
  return {
    listOptions: (caller, direction, order) => findOptions(parts, caller, { ...order, direction }),
    listChoices: (caller, direction, order) => findChoices(parts, caller, { ...order, direction }),
    create: (order) => create(parts, order),
    async judgeAddresses(caller, urls) {
      const items = parts.judgeUrls(urls, await merchantOf(parts, caller))
      if (items.length > 0) throw rejection(items)
    },
    async read(key) {
      const payment = await parts.payments.find(key)
      if (payment === undefined) throw unknownPayment(key)
      return payment
    },
  }
}

async function create(parts: IntakeParts, order: CreateOrder): Promise<Accepted> {
  const { caller, key } = order
  const digest = parts.secrets.digest('request-digest', order.asked ?? canonicalRequest(order.request))
  if (order.refusal !== undefined) return refuse(parts, { key, digest }, order.refusal)
  const judged = await judge(parts, order)
  if (!judged.ok) return refuse(parts, { key, digest }, rejection(judged.items))
  if (order.stop !== undefined) return refuse(parts, { key, digest }, order.stop)
  const { request, accepted } = judged
  const built = buildPayment(parts, {
    key,
    request,
    digest,
    accepted,
    merchantCode: caller.merchantCode,
    pageUrl: order.pageUrl,
  })
  const payment = order.needsApproval === true ? awaitingApproval(built) : built
  const verdict = await acceptWithinCap(parts, payment, { cap: accepted.dailyCap, prepare: order.prepare })
  if (verdict.kind === 'DUPLICATE') throw duplicate(verdict.acceptedAt, verdict.requestDigest.equals(digest))
  if (verdict.kind === 'INSUFFICIENT') throw insufficient(payment, request.money)
  if (payment.startsAtOnce) parts.wakeWorker()
  return { payment, money: request.money, acceptedAt: verdict.acceptedAt, expireAt: verdict.expireAt }
}

/** A repeat of an accepted payment hears that, and anything else why it is refused. */
async function refuse(
  parts: IntakeParts,
  { key, digest }: { readonly key: PaymentKey; readonly digest: Buffer },
  refusal: Refusal,
): Promise<never> {
  const existing = await parts.payments.findHolder(key)
  if (existing === undefined) throw refusal
  throw duplicate(existing.createdAt, existing.requestDigest.equals(digest))
}

type Judgement =
  | { readonly ok: true; readonly accepted: AcceptedPayment; readonly request: PaymentRequest }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

/** Every reason at once, so that one answer is enough to correct the request. */
async function judge(parts: IntakeParts, order: CreateOrder): Promise<Judgement> {
  const { caller, direction } = order
  const named = await findNamed(parts, order)
  // A customer's own segment counts whatever the request names.
  const request = { ...order.request, segmentCode: named.segmentCode ?? order.request.segmentCode }
  const terms = await parts.catalogue.termsOf(caller.merchantId)
  const merchant = await merchantOf(parts, caller)
  const question = {
    ...request,
    direction,
    agreedFee: order.fee,
    objectTo: objectionsOf(parts, { kind: direction, money: request.money, customer: customerOf(request) }),
  }
  const rates = { snapshot: parts.rates.current(), atMs: parts.clock.nowMs() }
  const judged = judgePayment(parts.catalogue.current(), terms, question, rates)
  const items = [
    ...(judged.ok ? [] : judged.items),
    ...judgeSegment({
      caller,
      merchant,
      segmentCode: request.segmentCode,
      field: pathsOfCreate(direction).segmentCode,
    }),
    ...parts.judgeUrls(request, merchant),
    ...judgeAddress(parts, request),
    ...named.items,
    ...((await order.judge?.(judged.ok ? judged.accepted : undefined)) ?? []),
  ]
  if (!judged.ok || items.length > 0) return { ok: false, items }
  return { ok: true, request, accepted: judged.accepted }
}

async function merchantOf({ merchants }: IntakeParts, { merchantCode }: Caller): Promise<Merchant> {
  const merchant = merchants.peek(merchantCode) ?? (await merchants.find(merchantCode))
  if (merchant === undefined) throw new Error(`there is no merchant ${merchantCode}`)
  return merchant
}

interface Named {
  readonly segmentCode: string | undefined
  readonly items: readonly RejectionItem[]
}

async function findNamed(parts: IntakeParts, { caller, request }: CreateOrder): Promise<Named> {
  const { idCustomer } = request
  if (idCustomer === undefined) return { segmentCode: undefined, items: [] }
  const field = 'customer.idCustomer'
  // Before anything is looked up: whoever holds such a token would choose the segment, and hear who is a customer and who is blocked.
  if (caller.bucket.name === 'payment') {
    const message = 'A token for one payment cannot name a customer; leave it out.'
    return { segmentCode: undefined, items: [{ code: 'CUSTOMER_NOT_FOUND', message, field }] }
  }
  const known = await parts.findCustomer(caller.merchantId, idCustomer)
  if (known === undefined) {
    const message = `There is no customer ${idCustomer}.`
    return { segmentCode: undefined, items: [{ code: 'CUSTOMER_NOT_FOUND', message, field }] }
  }
  const { segmentCode } = known
  if (known.status === 'ACTIVE') return { segmentCode, items: [] }
  const message = `The customer ${idCustomer} is blocked.`
  return { segmentCode, items: [{ code: 'CUSTOMER_BLOCKED', message, field }] }
}

function judgeAddress(parts: IntakeParts, request: PaymentRequest): readonly RejectionItem[] {
  if (!parts.isLive || !parts.isSandboxAddress(request.emailAddress)) return []
  const message = 'Sandbox e-mail addresses do not work in the live environment.'
  return [{ code: 'SANDBOX_ADDRESS_NOT_ALLOWED', message, field: 'paymentMethod.emailAddress' }]
}

function duplicate(acceptedAt: Date, isIdentical: boolean): Refusal {
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: acceptedAt.toISOString() },
  })
}

function insufficient({ feeAmount }: NewPayment, { amount, currencyCode }: Money): Refusal {
  const message = `The available balance does not cover ${amount} ${currencyCode} and the fee of ${feeAmount} ${currencyCode}.`
  return rejection([{ code: 'BALANCE_INSUFFICIENT', message }])
}

async function acceptWithinCap(
  parts: IntakeParts,
  payment: NewPayment,
  terms: AcceptTerms,
): Promise<AcceptVerdict> {
  try {
    return await parts.payments.accept(payment, terms)
  } catch (error) {
    if (!(error instanceof CapExceeded)) throw error
    throw rejection([{ ...USED_UP, paymentMethodCode: payment.methodCode }])
  }
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
function buildPayment(deps: IntakeDeps, input: NewPaymentInput): NewPayment {
  const { key, request, accepted, pageUrl } = input
  const rail = railOf(deps, accepted)
  const reference = isOutgoing(key.kind) ? referenceOfOutgoing(deps.secrets, input) : deps.ids.reference()
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
 * database, and it is accepted again, the institution recognizes it. It has no cell's letter, which may be set between the two.
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

function railOf(deps: IntakeDeps, accepted: AcceptedPayment): Rail {
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
  { ids, secrets }: IntakeDeps,
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
function customerOf({ account, emailAddress }: PaymentRequest): RailCustomer {
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
