import type { ErrorCode } from '@tollgate/contract/words'
import { compareAmounts, fractionDigits, rawAmount } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import { type Direction, findLimit, type Limit, type Method, type Offer, type Question } from './model.ts'

/** Where the members of a request are, for `field` of a rejection. */
export interface QuestionPaths {
  readonly money: string
  readonly segmentCode: string
}

/** The body of the options operations (specification 2.7). */
export const OPTIONS_PATHS: QuestionPaths = { money: 'money', segmentCode: 'segmentCode' }

const REQUESTED: Readonly<Record<Direction, string>> = {
  PAYIN: 'paymentRequested',
  PAYOUT: 'paymentRequested',
  TOPUP: 'topUpRequested',
}

/** The body of a create request of the direction. */
export function pathsOfCreate(direction: Direction): QuestionPaths {
  const parent = REQUESTED[direction]
  return { money: `${parent}.money`, segmentCode: `${parent}.segmentCode` }
}

/** What is wrong whatever the method: the currency, the decimals, the segment. All reasons that apply. */
export function judgeQuestion(offer: Offer, question: Question, paths: QuestionPaths): RejectionItem[] {
  const { amount, currencyCode } = question.money
  const { segmentCode } = question
  const currency = offer.catalogue.currencies.get(currencyCode)
  const items: RejectionItem[] = []
  if (currency === undefined) {
    items.push({
      code: 'CURRENCY_NOT_SUPPORTED',
      message: `The currency ${currencyCode} is not supported.`,
      field: `${paths.money}.currencyCode`,
    })
  } else if (fractionDigits(amount) > currency.minorUnits) {
    items.push({
      code: 'AMOUNT_PRECISION_INVALID',
      message: `An amount of ${currencyCode} has at most ${currency.minorUnits} decimals.`,
      field: `${paths.money}.amount`,
    })
  }
  if (segmentCode !== undefined && !offer.catalogue.segments.has(segmentCode)) {
    items.push({
      code: 'SEGMENT_NOT_SUPPORTED',
      message: `There is no customer segment ${segmentCode}.`,
      field: paths.segmentCode,
    })
  }
  return items
}

/** What is asked of a method: by whom it is offered, and for what. */
export interface MethodQuestion {
  readonly offer: Offer
  readonly question: Question
  readonly method: Method
  readonly paths: QuestionPaths
}

/** What speaks against the method for this segment, currency and amount. All reasons that apply. */
export function judgeMethod({ offer, question, method, paths }: MethodQuestion): RejectionItem[] {
  const { money, segmentCode } = question
  const items: RejectionItem[] = []
  if (segmentCode !== undefined && method.excludedSegments.has(segmentCode)) {
    items.push({
      code: 'SEGMENT_NOT_SUPPORTED',
      message: `${method.code} is not offered to the segment ${segmentCode}.`,
      field: paths.segmentCode,
      paymentMethodCode: method.code,
    })
  }
  const limit = findLimit(offer, method, { ...question, currencyCode: money.currencyCode })
  if (limit !== undefined)
    return [...items, ...judgeAmount({ question, method, paths, limit }), ...judgeCarrier(question, method)]
  if (offer.catalogue.currencies.has(money.currencyCode)) {
    items.push({
      code: 'CURRENCY_NOT_SUPPORTED',
      message: `${method.code} does not take ${money.currencyCode}.`,
      field: `${paths.money}.currencyCode`,
      paymentMethodCode: method.code,
    })
  }
  return items
}

/** What speaks against it where the payment would be carried, such as an account that is not there. */
function judgeCarrier({ objectTo }: Question, method: Method): RejectionItem[] {
  const objection = objectTo?.(method)
  if (objection === undefined) return []
  const field = objection.code === 'ACCOUNT_INVALID' ? { field: 'paymentMethod.account.accountNumber' } : {}
  return [{ ...objection, ...field, paymentMethodCode: method.code }]
}

type AmountQuestion = Omit<MethodQuestion, 'offer'> & { readonly limit: Limit }

function judgeAmount({ question, method, paths, limit }: AmountQuestion): RejectionItem[] {
  const { amount, currencyCode } = question.money
  const reject = (code: ErrorCode, bound: string): RejectionItem[] => [
    {
      code,
      message: `The amount is ${bound} ${currencyCode} of ${method.code}.`,
      field: `${paths.money}.amount`,
      paymentMethodCode: method.code,
      limit: { min: rawAmount(limit.min), max: rawAmount(limit.max), currencyCode },
    },
  ]
  if (compareAmounts(amount, limit.min) === -1)
    return reject('AMOUNT_BELOW_MINIMUM', `below the minimum of ${limit.min}`)
  if (compareAmounts(amount, limit.max) === 1)
    return reject('AMOUNT_ABOVE_MAXIMUM', `above the maximum of ${limit.max}`)
  return []
}

/** The method does not exist, is switched off, or is not configured for the merchant: the merchant cannot tell which. */
export function methodNotAvailable(methodCode: string): RejectionItem {
  return {
    code: 'PAYMENT_METHOD_NOT_AVAILABLE',
    message: `The payment method ${methodCode} is not available to you.`,
    field: 'paymentMethod.paymentMethodCode',
    paymentMethodCode: methodCode,
  }
}
