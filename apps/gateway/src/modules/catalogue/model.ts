import { type Amount, compareAmounts, computeFee, type FeeRule, type Money, ZERO } from '@tollgate/money'
import type { AccountScheme } from '@tollgate/payment-codes'

export const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
/** Which way the money goes (specification section 1). */
export type Direction = (typeof DIRECTIONS)[number]

/** How the customer completes a payment of the method. */
type Flow = 'REDIRECT' | 'INSTRUCTIONS' | 'QR' | 'REFERENCE'
export type Availability = 'OPERATIONAL' | 'DELAYED' | 'CLOSED'
/** Whether the customer supplies a reference at the end of the process (specification 4.1). */
export type ExternalReferenceUse = 'NONE' | 'OPTIONAL' | 'REQUIRED'
export type FieldName = 'accountName' | 'accountNumber' | 'bankCode' | 'emailAddress' | 'paymentOperatorCode'

/** Stands for every segment, or every operator, that has no row of its own. */
export const ANY = '*'

export interface Currency {
  readonly code: string
  readonly name: string
  readonly type: 'FIAT' | 'CRYPTO'
  /** How many decimals an amount may have. */
  readonly minorUnits: number
}

export interface Segment {
  readonly code: string
  readonly name: string
}

/** How soon money is usually there. */
export type Speed = 'INSTANT' | 'MINUTES' | 'HOURS' | 'DAYS'

/** A bank or a wallet. */
export interface Operator {
  readonly code: string
  readonly name: string
  readonly type: 'BANK' | 'WALLET'
  readonly countryCode?: string
  readonly currencyCodes: readonly string[]
  readonly availability: { readonly payin: Availability; readonly payout: Availability }
  /** Its place among the most used, from 1. */
  readonly popularRank?: number
  readonly bic?: string
  /** Other names that people search for. */
  readonly aliases: readonly string[]
}

/** A data point of a method: what the customer or the merchant may or must supply. */
export interface Field {
  readonly name: FieldName
  readonly required: boolean
  readonly pattern?: string
  /** In characters, as JSON Schema counts them. */
  readonly maxLength?: number
  /** By whose rules an account is judged. */
  readonly checksum?: AccountScheme
  /** Whether the text matches the pattern in full; true without a pattern. */
  readonly matches: (text: string) => boolean
}

/** Both ends belong to the range. */
export interface Limit {
  readonly min: Amount
  readonly max: Amount
}

/** A method in one direction. */
export interface MethodSide {
  readonly fields: readonly Field[]
  readonly isOperatorRequired: boolean
  /** By currency, then by segment or `ANY`. A currency without an entry is not taken. */
  readonly limits: ReadonlyMap<string, ReadonlyMap<string, Limit>>
}

export interface Method {
  readonly code: string
  readonly name: string
  readonly flow: Flow
  /** The name of the rail that carries the payments. */
  readonly rail: string
  readonly externalReference: ExternalReferenceUse
  readonly expiresAfterSeconds: number
  /** Of money that comes in. */
  readonly payinSpeed?: Speed
  /** Of money that goes out by files of the bank: at once, where its bank and the payee's can. */
  readonly payoutSpeed?: 'INSTANT'
  readonly excludedSegments: ReadonlySet<string>
  /** Whether the rail itself is there, for payments that go through no operator. */
  readonly railAvailability: Operator['availability']
  readonly operators: readonly Operator[]
  readonly operatorsByCurrency: ReadonlyMap<string, readonly Operator[]>
  readonly sides: ReadonlyMap<Direction, MethodSide>
}

/** A rule of which the fixed part and the bounds may be in another currency; the percentage is of the payment's money. */
export interface PricedFeeRule extends FeeRule {
  readonly priced?: { readonly currencyCode: string; readonly rateListCode: string }
}

/** Fee rules by {@link feeKey}. */
export type FeeTable = ReadonlyMap<string, PricedFeeRule>

/**
 * All that can be paid with, at one moment: a snapshot that never changes. What is switched off is not in it.
 * The maps keep the order in which things are shown.
 */
export interface Catalogue {
  readonly currencies: ReadonlyMap<string, Currency>
  readonly segments: ReadonlyMap<string, Segment>
  readonly operators: ReadonlyMap<string, Operator>
  readonly methods: ReadonlyMap<string, Method>
  readonly fees: FeeTable
  /** Sentences for the operator: what was left out because its configuration cannot work. */
  readonly faults: readonly string[]
}

/** How much may be accepted in one day (UTC). */
export interface DailyCap {
  readonly amountMax?: Amount
  readonly countMax?: number
}

/** A merchant's own bounds for a method, direction and currency. */
export interface MerchantLimit {
  readonly min?: Amount
  readonly max?: Amount
  readonly dailyCap?: DailyCap
}

/** What was agreed with one merchant. */
export interface MerchantTerms {
  readonly merchantId: string
  /** Codes of the methods that are configured in the merchant account. */
  readonly methods: ReadonlyMap<Direction, ReadonlySet<string>>
  /** By {@link limitKey}. */
  readonly limits: ReadonlyMap<string, MerchantLimit>
  readonly fees: FeeTable
}

/** The merchant's daily caps of the direction and currency, by method; empty for nearly all merchants. */
export function dailyCapsOf(
  terms: MerchantTerms,
  { direction, currencyCode }: { readonly direction: Direction; readonly currencyCode: string },
): ReadonlyMap<string, DailyCap> {
  const caps = new Map<string, DailyCap>()
  if (terms.limits.size === 0) return caps
  for (const methodCode of terms.methods.get(direction) ?? []) {
    const cap = terms.limits.get(limitKey(direction, methodCode, currencyCode))?.dailyCap
    if (cap !== undefined) caps.set(methodCode, cap)
  }
  return caps
}

