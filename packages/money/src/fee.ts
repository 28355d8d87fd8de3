import {
  type Amount,
  addAmounts,
  compareAmounts,
  printScaled,
  roundHalfUp,
  scaleAmount,
  ZERO,
} from './amount.ts'

/** What a payment costs, all in the payment's currency. */
export interface FeeRule {
  /** Taken from every payment. */
  readonly fixed: Amount
  /** Percent of the gross amount: `1.5` takes 1.5 of every 100. */
  readonly percentage: Amount
  /** The fee is never less than this. */
  readonly minimum?: Amount
  /** The fee is never more than this, not even to reach the minimum. */
  readonly maximum?: Amount
}

/** A payment whose fee is to be computed; `minorUnits` is how many decimals its currency has. */
export interface FeeQuestion {
  readonly gross: Amount
  readonly rule: FeeRule
  readonly minorUnits: number
}

// One percent is 1 with its point moved by two places.
const PERCENT_SCALE = 2

/**
 * The fee of a payment: fixed + gross × percentage / 100, kept between the rule's bounds, rounded to the
 * currency's decimals with a half going up, and never negative. Computed exactly and rounded once, at the end:
 * the fee can always be paid in its currency, even if a bound was written with more decimals than that.
 * @throws RangeError if `minorUnits` is no possible number of decimals.
 */
export function computeFee({ gross, rule, minorUnits }: FeeQuestion): Amount {
  const exact = addAmounts(rule.fixed, takePercentage(gross, rule.percentage))
  const raised = rule.minimum === undefined ? exact : larger(exact, rule.minimum)
  const bounded = rule.maximum === undefined ? raised : smaller(raised, rule.maximum)
  return roundHalfUp(larger(bounded, ZERO), minorUnits)
}

/** So many percent of the amount, not rounded. */
export function takePercentage(gross: Amount, percentage: Amount): Amount {
  const a = scaleAmount(gross)
  const b = scaleAmount(percentage)
  return printScaled(a.units * b.units, a.scale + b.scale + PERCENT_SCALE)
}

function larger(a: Amount, b: Amount): Amount {
  return compareAmounts(a, b) === -1 ? b : a
}

function smaller(a: Amount, b: Amount): Amount {
  return compareAmounts(a, b) === 1 ? b : a
}
