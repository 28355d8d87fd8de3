import type { RejectionItem } from '../../platform/refusal.ts'
import { type FeeJudgement, type FeeRates, judgeFee } from './charge.ts'
import { type CustomerData, judgeFields } from './fields.ts'
import {
  ANY,
  type Catalogue,
  type Currency,
  type DailyCap,
  type ExternalReferenceUse,
  type FeeCharge,
  findFeeRule,
  limitKey,
  type MerchantTerms,
  type Method,
  type MethodSide,
  type Offer,
  type Operator,
  type Question,
} from './model.ts'
import { chooseOperator } from './operators.ts'
import { judgeMethod, judgeQuestion, methodNotAvailable, pathsOfCreate } from './reasons.ts'

/** The part of a create request that the catalogue decides about. */
export interface PaymentRequest extends Question, CustomerData {
  readonly methodCode: string
  readonly operatorCode?: string | undefined
  /** Taken in place of the fee by the rules. */
  readonly agreedFee?: FeeCharge['fee'] | undefined
}

/** What a payment that may be accepted goes on with. */
export interface AcceptedPayment extends FeeCharge {
  readonly method: Method
  readonly operator?: Operator
  /** To be counted by whoever accepts the payment; only where the merchant has a cap. */
  readonly dailyCap?: DailyCap
  readonly expiresAfterSeconds: number
  readonly rail: string
  readonly externalReference: ExternalReferenceUse
}

export type PaymentJudgement =
  | { readonly ok: true; readonly accepted: AcceptedPayment }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

/**
 * Decides whether the merchant may create this payment, and at which fee. When not, every reason that can be told is in
 * `items`, which is never empty, so that one answer is enough to correct the request. Fees that are priced in another
 * currency are converted by the rates.
 */
export function judgePayment(
  catalogue: Catalogue,
  terms: MerchantTerms,
  request: PaymentRequest,
  rates?: FeeRates,
): PaymentJudgement {
  const offer = { catalogue, terms }
  const general = judgeQuestion(offer, request, pathsOfCreate(request.direction))
  const method = catalogue.methods.get(request.methodCode)
  const side = method?.sides.get(request.direction)
  const isConfigured = terms.methods.get(request.direction)?.has(request.methodCode) === true
  if (method === undefined || side === undefined || !isConfigured)
    return { ok: false, items: [...general, methodNotAvailable(request.methodCode)] }
  return judgeWithMethod({ offer, request, method, side, general, rates })
}

interface MethodCase {
  readonly offer: Offer
  readonly request: PaymentRequest
  readonly method: Method
  readonly side: MethodSide
  readonly general: readonly RejectionItem[]
  readonly rates: FeeRates | undefined
}

function judgeWithMethod({ offer, request, method, side, general, rates }: MethodCase): PaymentJudgement {
  const { direction, money } = request
  const chosen = chooseOperator(
    { direction, method, side, currencyCode: money.currencyCode },
    side.limits.has(money.currencyCode),
    request.operatorCode,
  )
  const items = [
    ...general,
    ...judgeMethod({ offer, question: request, method, paths: pathsOfCreate(direction) }),
    ...(chosen.ok ? [] : [chosen.item]),
    ...judgeFields(method, side.fields, request),
  ]
  const currency = offer.catalogue.currencies.get(money.currencyCode)
  if (items.length > 0 || !chosen.ok || currency === undefined) return { ok: false, items }
  return accept({ offer, request, method, currency, operator: chosen.operator, rates })
}

interface AcceptedCase {
  readonly offer: Offer
  readonly request: PaymentRequest
  readonly method: Method
  readonly currency: Currency
  readonly operator: Operator | undefined
  readonly rates: FeeRates | undefined
}

function accept(given: AcceptedCase): PaymentJudgement {
  const { offer, request, method, currency, operator } = given
  const charged = chargeFor(given)
  if (!charged.ok) return { ok: false, items: [charged.item] }
  const dailyCap = offer.terms.limits.get(limitKey(request.direction, method.code, currency.code))?.dailyCap
  const accepted = {
    ...charged.charge,
    method,
    ...(operator === undefined ? {} : { operator }),
    ...(dailyCap === undefined ? {} : { dailyCap }),
    expiresAfterSeconds: method.expiresAfterSeconds,
    rail: method.rail,
    externalReference: method.externalReference,
  }
  return { ok: true, accepted }
}

function chargeFor({ offer, request, method, currency, operator, rates }: AcceptedCase): FeeJudgement {
  const { direction, money, agreedFee } = request
  if (agreedFee !== undefined) return { ok: true, charge: { fee: agreedFee } }
  const rule = findFeeRule(offer, {
    direction,
    methodCode: method.code,
    operatorCode: operator?.code ?? ANY,
    segmentCode: request.segmentCode ?? ANY,
    currencyCode: currency.code,
  })
  return judgeFee({ direction, rule, money, minorUnits: currency.minorUnits, methodCode: method.code, rates })
}