/** What a payment is about, before a method is chosen. */
export interface Question {
  readonly direction: Direction
  readonly money: Money
  readonly segmentCode?: string | undefined
  /** Why whoever carries the method's payments does not take this one; undefined when it is taken. */
  readonly objectTo?: ((method: Method) => Objection | undefined) | undefined
}

/** Why a payment cannot be carried: what the rules of the catalogue cannot know. */
interface Objection {
  readonly code: 'CHANNEL_UNAVAILABLE' | 'CHANNEL_LIMIT' | 'ACCOUNT_INVALID'
  readonly message: string
}

/** The agreement a question is judged by. */
export interface Offer {
  readonly catalogue: Catalogue
  readonly terms: MerchantTerms
}

/** Which range of a method is meant. */
interface LimitScope {
  readonly direction: Direction
  readonly currencyCode: string
  readonly segmentCode?: string | undefined
}

interface FeeScope {
  readonly direction: Direction
  readonly methodCode: string
  readonly operatorCode: string
  readonly segmentCode: string
  readonly currencyCode: string
}

/** Codes have no spaces, so the key is unambiguous. */
export function feeKey(scope: FeeScope): string {
  return `${scope.direction} ${scope.methodCode} ${scope.operatorCode} ${scope.segmentCode} ${scope.currencyCode}`
}

/** The key of a merchant's own limit. */
export function limitKey(direction: Direction, methodCode: string, currencyCode: string): string {
  return `${direction} ${methodCode} ${currencyCode}`
}

/**
 * The range an amount must lie in: the segment's, else everybody's, narrowed by the merchant's own bounds.
 * Undefined when the method does not take the currency in this direction, or nothing is left of the range.
 */
export function findLimit(offer: Offer, method: Method, scope: LimitScope): Limit | undefined {
  const { direction, currencyCode, segmentCode } = scope
  const bySegment = method.sides.get(direction)?.limits.get(currencyCode)
  const house = bySegment?.get(segmentCode ?? ANY) ?? bySegment?.get(ANY)
  if (house === undefined) return undefined
  const own = offer.terms.limits.get(limitKey(direction, method.code, currencyCode))
  return own === undefined ? house : narrow(house, own)
}

/** The part of the range that the merchant's own bounds leave; undefined when that is nothing. */
export function narrow(house: Limit, own: MerchantLimit): Limit | undefined {
  const min = own.min !== undefined && compareAmounts(own.min, house.min) === 1 ? own.min : house.min
  const max = own.max !== undefined && compareAmounts(own.max, house.max) === -1 ? own.max : house.max
  return compareAmounts(min, max) === 1 ? undefined : { min, max }
}

/**
 * The rule for the fee: the merchant's before the house's, the operator's before any operator's, the segment's before
 * any segment's. Undefined when there is none, and the payment is free.
 */
export const findFeeRule = (offer: Offer, scope: FeeScope): PricedFeeRule | undefined =>
  findFee(offer, scope)?.rule

/** A rule for a fee, and whose it is. */
export interface FoundFee {
  readonly rule: PricedFeeRule
  readonly source: 'MERCHANT' | 'GENERAL'
  /** As the rule names them: `ANY` for every one. */
  readonly operatorCode: string
  readonly segmentCode: string
}

/** The same with where it was found. */
export function findFee(offer: Offer, scope: FeeScope): FoundFee | undefined {
  const segments = scope.segmentCode === ANY ? [ANY] : [scope.segmentCode, ANY]
  const operators = scope.operatorCode === ANY ? [ANY] : [scope.operatorCode, ANY]
  const places = operators.flatMap((operatorCode) =>
    segments.map((segmentCode) => ({ operatorCode, segmentCode })),
  )
  const tables = [
    ['MERCHANT', offer.terms.fees],
    ['GENERAL', offer.catalogue.fees],
  ] as const
  for (const [source, fees] of tables) {
    for (const place of places) {
      const rule = fees.get(feeKey({ ...scope, ...place }))
      if (rule !== undefined) return { rule, source, ...place }
    }
  }
  return undefined
}

export interface Charge {
  readonly direction: Direction
  readonly rule: PricedFeeRule | undefined
  readonly money: Money
  readonly minorUnits: number
}

/** How a fee that is priced in another currency came about: by which sheet of which rate list. */
export interface FeeConversion {
  readonly listCode: string
  readonly version: number
  /** The row that was used; of a cross rate, that of the payment's currency. */
  readonly currencyCode: string
  readonly side: 'SELL'
  /** What one of the priced currency costs in the payment's. */
  readonly rate: Amount
  readonly priced: Money
}

/** A fee in the payment's currency, and how it was converted if it was. */
export interface FeeCharge {
  readonly fee: Money
  readonly feeConversion?: FeeConversion
}

/** The fee by a rule that is in the payment's currency. */
export function chargeFee(charge: Charge): Money {
  const { rule, money, minorUnits } = charge
  return keepWithin(charge, rule === undefined ? ZERO : computeFee({ gross: money.amount, rule, minorUnits }))
}

/**
 * The fee as it may be taken. Of money that comes in, it is never more than there is, so that a small payment cannot leave
 * the merchant in debt. A payout's fee comes on top of its amount.
 */
export function keepWithin({ direction, money }: Pick<Charge, 'direction' | 'money'>, amount: Amount): Money {
  const isTooMuch = direction !== 'PAYOUT' && compareAmounts(amount, money.amount) === 1
  return { amount: isTooMuch ? money.amount : amount, currencyCode: money.currencyCode }
}
