import type {
  Answer,
  AnswerItem,
  ConversionSchema,
  RateListListSchema,
  RateSheetSchema,
} from '@tollgate/contract'
import { rawAmount } from '@tollgate/money'
import type { Age, Conversion, Rate, RateList, RateSheet } from './model.ts'
import type { ListView, SheetView } from './service.ts'

type Sheet = Answer<typeof RateSheetSchema>
type Dates = Pick<Sheet, 'version' | 'validFrom' | 'validTo' | 'publishedAt' | 'ageSeconds' | 'isStale'>

/** A list with the dates of its sheet in force. */
export function presentList({ list, current }: ListView): AnswerItem<typeof RateListListSchema> {
  const codes = current === undefined ? [] : [...current.sheet.rates.keys()]
  return {
    ...presentHead(list),
    currencyCodes: [list.baseCurrencyCode, ...codes],
    ...(current === undefined ? {} : presentDates(current.sheet, current.age)),
  }
}

/** A sheet with its rows. */
export function presentSheet({ list, sheet, age }: SheetView): Sheet {
  return {
    ...presentHead(list),
    ...presentDates(sheet, age),
    source: sheet.source,
    ...(sheet.supersededByVersion === undefined ? {} : { supersededByVersion: sheet.supersededByVersion }),
    rates: [...sheet.rates.values()].map(presentRate),
  }
}

/** What money is worth, and by which rows. */
export function presentConversion(conversion: Conversion): Answer<typeof ConversionSchema> {
  const { money, converted, side, rate, list, sheet, rates } = conversion
  return {
    money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
    converted: { amount: rawAmount(converted.amount), currencyCode: converted.currencyCode },
    side,
    rate: rawAmount(rate),
    rateListCode: list.code,
    ...presentDates(sheet, conversion),
    rates: rates.map(presentRate),
  }
}

/** What a list is. */
export function presentHead(
  list: RateList,
): Pick<Sheet, 'code' | 'name' | 'baseCurrencyCode' | 'staleAfterSeconds'> {
  const { code, name, baseCurrencyCode, staleAfterSeconds } = list
  return { code, name, baseCurrencyCode, ...(staleAfterSeconds === undefined ? {} : { staleAfterSeconds }) }
}

/** When a sheet is in force, and its age. */
export function presentDates(sheet: RateSheet, { ageSeconds, isStale }: Age): Dates {
  return {
    version: sheet.version,
    validFrom: sheet.validFrom.toISOString(),
    ...(sheet.validTo === undefined ? {} : { validTo: sheet.validTo.toISOString() }),
    publishedAt: sheet.publishedAt.toISOString(),
    ageSeconds,
    isStale,
  }
}

/** A row, with every digit. */
export function presentRate({ currencyCode, quotation, unit, buy, sell, mid }: Rate): Sheet['rates'][number] {
  return {
    currencyCode,
    quotation,
    unit,
    buy: rawAmount(buy),
    sell: rawAmount(sell),
    mid: rawAmount(mid),
  }
}
