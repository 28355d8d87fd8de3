import { parsePlainAmount } from '@tollgate/money'
import { isBic, isCountryCode } from '@tollgate/payment-codes'
import { availabilityOf, type Health, healthOf, WELL } from './health.ts'
import {
  type Catalogue,
  type DailyCap,
  DIRECTIONS,
  type FeeTable,
  type Field,
  feeKey,
  type Limit,
  limitKey,
  type MerchantLimit,
  type MerchantTerms,
  type Method,
  type MethodSide,
  type Operator,
  type PricedFeeRule,
} from './model.ts'
import { createPatterns, type Patterns } from './patterns.ts'
import type {
  CatalogueRows,
  ExcludedSegmentRow,
  FeeRow,
  FieldRow,
  LimitRow,
  MerchantLimitRow,
  MerchantTermsRows,
  MethodOperatorRow,
  MethodRow,
  OperatorRow,
} from './rows.ts'

/**
 * Builds the snapshot and compiles its patterns. A method with a pattern that cannot be compiled is left out, and told
 * of in `faults`: taking payments without the check would be worse, and so would stopping all the other methods.
 */
export function buildCatalogue(rows: CatalogueRows): Catalogue {
  const currencies = byCode(rows.currencies)
  const health = healthOf(rows.health)
  const operators = byCode(rows.operators.map((row) => toOperator(row, health)))
  const grouped: Grouped = {
    operators,
    health,
    patterns: createPatterns(),
    methodOperators: Map.groupBy(rows.methodOperators, ({ methodCode }) => methodCode),
    limits: Map.groupBy(
      rows.limits.filter(({ currencyCode }) => currencies.has(currencyCode)),
      ({ methodCode }) => methodCode,
    ),
    excludedSegments: Map.groupBy(rows.excludedSegments, ({ methodCode }) => methodCode),
    fields: Map.groupBy(rows.fields, ({ methodCode }) => methodCode),
  }
  const faults: string[] = rows.operators.flatMap(faultsOfOperator)
  const methods: Method[] = []
  for (const row of rows.methods) {
    const broken = (grouped.fields.get(row.code) ?? []).find((field) => !isReadable(field, grouped.patterns))
    if (broken === undefined) methods.push(toMethod(row, grouped))
    else faults.push(`${row.code} is not offered: the pattern of ${broken.name} cannot be compiled.`)
  }
  return {
    currencies,
    segments: byCode(rows.segments),
    operators,
    methods: byCode(methods),
    fees: toFeeTable(rows.fees),
    faults,
  }
}

/** Builds what was agreed with one merchant. */
export function buildTerms(merchantId: string, rows: MerchantTermsRows): MerchantTerms {
  const methods = Map.groupBy(rows.methods, ({ direction }) => direction)
  return {
    merchantId,
    methods: new Map(
      DIRECTIONS.map((direction) => [
        direction,
        new Set((methods.get(direction) ?? []).map(({ methodCode }) => methodCode)),
      ]),
    ),
    limits: new Map(
      rows.limits.map((row) => [
        limitKey(row.direction, row.methodCode, row.currencyCode),
        toMerchantLimit(row),
      ]),
    ),
    fees: toFeeTable(rows.fees),
  }
}

interface Grouped {
  readonly operators: ReadonlyMap<string, Operator>
  readonly health: Health
  readonly patterns: Patterns
  readonly methodOperators: ReadonlyMap<string, readonly MethodOperatorRow[]>
  readonly limits: ReadonlyMap<string, readonly LimitRow[]>
  readonly excludedSegments: ReadonlyMap<string, readonly ExcludedSegmentRow[]>
  readonly fields: ReadonlyMap<string, readonly FieldRow[]>
}

function toMethod({ payinSpeed, payoutSpeed, ...row }: MethodRow, grouped: Grouped): Method {
  const linked = new Set((grouped.methodOperators.get(row.code) ?? []).map((link) => link.operatorCode))
  const operators = [...grouped.operators.values()].filter(({ code }) => linked.has(code))
  const limits = Map.groupBy(grouped.limits.get(row.code) ?? [], ({ direction }) => direction)
  const fields = Map.groupBy(grouped.fields.get(row.code) ?? [], ({ direction }) => direction)
  return {
    ...row,
    ...(payinSpeed === null ? {} : { payinSpeed }),
    ...(payoutSpeed === null ? {} : { payoutSpeed }),
    excludedSegments: new Set(
      (grouped.excludedSegments.get(row.code) ?? []).map(({ segmentCode }) => segmentCode),
    ),
    railAvailability: availabilityOf(grouped.health, { type: 'RAIL', code: row.rail }, WELL),
    operators,
    operatorsByCurrency: groupByCurrency(operators),
    // No operation takes the reference of a top-up (specification 4.2): one that cannot do without would never end.
    sides: new Map(
      [...limits]
        .filter(([direction]) => direction !== 'TOPUP' || row.externalReference !== 'REQUIRED')
        .map(([direction, rows]) => [
          direction,
          toSide(
            rows,
            (fields.get(direction) ?? []).map((field) => toField(field, grouped.patterns)),
          ),
        ]),
    ),
  }
}

