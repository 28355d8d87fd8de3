import type { Money } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import { type CustomerData, judgeFields } from './fields.ts'
import {
  ANY,
  type Catalogue,
  type Currency,
  chargeFee,
  type DailyCap,
  type ExternalReferenceUse,
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
}

/** What a payment that may be accepted goes on with. */
export interface AcceptedPayment {
  readonly method: Method
  readonly operator?: Operator
  /** In the payment's currency. */
  readonly fee: Money
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
 * `items`, which is never empty, so that one answer is enough to correct the request.
 */
export function judgePayment(
  catalogue: Catalogue,
  terms: MerchantTerms,
  request: PaymentRequest,
): PaymentJudgement {
  const offer = { catalogue, terms }
  const general = judgeQuestion(offer, request, pathsOfCreate(request.direction))
  const method = catalogue.methods.get(request.methodCode)
  const side = method?.sides.get(request.direction)
  const isConfigured = terms.methods.get(request.direction)?.has(request.methodCode) === true
  if (method === undefined || side === undefined || !isConfigured)
    return { ok: false, items: [...general, methodNotAvailable(request.methodCode)] }
  return judgeWithMethod({ offer, request, method, side, general })
}

interface MethodCase {
  readonly offer: Offer
  readonly request: PaymentRequest
  readonly method: Method
  readonly side: MethodSide
  readonly general: readonly RejectionItem[]
}

function judgeWithMethod({ offer, request, method, side, general }: MethodCase): PaymentJudgement {
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
  return { ok: true, accepted: accept({ offer, request, method, currency, operator: chosen.operator }) }
}

interface AcceptedCase {
  readonly offer: Offer
  readonly request: PaymentRequest
  readonly method: Method
  readonly currency: Currency
  readonly operator: Operator | undefined
}

function accept({ offer, request, method, currency, operator }: AcceptedCase): AcceptedPayment {
  const { direction, money } = request
  const rule = findFeeRule(offer, {
    direction,
    methodCode: method.code,
    operatorCode: operator?.code ?? ANY,
    segmentCode: request.segmentCode ?? ANY,
    currencyCode: currency.code,
  })
  const dailyCap = offer.terms.limits.get(limitKey(direction, method.code, currency.code))?.dailyCap
  return {
    method,
    ...(operator === undefined ? {} : { operator }),
    fee: chargeFee({ direction, rule, money, minorUnits: currency.minorUnits }),
    ...(dailyCap === undefined ? {} : { dailyCap }),
    expiresAfterSeconds: method.expiresAfterSeconds,
    rail: method.rail,
    externalReference: method.externalReference,
  }
}
