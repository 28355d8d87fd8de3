import { type Money, type RawJson, rawAmount } from '@tollgate/money'
import {
  ANY,
  type Availability,
  type Catalogue,
  type Currency,
  DIRECTIONS,
  type Direction,
  type ExternalReferenceUse,
  type Field,
  type FieldName,
  type Flow,
  findLimit,
  type Limit,
  type MerchantTerms,
  type Method,
  type Offer,
  type Operator,
  type Segment,
} from './model.ts'

// The catalogue in the shapes of the wire (specification 2.7 and 4.5). Amounts are raw JSON numbers: no digit is lost.

export interface PresentedMoney {
  readonly amount: RawJson
  readonly currencyCode: string
}
export interface PresentedLimit {
  readonly minAmount: RawJson
  readonly maxAmount: RawJson
  readonly currencyCode: string
}
export interface PresentedField {
  readonly name: FieldName
  readonly required: boolean
  readonly pattern?: string
  readonly maxLength?: number
}
export interface OptionOperator {
  readonly code: string
  readonly name: string
}

export type CurrencyDescription = Currency & { readonly operations: readonly Direction[] }

export interface OperatorDescription extends OptionOperator {
  readonly type: Operator['type']
  readonly countryCode?: string
  readonly currencyCodes: readonly string[]
  readonly availability: { readonly payin: Availability; readonly payout: Availability }
}

/** `fields` and `limits` name their operation, because a method may ask for more when money goes out. */
export interface MethodDescription {
  readonly code: string
  readonly paymentMethodCode: string
  readonly name: string
  readonly operations: readonly Direction[]
  readonly currencyCodes: readonly string[]
  readonly flow: Flow
  readonly externalReference: ExternalReferenceUse
  readonly excludedSegmentCodes: readonly string[]
  readonly fields: readonly (PresentedField & { readonly operation: Direction })[]
  /** Without `segmentCode`: for everybody whose segment has no limit of its own. */
  readonly limits: readonly (PresentedLimit & {
    readonly operation: Direction
    readonly segmentCode?: string
  })[]
  readonly paymentOperators: readonly OptionOperator[]
}

/** Money with its amount digit by digit. */
export function presentMoney({ amount, currencyCode }: Money): PresentedMoney {
  return { amount: rawAmount(amount), currencyCode }
}

/** A range of amounts of one currency. */
export function presentLimit({ min, max }: Limit, currencyCode: string): PresentedLimit {
  return { minAmount: rawAmount(min), maxAmount: rawAmount(max), currencyCode }
}

/** What a form needs to know about a field. */
export function presentField({ name, required, pattern, maxLength }: Field): PresentedField {
  return {
    name,
    required,
    ...(pattern === undefined ? {} : { pattern }),
    ...(maxLength === undefined ? {} : { maxLength }),
  }
}

/** An operator inside of a method. */
export function presentOperatorName({ code, name }: Operator): OptionOperator {
  return { code, name }
}

/** GET /payment-methods: the methods configured in the merchant account, with what each needs and takes. */
export function describeMethods(catalogue: Catalogue, terms: MerchantTerms): readonly MethodDescription[] {
  const offer = { catalogue, terms }
  return [...catalogue.methods.values()]
    .map((method) => describeMethod(offer, method))
    .filter(({ operations }) => operations.length > 0)
}

/** GET /currencies: the currencies that some method of the merchant takes, and for which operations. */
export function describeCurrencies(
  catalogue: Catalogue,
  terms: MerchantTerms,
): readonly CurrencyDescription[] {
  const offer = { catalogue, terms }
  const operations = new Map<string, Set<Direction>>()
  for (const method of catalogue.methods.values()) {
    for (const { operation, currencyCode } of describeLimits(offer, method))
      operations.set(currencyCode, (operations.get(currencyCode) ?? new Set()).add(operation))
  }
  return [...catalogue.currencies.values()].flatMap((currency) => {
    const used = operations.get(currency.code)
    if (used === undefined) return []
    return [{ ...currency, operations: DIRECTIONS.filter((direction) => used.has(direction)) }]
  })
}

/** GET /payment-operators: every operator in the system, the closed ones too. */
export function describeOperators(catalogue: Catalogue): readonly OperatorDescription[] {
  return [...catalogue.operators.values()].map(describeOperator)
}

/** GET /segments: every customer segment in the system. */
export function describeSegments(catalogue: Catalogue): readonly Segment[] {
  return [...catalogue.segments.values()]
}

function describeOperator(operator: Operator): OperatorDescription {
  const { code, name, type, countryCode, currencyCodes, availability } = operator
  return { code, name, type, ...(countryCode && { countryCode }), currencyCodes, availability }
}

function describeMethod(offer: Offer, method: Method): MethodDescription {
  const limits = describeLimits(offer, method)
  const operations = DIRECTIONS.filter((direction) => limits.some(({ operation }) => operation === direction))
  const currencyCodes = [...new Set(limits.map(({ currencyCode }) => currencyCode))]
  return {
    code: method.code,
    paymentMethodCode: method.code,
    name: method.name,
    operations,
    currencyCodes,
    flow: method.flow,
    externalReference: method.externalReference,
    excludedSegmentCodes: [...method.excludedSegments],
    fields: operations.flatMap((operation) =>
      (method.sides.get(operation)?.fields ?? []).map((field) => ({ ...presentField(field), operation })),
    ),
    limits,
    paymentOperators: method.operators
      .filter((operator) => operator.currencyCodes.some((code) => currencyCodes.includes(code)))
      .map(presentOperatorName),
  }
}

/** The limits of the directions that are configured for the merchant, already narrowed by the merchant's own. */
function describeLimits(offer: Offer, method: Method): MethodDescription['limits'] {
  const configured = DIRECTIONS.filter((operation) => offer.terms.methods.get(operation)?.has(method.code))
  return configured.flatMap((operation) =>
    [...(method.sides.get(operation)?.limits ?? [])].flatMap(([currencyCode, bySegment]) =>
      [...bySegment.keys()].flatMap((segment) => {
        const segmentCode = segment === ANY ? {} : { segmentCode: segment }
        const question = { direction: operation, currencyCode, ...segmentCode }
        const limit = findLimit(offer, method, question)
        if (limit === undefined) return []
        return [{ ...presentLimit(limit, currencyCode), operation, ...segmentCode }]
      }),
    ),
  )
}
