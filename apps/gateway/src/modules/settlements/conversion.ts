import { isPositive, type Money } from '@tollgate/money'
import type { Clock } from '@tollgate/runtime'
import { convertMoney, type RateService } from '../rates/index.ts'
import type { SettledConversion } from './model.ts'

interface ConversionOrder {
  readonly sold: Money
  readonly targetCurrencyCode: string
  readonly listCode: string
}

type ConversionAnswer =
  | { readonly kind: 'CONVERTED'; readonly conversion: SettledConversion }
  /** It is worth less than the smallest unit of the other currency. */
  | { readonly kind: 'TOO_LITTLE' }
  /** A sentence why there is no rate: nothing is guessed, the settlement waits. */
  | { readonly kind: 'NO_RATE'; readonly problem: string }

/** Says what money is worth now in another currency. */
export type Converter = (order: ConversionOrder) => ConversionAnswer

interface ConverterDeps {
  readonly rates: Pick<RateService, 'current'>
  /** How many decimals a currency has; undefined for one that nobody knows. */
  readonly minorUnitsOf: (currencyCode: string) => number | undefined
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Converts by the rate lists in memory, at the price at which the house buys. A stale sheet is refused. */
export function createConverter({ rates, minorUnitsOf, clock }: ConverterDeps): Converter {
  return ({ sold, targetCurrencyCode, listCode }) => {
    const minorUnits = minorUnitsOf(targetCurrencyCode)
    if (minorUnits === undefined) return noRate(`The currency ${targetCurrencyCode} is not known.`)
    const side = 'BUY'
    const outcome = convertMoney(rates.current(), {
      listCode,
      money: sold,
      targetCurrencyCode,
      side,
      minorUnits,
      atMs: clock.nowMs(),
      staleSheet: 'REFUSE',
    })
    if (!outcome.ok) return noRate(outcome.problem.message)
    const { converted, sheet, rates: rows, rate } = outcome.conversion
    if (!isPositive(converted.amount)) return { kind: 'TOO_LITTLE' }
    const currencyCodes = rows.map((row) => row.currencyCode)
    return {
      kind: 'CONVERTED',
      conversion: { listCode, version: sheet.version, currencyCodes, side, rate, sold, bought: converted },
    }
  }
}

const noRate = (problem: string): ConversionAnswer => ({ kind: 'NO_RATE', problem })
