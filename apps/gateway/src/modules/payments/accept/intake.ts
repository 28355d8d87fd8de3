import type { WireMoney } from '@tollgate/contract'
import type { Money } from '@tollgate/money'
import type { Caller } from '../../../http/authentication.ts'
import type { TargetPolicy } from '../../../platform/outbound/index.ts'
import { Refusal, type RejectionItem, rejection } from '../../../platform/refusal.ts'
import type { Rail, RailCustomer, RailQuestion } from '../../../rails/rail.ts'
import {
  type AcceptedPayment,
  type CatalogueService,
  type Choice,
  type Direction,
  dailyCapsOf,
  type FeeRates,
  judgePayment,
  listChoices,
  listOptions,
  type MerchantTerms,
  type PaymentOption,
  pathsOfCreate,
  type Question,
} from '../../catalogue/index.ts'
import type { Merchant, MerchantDirectory } from '../../merchants/index.ts'
import type { Payment, PaymentKey } from '../model.ts'
import type { PaymentService } from '../service.ts'
import { type AcceptTerms, CapExceeded } from './accepting.ts'
import { awaitingApproval, buildPayment, customerOf, type NewPaymentDeps } from './new-payment.ts'
import { canonicalRequest, createUrlJudge, type PaymentRequest, readMoney, type UrlJudge } from './request.ts'
import type { AcceptVerdict, NewPayment } from './store.ts'

/** What the creates need to know of a customer that a request names. */
export interface KnownCustomer {
  readonly status: 'ACTIVE' | 'BLOCKED'
  readonly segmentCode: string | undefined
}

export interface IntakeDeps extends NewPaymentDeps {
  readonly catalogue: CatalogueService
  /** By which fees are converted that are priced in another currency: the rates of now. */
  readonly feeRates: () => FeeRates
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
      if (payment === undefined) throw new Refusal('ENTITY_NOT_FOUND')
      return payment
    },
  }
}

async function create(parts: IntakeParts, order: CreateOrder): Promise<Accepted> {
  const { caller, key } = order
  const digest = parts.secrets.digest('request-digest', canonicalRequest(order.request))
  const judged = await judge(parts, order)
  if (!judged.ok) return refuse(parts, { key, digest }, rejection(judged.items))
  if (order.stop !== undefined) return refuse(parts, { key, digest }, order.stop)
  const { request, accepted } = judged
  const built = buildPayment(parts, {
    ...{ key, request, digest, accepted },
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
  const judged = judgePayment(parts.catalogue.current(), terms, question, parts.feeRates())
  const items = [
    ...(judged.ok ? [] : judged.items),
    ...judgeSegment({
      ...{ caller, merchant, segmentCode: request.segmentCode },
      isOwn: named.segmentCode !== undefined,
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
  const known = await parts.findCustomer(caller.merchantId, idCustomer)
  const field = 'customer.idCustomer'
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

/** The body of the options operations (specification 2.7). */
interface OptionsOrder {
  readonly money: WireMoney
  readonly segmentCode?: string | undefined
}

type OptionsQuestion = OptionsOrder & { readonly direction: Direction }

interface OptionsNeeds {
  readonly catalogue: CatalogueService
  readonly merchants: MerchantDirectory
  readonly feeRates: () => FeeRates
  readonly payments: Pick<PaymentService, 'listUsedUp'>
  readonly rails: ReadonlyMap<string, Pick<Rail, 'objectTo'>>
}

/** What can be paid with. Throws why nothing can. */
async function findOptions(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly PaymentOption[]> {
  const question = await questionOf(needs, caller, order)
  const terms = await needs.catalogue.termsOf(caller.merchantId)
  const usedUp = await findUsedUp(needs, terms, question)
  const objectTo: Question['objectTo'] = (method) =>
    usedUp.has(method.code) ? USED_UP : question.objectTo?.(method)
  const asked = { ...question, objectTo }
  const found = listOptions(needs.catalogue.current(), terms, asked, needs.feeRates())
  if (!found.ok) throw rejection(found.items)
  return found.options
}

/** What a picker shows beside the options. */
async function findChoices(
  needs: OptionsNeeds,
  caller: Caller,
  order: OptionsQuestion,
): Promise<readonly Choice[]> {
  const question = await questionOf(needs, caller, order)
  const terms = await needs.catalogue.termsOf(caller.merchantId)
  const usedUp = await findUsedUp(needs, terms, question)
  return listChoices(needs.catalogue.current(), terms, question, usedUp)
}

/** Why a method with a daily cap takes no payment any more. */
const USED_UP = {
  code: 'CHANNEL_LIMIT',
  message: 'The daily limit of this payment method has been reached.',
} as const

/** The methods whose cap of today has no parts for the payment: asked for only where the merchant has caps. */
async function findUsedUp(
  { payments }: OptionsNeeds,
  terms: MerchantTerms,
  { direction, money }: Question,
): Promise<ReadonlySet<string>> {
  const caps = dailyCapsOf(terms, { direction, currencyCode: money.currencyCode })
  if (caps.size === 0) return new Set()
  return payments.listUsedUp({ merchantId: terms.merchantId, kind: direction, money, caps })
}

async function questionOf(needs: OptionsNeeds, caller: Caller, order: OptionsQuestion): Promise<Question> {
  const { direction, money: wire, segmentCode } = order
  const money = readMoney(caller, wire, 'money')
  const merchant =
    needs.merchants.peek(caller.merchantCode) ?? (await needs.merchants.find(caller.merchantCode))
  const items = judgeSegment({ caller, merchant, segmentCode, isOwn: false, field: 'segmentCode' })
  if (items.length > 0) throw rejection(items)
  return { direction, money, segmentCode, objectTo: objectionsOf(needs, { kind: direction, money }) }
}

/**
 * Whether the segment may count: it must be granted to the merchant, and a token of one payment, which a customer holds,
 * cannot choose one. A customer's own segment is nobody's choice.
 */
function judgeSegment(asked: {
  readonly caller: Caller
  readonly merchant: Pick<Merchant, 'segments'> | undefined
  readonly segmentCode: string | undefined
  readonly isOwn: boolean
  readonly field: string
}): readonly RejectionItem[] {
  const { caller, merchant, segmentCode, isOwn, field } = asked
  if (segmentCode === undefined) return []
  const refuse = (message: string): readonly RejectionItem[] => [
    { code: 'SEGMENT_NOT_SUPPORTED', message, field },
  ]
  if (!isOwn && caller.bucket.name === 'payment')
    return refuse('A token for one payment cannot choose a segment; leave it out.')
  if (merchant?.segments?.includes(segmentCode) === false)
    return refuse(`The segment ${segmentCode} is not granted to this merchant.`)
  return []
}

/** What the rail of a method has against the payment. */
function objectionsOf(
  { rails }: Pick<OptionsNeeds, 'rails'>,
  asked: Pick<RailQuestion, 'kind' | 'money'> & { readonly customer?: RailCustomer },
): Question['objectTo'] {
  return ({ code, rail }) => rails.get(rail)?.objectTo?.({ customer: undefined, ...asked, methodCode: code })
}
