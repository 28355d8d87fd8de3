import type { PaymentMethodRequest, WireMoney } from '@tollgate/contract'
import type { ErrorCode } from '@tollgate/contract/words'
import { type Amount, isPositive, type Money, parseAmount } from '@tollgate/money'
import type { Caller } from '../../../http/app-type.ts'
import {
  createAddressRule,
  judgeTarget,
  parseTargetUrl,
  type TargetPolicy,
  type TargetUrl,
} from '../../../platform/outbound/index.ts'
import { invalidField, Refusal, type RejectionItem, requireMoneyIn } from '../../../platform/refusal.ts'
import type { Rail, RailCustomer, RailQuestion } from '../../../rails/rail.ts'
import type { Question } from '../../catalogue/index.ts'
import type { Merchant } from '../../merchants/index.ts'

/** The account of a customer, as the merchant sent it. */
interface RequestedAccount {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

/** A create request with its money and URLs read; the rest is as the merchant sent it. */
export interface PaymentRequest {
  readonly money: Money
  readonly segmentCode: string | undefined
  readonly idCustomer: string | undefined
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly account: RequestedAccount | undefined
  readonly emailAddress: string | undefined
  readonly callbackUrl: URL | undefined
  readonly returnUrl: URL | undefined
  /** Byte for byte, for answers. */
  readonly returnUrlAsSent: string | undefined
}

/** The exact amount of a request; undefined when it is not greater than zero or has more than 40 digits. */
export function readAmount(wire: WireMoney['amount']): Amount | undefined {
  const amount = parseAmount(typeof wire === 'number' ? String(wire) : wire.text)
  return amount !== undefined && isPositive(amount) ? amount : undefined
}

/** True when the token does not limit money, or limits it to exactly this: 10 equals 10.00. */
export function isMoneyPermitted(
  limit: { readonly amount: string; readonly currencyCode: string } | undefined,
  money: Money,
): boolean {
  return limit === undefined || (limit.amount === money.amount && limit.currencyCode === money.currencyCode)
}

/** The request as one text, in one order, so that equal requests have equal digests whatever their spelling. */
export function canonicalRequest(request: PaymentRequest): string {
  const { accountName, accountNumber, bankCode } = request.account ?? {}
  const parts = [
    request.money.amount,
    request.money.currencyCode,
    request.segmentCode,
    request.methodCode,
    request.operatorCode,
    accountName,
    accountNumber,
    bankCode,
    request.emailAddress,
    request.callbackUrl?.href,
    request.returnUrl?.href,
    request.idCustomer,
  ]
  return JSON.stringify(parts.map((part) => part ?? null))
}

/** The members that the three create requests share, and where its money is. */
export interface CreateBody {
  readonly requested: { readonly money: WireMoney; readonly segmentCode?: string | undefined }
  /** The member `requested` is called by in the body. */
  readonly requestedField: string
  readonly paymentMethod: PaymentMethodRequest
  readonly callbackUrl?: string | undefined
  readonly returnUrl?: string | undefined
  readonly customer?: { readonly idCustomer: string } | undefined
}

/** Reads what the schema cannot: money and URLs. Throws 400 for all that is not valid, then 403 for money the token does not permit. */
export function readRequest(caller: Caller, body: CreateBody): PaymentRequest {
  const { requested, paymentMethod } = body
  const { read, faults } = collectFaults()
  const callbackUrl = read(() => readUrl('callbackUrl', body.callbackUrl))
  const returnUrl = read(() => readReturnUrl(body.returnUrl))
  const field = `${body.requestedField}.money`
  const amount = read(() => requireAmount(requested.money, field))
  const [first, ...others] = faults
  if (first !== undefined) throw others.length === 0 ? first : allOf(first, others)
  if (amount === undefined) throw new Error('an amount that is neither read nor at fault')
  return {
    callbackUrl,
    returnUrl,
    returnUrlAsSent: body.returnUrl,
    money: permitted(caller, { amount, currencyCode: requested.money.currencyCode }),
    segmentCode: requested.segmentCode,
    idCustomer: body.customer?.idCustomer,
    methodCode: paymentMethod.paymentMethodCode,
    operatorCode: paymentMethod.paymentOperatorCode,
    account: paymentMethod.account,
    emailAddress: paymentMethod.emailAddress,
  }
}

/** Reads one thing after the other, so that one answer names all that is wrong. */
function collectFaults() {
  const faults: Refusal[] = []
  const read = <Value>(reading: () => Value): Value | undefined => {
    try {
      return reading()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      faults.push(error)
      return undefined
    }
  }
  return { read, faults }
}

const allOf = ({ code, message, details }: Refusal, others: readonly Refusal[]): Refusal =>
  new Refusal(code, {
    message,
    violations: [details, ...others.map((other) => other.details)].flatMap(
      ({ violations = [] }) => violations,
    ),
  })

/** Reads the money exactly (400) and compares it with the token's (403). */
export function readMoney(caller: Caller, wire: WireMoney, field: string): Money {
  return permitted(caller, { amount: requireAmount(wire, field), currencyCode: wire.currencyCode })
}

function requireAmount(wire: WireMoney, field: string): Amount {
  const amount = readAmount(wire.amount)
  if (amount === undefined)
    throw invalidField(`${field}.amount`, 'must be greater than zero and have at most 40 digits')
  return amount
}

function permitted(caller: Caller, money: Money): Money {
  if (caller.bucket.name === 'payment') requireMoneyIn(caller)
  if (!isMoneyPermitted(caller.money, money)) throw new Refusal('MONEY_NOT_PERMITTED')
  return money
}

/** The URL as it will be used: parsed once, so that nobody reads it differently later. Throws 400. */
export function readUrl(field: string, text: string): URL
export function readUrl(field: string, text: string | undefined): URL | undefined
export function readUrl(field: string, text: string | undefined): URL | undefined {
  if (text === undefined) return undefined
  return parsed(field, parseTargetUrl(text))
}

/** Where a browser goes back to: a fragment is its business. Throws 400. */
export function readReturnUrl(text: string): URL
export function readReturnUrl(text: string | undefined): URL | undefined
export function readReturnUrl(text: string | undefined): URL | undefined {
  return text === undefined ? undefined : parsed('returnUrl', parseTargetUrl(text, { allowsFragment: true }))
}

function parsed(field: string, target: TargetUrl): URL {
  if (!target.ok) throw invalidField(field, target.problem)
  return target.url
}

/** The origins that a merchant's addresses must have: an empty list allows none, undefined any. */
interface AllowedOrigins {
  readonly callbackOrigins: readonly string[] | undefined
  readonly returnOrigins: readonly string[] | undefined
}

/** Judges the URLs of a request by the gateway's policies and the merchant's own origins. */
export type UrlJudge = (
  request: Pick<PaymentRequest, 'callbackUrl' | 'returnUrl'>,
  allowed: AllowedOrigins,
) => readonly RejectionItem[]

/** Compiles the policies, once per process: requests are many. */
export function createUrlJudge(policies: {
  readonly callbackPolicy: TargetPolicy
  readonly returnPolicy: TargetPolicy
}): UrlJudge {
  const callback = judgeField('callbackUrl', 'CALLBACK_URL_NOT_ALLOWED', policies.callbackPolicy)
  const returning = judgeField('returnUrl', 'RETURN_URL_NOT_ALLOWED', policies.returnPolicy)
  return ({ callbackUrl, returnUrl }, { callbackOrigins, returnOrigins }) => [
    ...(callbackUrl === undefined ? [] : callback(callbackUrl, callbackOrigins)),
    ...(returnUrl === undefined ? [] : returning(returnUrl, returnOrigins)),
  ]
}

function judgeField(field: string, code: ErrorCode, policy: TargetPolicy) {
  const isAllowed = createAddressRule(policy)
  return (url: URL, allowedOrigins: readonly string[] | undefined): readonly RejectionItem[] => {
    const own = allowedOrigins === undefined ? policy : { ...policy, allowedOrigins }
    const problem =
      allowedOrigins?.length === 0
        ? 'has an origin that is not allowed: none is, until an operator sets some with `tollgate merchants set-origins`'
        : judgeTarget(url, own, isAllowed)
    return problem === undefined ? [] : [{ code, message: `${field} ${problem}.`, field }]
  }
}

/**
 * Whether the segment may count: it must be granted to the merchant, and a token of one payment, which a customer holds,
 * cannot choose one.
 */
export function judgeSegment(asked: {
  readonly caller: Caller
  readonly merchant: Pick<Merchant, 'segments'> | undefined
  readonly segmentCode: string | undefined
  readonly field: string
}): readonly RejectionItem[] {
  const { caller, merchant, segmentCode, field } = asked
  if (segmentCode === undefined) return []
  if (caller.bucket.name === 'payment') {
    const message = 'A token for one payment cannot choose a segment; leave it out.'
    return [{ code: 'SEGMENT_NOT_SUPPORTED', message, field }]
  }
  return judgeGranted(merchant, segmentCode, field)
}

/** Whether the segment is granted to the merchant. */
export function judgeGranted(
  merchant: Pick<Merchant, 'segments'> | undefined,
  segmentCode: string | undefined,
  field: string,
): readonly RejectionItem[] {
  if (segmentCode === undefined || merchant?.segments?.includes(segmentCode) !== false) return []
  const message = `The segment ${segmentCode} is not granted to this merchant.`
  return [{ code: 'SEGMENT_NOT_SUPPORTED', message, field }]
}

/** What the rail of a method has against the payment. */
export function objectionsOf(
  { rails }: { readonly rails: ReadonlyMap<string, Pick<Rail, 'objectTo'>> },
  asked: Pick<RailQuestion, 'kind' | 'money'> & { readonly customer?: RailCustomer },
): Question['objectTo'] {
  return ({ code, rail }) => rails.get(rail)?.objectTo?.({ customer: undefined, ...asked, methodCode: code })
}
