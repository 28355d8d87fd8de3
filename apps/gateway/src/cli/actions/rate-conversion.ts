import { CURRENCIES_ISO_4217, isPositive, parseAmount, rawAmount } from '@tollgate/money'
import { createCatalogueService } from '../../modules/catalogue/index.ts'
import { type Conversion, createRateService, type Side } from '../../modules/rates/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { duration } from '../text.ts'
import { askedMs, presentRate } from './rate-tables.ts'

interface ConvertWish {
  readonly list: string
  readonly amount: string
  readonly from: string
  readonly to: string
  readonly side: Side
  readonly date?: string
}

/** `tollgate rates convert`. */
export function convert(shell: Shell, wish: ConvertWish): Promise<Report> {
  const amount = parseAmount(wish.amount)
  if (amount === undefined || !isPositive(amount))
    throw new CommandFailure(
      'USAGE',
      `The amount must be a number above zero; it is ${JSON.stringify(wish.amount)}.`,
    )
  return inHouse(shell, async (house) => {
    const { rates, minorUnitsOf } = await startRates(shell, house)
    const minorUnits = minorUnitsOf(wish.to)
    if (minorUnits === undefined) throw new CommandFailure('REFUSED', `The currency ${wish.to} is not known.`)
    const outcome = await rates.convertAt({
      listCode: wish.list,
      money: { amount, currencyCode: wish.from },
      targetCurrencyCode: wish.to,
      side: wish.side,
      minorUnits,
      atMs: askedMs(shell, wish.date),
      staleSheet: 'SAY',
    })
    if (outcome.ok) return report(outcome.conversion)
    const kind = outcome.problem.code === 'ENTITY_NOT_FOUND' ? 'NOT_FOUND' : 'REFUSED'
    throw new CommandFailure(kind, outcome.problem.message)
  })
}

async function startRates(shell: Shell, house: House) {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  const catalogue = createCatalogueService({ ...house, changes })
  await catalogue.start()
  const minorUnitsOf = (code: string): number | undefined =>
    (catalogue.current().currencies.get(code) ?? CURRENCIES_ISO_4217.get(code))?.minorUnits
  return { minorUnitsOf, rates: createRateService({ ...house, clock: shell.clock, changes, minorUnitsOf }) }
}

function report({
  money,
  converted,
  side,
  rate,
  list,
  sheet,
  rates,
  ageSeconds,
  isStale,
}: Conversion): Report {
  return {
    json: {
      money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
      converted: { amount: rawAmount(converted.amount), currencyCode: converted.currencyCode },
      side,
      rate: rawAmount(rate),
      rateListCode: list.code,
      version: sheet.version,
      ageSeconds,
      isStale,
      rates: rates.map(presentRate),
    },
    text: `${money.amount} ${money.currencyCode} = ${converted.amount} ${converted.currencyCode} (${side}, ${rate}, version ${sheet.version})`,
    notes: isStale ? [`The sheet is stale: it was published ${duration(ageSeconds)} before.`] : [],
  }
}
