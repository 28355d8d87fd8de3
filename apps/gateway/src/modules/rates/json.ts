import { type JsonObject, type JsonValue, NumberText, parseJson } from '../../platform/json/index.ts'
import { A_MOMENT, readMoment } from '../../platform/moments.ts'
import { type Reading, type RowTexts, readRows, SHEET_ROWS_MAX, type SheetDraft, shown } from './draft.ts'
import type { RateList } from './model.ts'

const MEMBERS_PER_ROW_MAX = 8
const MEMBERS_BESIDE_MAX = 100

/**
 * Reads one sheet in the shape in which GET /rate-lists/{code} answers. Of its members only `rates` is needed; a `code` or
 * `baseCurrencyCode` of another list is a fault. What is not known is ignored, as in a request.
 */
export function readJson(bytes: Uint8Array, list: RateList): Reading<readonly SheetDraft[]> {
  const parsed = parseJson(bytes, { entriesMax: SHEET_ROWS_MAX * MEMBERS_PER_ROW_MAX + MEMBERS_BESIDE_MAX })
  if (!parsed.ok)
    return {
      ok: false,
      faults: [
        `line ${lineOf(bytes, parsed.problem.offset)}: ${parsed.problem.message.replace('The body', 'The file')}`,
      ],
    }
  const document = parsed.value
  if (!isObject(document)) return { ok: false, faults: ['The document is no JSON object.'] }
  const faults = [
    ...foreign(document, 'code', list.code),
    ...foreign(document, 'baseCurrencyCode', list.baseCurrencyCode),
  ]
  const validFrom = momentIn(document, 'validFrom')
  const publishedAt = momentIn(document, 'publishedAt')
  const rates = readRates(document['rates'], list.baseCurrencyCode)
  for (const reading of [validFrom, publishedAt, rates]) if (!reading.ok) faults.push(...reading.faults)
  if (faults.length > 0 || !validFrom.ok || !publishedAt.ok || !rates.ok) return { ok: false, faults }
  const sheet = { validFrom: validFrom.value, publishedAt: publishedAt.value, rates: rates.value }
  return { ok: true, value: [sheet] }
}

function readRates(value: JsonValue | undefined, baseCurrencyCode: string): ReturnType<typeof readRows> {
  if (!Array.isArray(value)) return { ok: false, faults: ['rates: is no list'] }
  const rows = value.map((row, index) => rowOf(row, `rates[${index}]`))
  return readRows(rows, baseCurrencyCode)
}

function rowOf(row: JsonValue, place: string): RowTexts {
  if (!isObject(row)) return { place, broken: 'is no object' }
  return {
    place,
    currencyCode: textOf(row['currencyCode']),
    quotation: textOf(row['quotation']),
    unit: numberOf(row['unit']),
    buy: numberOf(row['buy']),
    sell: numberOf(row['sell']),
    mid: numberOf(row['mid']),
  }
}

function foreign(document: JsonObject, name: string, expected: string): readonly string[] {
  const value = document[name]
  return value === undefined || value === expected ? [] : [`${name}: is not ${expected}`]
}

function momentIn(document: JsonObject, name: string): Reading<Date | undefined> {
  const value = document[name]
  if (value === undefined) return { ok: true, value: undefined }
  const moment = typeof value === 'string' ? readMoment(value) : undefined
  if (moment !== undefined) return { ok: true, value: moment }
  return { ok: false, faults: [`${name}: is not ${A_MOMENT}`] }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
  )
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  value === undefined || typeof value === 'string' ? value : shown(JSON.stringify(value))

/** A number as it was written; anything else as a text that is none. */
function numberOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number') return String(value)
  return value instanceof NumberText ? value.text : JSON.stringify(value)
}

/** Counted from 1. */
function lineOf(bytes: Uint8Array, offset: number): number {
  return new TextDecoder().decode(bytes).slice(0, offset).split('\n').length
}
