import type {
  AnswerItem,
  CurrencyListSchema,
  MethodListSchema,
  OperatorListSchema,
  PaymentOptionsSchema,
} from '@tollgate/contract'
import { type Money, rawAmount } from '@tollgate/money'
import {
  ANY,
  type Catalogue,
  DIRECTIONS,
  type Direction,
  type Field,
  findLimit,
  type Limit,
  type MerchantTerms,
  type Method,
  type Offer,
  type Operator,
  type Segment,
} from './model.ts'

// The catalogue in the shapes of the wire (specification 2.7 and 4.5). Amounts are raw JSON numbers: no digit is lost.

type OperatorDescription = AnswerItem<typeof OperatorListSchema>
/** `fields` and `limits` name their operation, because a method may ask for more when money goes out. */
type MethodDescription = AnswerItem<typeof MethodListSchema>
type CurrencyDescription = AnswerItem<typeof CurrencyListSchema>
type Option = AnswerItem<typeof PaymentOptionsSchema>
type OptionOperator = Option['paymentOperators'][number]

/** Money with its amount digit by digit. */
export function presentMoney({ amount, currencyCode }: Money): Option['fee'] {
  return { amount: rawAmount(amount), currencyCode }
}

/** A range of amounts of one currency. */
export function presentLimit({ min, max }: Limit, currencyCode: string): Option['limits'][number] {
  return { minAmount: rawAmount(min), maxAmount: rawAmount(max), currencyCode }
}

/** What a form needs to know about a field. */
export function presentField({ name, required, pattern, maxLength }: Field): Option['fields'][number] {
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
