import type { ErrorCode } from '@tollgate/contract/words'
import { compareAmounts, fractionDigits, rawAmount } from '@tollgate/money'
import { problemOfAccount } from '@tollgate/payment-codes'
import type { RejectionItem } from '../../platform/refusal.ts'
import {
  ANY,
  type Catalogue,
  type Currency,
  chargeFee,
  type DailyCap,
  type Direction,
  type ExternalReferenceUse,
  type FeeCharge,
  type Field,
  type FieldName,
  findFeeRule,
  findLimit,
  type Limit,
  limitKey,
  type MerchantTerms,
  type Method,
  type MethodSide,
  type Offer,
  type Operator,
  type Question,
} from './model.ts'
import { chooseOperator } from './operators.ts'
import { type FeeJudgement, type FeeRates, judgePricedFee, type RatedCharge } from './priced-fee.ts'

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

type PaymentJudgement =
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

/** Where the members of a request are, for `field` of a rejection. */
interface QuestionPaths {
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
interface MethodQuestion {
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

/** `paymentMethod.account` of a create request (specification 2.2). */
interface CustomerAccount {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

interface CustomerData {
  readonly account?: CustomerAccount | undefined
  readonly emailAddress?: string | undefined
}

/** The data of a payment in a currency. */
interface JudgedData extends CustomerData {
  readonly money: { readonly currencyCode: string }
}

type DataName = Exclude<FieldName, 'paymentOperatorCode'>

const PATHS: Readonly<Record<DataName, string>> = {
  accountName: 'paymentMethod.account.accountName',
  accountNumber: 'paymentMethod.account.accountNumber',
  bankCode: 'paymentMethod.account.bankCode',
  emailAddress: 'paymentMethod.emailAddress',
}

/**
 * Compares the customer's data with what the method asks for: one reason per field.
 * Data that the method does not ask for is not judged. The operator's code is the business of `operators.ts`.
 */
function judgeFields(method: Method, fields: readonly Field[], data: JudgedData): RejectionItem[] {
  const items: RejectionItem[] = []
  for (const field of fields) {
    if (field.name === 'paymentOperatorCode') continue
    const item = judgeField(method, { ...field, name: field.name }, data)
    if (item !== undefined) items.push(item)
  }
  return items
}

function readData(data: CustomerData, name: DataName): string {
  const text = name === 'emailAddress' ? data.emailAddress : data.account?.[name]
  return text ?? ''
}

function judgeField(
  method: Method,
  field: Field & { readonly name: DataName },
  data: JudgedData,
): RejectionItem | undefined {
  const text = readData(data, field.name)
  const where = { field: PATHS[field.name], paymentMethodCode: method.code }
  if (text.trim() === '') {
    if (!field.required) return undefined
    const code = field.name === 'emailAddress' ? 'EMAIL_REQUIRED' : 'ACCOUNT_REQUIRED'
    return { code, message: `${method.code} needs ${field.name}.`, ...where }
  }
  const fault = findFault(field, text)
  const message = fault === undefined ? problemOfScheme(field, text, data) : `${field.name} ${fault}.`
  return message === undefined ? undefined : { code: 'ACCOUNT_INVALID', message, ...where }
}

/** What is wrong with a text that is there, as the end of a sentence; undefined when nothing is. */
function findFault(field: Field, text: string): string | undefined {
  if (field.maxLength !== undefined && isLonger(text, field.maxLength))
    return `is longer than ${field.maxLength} characters`
  if (!field.matches(text)) return 'does not have the form that the method needs'
  return undefined
}

/** Counts code points, as JSON Schema does, but only where the number of UTF-16 units leaves a doubt. */
function isLonger(text: string, lengthMax: number): boolean {
  return text.length > lengthMax && Array.from(text).length > lengthMax
}

/** What the rules of the account's scheme say, as a sentence. */
function problemOfScheme({ checksum }: Field, text: string, data: JudgedData): string | undefined {
  if (checksum === undefined) return undefined
  const { currencyCode } = data.money
  return problemOfAccount(checksum, { accountNumber: text, bankCode: data.account?.bankCode, currencyCode })
}

/** The fee by the rule, in the payment's currency; not ok when the rule needs a rate that is missing or stale. */
export function judgeFee(question: RatedCharge): FeeJudgement {
  const { rule } = question
  if (rule?.priced !== undefined) return judgePricedFee(question, rule, rule.priced)
  return { ok: true, charge: { fee: chargeFee(question) } }
}
