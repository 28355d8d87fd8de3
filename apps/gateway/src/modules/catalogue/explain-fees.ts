import { type Amount, addAmounts, type Money, takePercentage } from '@tollgate/money'
import { judgeFee } from './judge.ts'
import {
  ANY,
  type FeeCharge,
  type FoundFee,
  findFee,
  type Method,
  type Offer,
  type Question,
} from './model.ts'
import { chooseOperator, listOpenOperators } from './operators.ts'
import type { FeeRates } from './priced-fee.ts'

// What a payment would be charged, and how that comes about: by the rules that charge it.

/** A fee, and the payment operators through which it is taken. */
export interface ExplainedFee extends FeeCharge {
  /** Empty: the payment goes through none. */
  readonly operatorCodes: readonly string[]
  /** Undefined: there is no rule, and the payment is free. */
  readonly found: FoundFee | undefined
  /** Undefined without a rule. */
  readonly percentageAmount: Amount | undefined
  /** Fixed part and percentage; undefined without a rule, and where it is priced in another currency. */
  readonly sum: Amount | undefined
}

interface Asked {
  readonly offer: Offer
  readonly question: Question
  readonly rates: FeeRates | undefined
}

/** Each fee that the method may take for this, with the operators that it is taken for. One whose rate is missing is left out. */
export function explainFees(asked: Asked, methodCode: string): readonly ExplainedFee[] {
  const method = asked.offer.catalogue.methods.get(methodCode)
  if (method === undefined) return []
  const byRule = new Map<FoundFee['rule'] | undefined, ExplainedFee & { operatorCodes: string[] }>()
  for (const operatorCode of waysOf(asked.question, method)) {
    const found = findFee(asked.offer, scopeOf(asked.question, method, operatorCode))
    const known = byRule.get(found?.rule)
    if (known !== undefined) known.operatorCodes.push(...named(operatorCode))
    else {
      const fee = feeBy(asked, method, found)
      if (fee !== undefined) byRule.set(found?.rule, { ...fee, operatorCodes: [...named(operatorCode)] })
    }
  }
  return [...byRule.values()]
}

const named = (operatorCode: string): readonly string[] => (operatorCode === ANY ? [] : [operatorCode])

/** The operators that a payment can go through now; `ANY` where it can go through none. */
function waysOf({ direction, money }: Question, method: Method): readonly string[] {
  const side = method.sides.get(direction)
  if (side === undefined) return []
  const place = { direction, method, side, currencyCode: money.currencyCode }
  const open = listOpenOperators(place)
  const unnamed = chooseOperator(place, true, undefined)
  return [
    ...(open.ok ? open.operators.map(({ code }) => code) : []),
    ...(unnamed.ok && unnamed.operator === undefined ? [ANY] : []),
  ]
}

const scopeOf = ({ direction, money, segmentCode }: Question, method: Method, operatorCode: string) => ({
  direction,
  methodCode: method.code,
  operatorCode,
  segmentCode: segmentCode ?? ANY,
  currencyCode: money.currencyCode,
})

function feeBy(
  { offer, question: { direction, money }, rates }: Asked,
  method: Method,
  found: FoundFee | undefined,
): Omit<ExplainedFee, 'operatorCodes'> | undefined {
  const minorUnits = offer.catalogue.currencies.get(money.currencyCode)?.minorUnits ?? 0
  const judged = judgeFee({
    direction,
    rule: found?.rule,
    money,
    minorUnits,
    methodCode: method.code,
    rates,
  })
  return judged.ok ? { ...judged.charge, found, ...partsOf(found, money) } : undefined
}

function partsOf(found: FoundFee | undefined, money: Money): Pick<ExplainedFee, 'percentageAmount' | 'sum'> {
  if (found === undefined) return { percentageAmount: undefined, sum: undefined }
  const percentageAmount = takePercentage(money.amount, found.rule.percentage)
  const isPriced = found.rule.priced !== undefined
  return { percentageAmount, sum: isPriced ? undefined : addAmounts(found.rule.fixed, percentageAmount) }
}
