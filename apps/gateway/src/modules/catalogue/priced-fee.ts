import { type Amount, parsePlainAmount, ZERO } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import {
  addRatios,
  type Conversion,
  compareRatios,
  convertMoney,
  divide,
  multiply,
  printSignificant,
  RATE_DIGITS,
  type RateSnapshot,
  type Ratio,
  ratioOf,
  roundRatio,
} from '../rates/index.ts'
import { type Charge, type FeeCharge, type FeeConversion, keepWithin, type PricedFeeRule } from './model.ts'

/** The rates by which fees are converted, and when. */
export interface FeeRates {
  readonly snapshot: RateSnapshot
  readonly atMs: number
}

/** What a payment is charged by, and the rates at hand. */
export interface RatedCharge extends Charge {
  readonly methodCode: string
  /** Without rates, a fee that is priced in another currency cannot be told. */
  readonly rates: FeeRates | undefined
}

export type FeeJudgement =
  | { readonly ok: true; readonly charge: FeeCharge }
  | { readonly ok: false; readonly item: RejectionItem }

/** A fee that is priced in another currency, in the payment's; not ok when the rate is missing or stale. */
export function judgePricedFee(
  question: RatedCharge,
  rule: PricedFeeRule,
  priced: NonNullable<PricedFeeRule['priced']>,
): FeeJudgement {
  const { money } = question
  const found = findRate(question, priced)
  if (!found.ok) return found
  const { exactRate, list, sheet, rates, rate } = found.conversion
  const exact = exactFee(rule, money.amount, exactRate)
  const fee = keepWithin(question, roundRatio(exact, question.minorUnits))
  const feeConversion: FeeConversion = {
    listCode: list.code,
    version: sheet.version,
    currencyCode: rates.at(-1)?.currencyCode ?? money.currencyCode,
    side: SIDE,
    rate,
    priced: { amount: pricedAmount(exact, exactRate), currencyCode: priced.currencyCode },
  }
  return { ok: true, charge: { fee, feeConversion } }
}

/** The merchant gets the priced currency from the house, and so pays the spread. */
const SIDE = 'SELL'
const ONE: Amount = parsePlainAmount('1')

type FoundRate =
  | { readonly ok: true; readonly conversion: Conversion }
  | { readonly ok: false; readonly item: RejectionItem }

/** What one of the priced currency costs in the payment's. */
function findRate(
  { rates, money, minorUnits, methodCode }: RatedCharge,
  priced: NonNullable<PricedFeeRule['priced']>,
): FoundRate {
  const outcome = convertMoney(rates?.snapshot ?? { lists: new Map() }, {
    listCode: priced.rateListCode,
    money: { amount: ONE, currencyCode: priced.currencyCode },
    targetCurrencyCode: money.currencyCode,
    side: SIDE,
    minorUnits,
    atMs: rates?.atMs ?? 0,
    staleSheet: 'REFUSE',
  })
  if (outcome.ok) return outcome
  const message = `The fee of ${methodCode} is priced in ${priced.currencyCode}: ${outcome.problem.message}`
  return { ok: false, item: { code: 'RATE_NOT_AVAILABLE', message, paymentMethodCode: methodCode } }
}

// One percent is 1 with its point moved by two places.
const PERCENT: Ratio = { numerator: 1n, denominator: 100n }

/**
 * The fee before it is rounded. The percentage is of the payment's own money and needs no rate; the fixed part and the
 * bounds are converted, exactly: there is one rounding, at the end.
 */
function exactFee(rule: PricedFeeRule, gross: Amount, rate: Ratio): Ratio {
  const converted = (amount: Amount): Ratio => multiply(ratioOf(amount), rate)
  const percentage = multiply(multiply(ratioOf(gross), ratioOf(rule.percentage)), PERCENT)
  const sum = addRatios(converted(rule.fixed), percentage)
  const least = rule.minimum === undefined ? sum : larger(sum, converted(rule.minimum))
  return rule.maximum === undefined ? least : smaller(least, converted(rule.maximum))
}

const larger = (a: Ratio, b: Ratio): Ratio => (compareRatios(a, b) === -1 ? b : a)
const smaller = (a: Ratio, b: Ratio): Ratio => (compareRatios(a, b) === 1 ? b : a)

/** What the fee is in the currency it is priced in, to the digits of a rate. */
function pricedAmount(exact: Ratio, rate: Ratio): Amount {
  return exact.numerator === 0n ? ZERO : printSignificant(divide(exact, rate), RATE_DIGITS)
}