function toSide(limitRows: readonly LimitRow[], fields: readonly Field[]): MethodSide {
  return {
    fields,
    isOperatorRequired: fields.some(({ name, required }) => required && name === 'paymentOperatorCode'),
    limits: new Map(
      [...Map.groupBy(limitRows, ({ currencyCode }) => currencyCode)].map(([currencyCode, rows]) => [
        currencyCode,
        new Map(rows.map((row) => [row.segmentCode, toLimit(row)])),
      ]),
    ),
  }
}

function groupByCurrency(operators: readonly Operator[]): ReadonlyMap<string, readonly Operator[]> {
  const serving = operators.flatMap((operator) =>
    operator.currencyCodes.map((currencyCode) => ({ currencyCode, operator })),
  )
  return new Map(
    [...Map.groupBy(serving, ({ currencyCode }) => currencyCode)].map(([currencyCode, pairs]) => [
      currencyCode,
      pairs.map(({ operator }) => operator),
    ]),
  )
}

/** What is not shown of a payment operator, because nobody could use it. */
function faultsOfOperator({ code, countryCode, bic }: OperatorRow): readonly string[] {
  return [
    ...(countryCode === null || isCountryCode(countryCode)
      ? []
      : [`${code} is shown without its country: ${countryCode} is no code of ISO 3166-1 alpha-2.`]),
    ...(bic === null || isBic(bic) ? [] : [`${code} is shown without its BIC: ${bic} is none.`]),
  ]
}

function toOperator(operator: OperatorRow, health: Health): Operator {
  const { payin, payout, countryCode, popularRank, bic, ...row } = operator
  return {
    ...row,
    ...(countryCode === null || !isCountryCode(countryCode) ? {} : { countryCode }),
    ...(popularRank === null ? {} : { popularRank }),
    ...(bic === null || !isBic(bic) ? {} : { bic }),
    availability: availabilityOf(health, { type: 'OPERATOR', code: row.code }, { payin, payout }),
  }
}

function toLimit({ min, max }: LimitRow): Limit {
  return { min: parsePlainAmount(min), max: parsePlainAmount(max) }
}

function isReadable({ pattern }: FieldRow, patterns: Patterns): boolean {
  return pattern === null || patterns.find(pattern) !== undefined
}

function toField(row: FieldRow, patterns: Patterns): Field {
  const base = {
    name: row.name,
    required: row.required,
    ...(row.maxLength === null ? {} : { maxLength: row.maxLength }),
    ...(row.checksum === null ? {} : { checksum: row.checksum }),
  }
  if (row.pattern === null) return { ...base, matches: () => true }
  return { ...base, pattern: row.pattern, matches: patterns.find(row.pattern) ?? (() => false) }
}

function toFeeTable(rows: readonly FeeRow[]): FeeTable {
  return new Map(rows.map((row) => [feeKey(row), toFeeRule(row)]))
}

function toFeeRule({ pricedCurrencyCode: currencyCode, rateListCode, ...row }: FeeRow): PricedFeeRule {
  return {
    fixed: parsePlainAmount(row.fixed),
    percentage: parsePlainAmount(row.percentage),
    ...(row.minimum === null ? {} : { minimum: parsePlainAmount(row.minimum) }),
    ...(row.maximum === null ? {} : { maximum: parsePlainAmount(row.maximum) }),
    ...(currencyCode === null || rateListCode === null ? {} : { priced: { currencyCode, rateListCode } }),
  }
}

function toMerchantLimit({ min, max, dailyAmountMax, dailyCountMax }: MerchantLimitRow): MerchantLimit {
  const dailyCap: DailyCap = {
    ...(dailyAmountMax === null ? {} : { amountMax: parsePlainAmount(dailyAmountMax) }),
    ...(dailyCountMax === null ? {} : { countMax: dailyCountMax }),
  }
  return {
    ...(min === null ? {} : { min: parsePlainAmount(min) }),
    ...(max === null ? {} : { max: parsePlainAmount(max) }),
    ...(Object.keys(dailyCap).length === 0 ? {} : { dailyCap }),
  }
}

function byCode<Item extends { readonly code: string }>(items: readonly Item[]): ReadonlyMap<string, Item> {
  return new Map(items.map((item) => [item.code, item]))
}
