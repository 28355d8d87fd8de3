import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { readMoment } from './dates.ts'
import { type Reading, type RowTexts, readRows, type SheetDraft, shown } from './draft.ts'

/** The European Central Bank quotes what one euro is worth. */
export const ECB_BASE = 'EUR'
/** Every working day since 1999 fits, until the 2030s. */
export const SHEETS_MAX = 10_000

/** A document type can define entities; this format has none, so nothing of the kind is even looked at. */
const DOCUMENT_TYPE = /<!(?:DOCTYPE|ENTITY)/i
const MARK = '@'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: MARK,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
  isArray: (name) => name === 'Cube',
})

/**
 * Reads the euro foreign exchange reference rates as the European Central Bank publishes them (eurofxref-daily.xml, and
 * the same for 90 days and for all of history): one sheet per day, quoted INDIRECT. A day begins at 00:00 UTC, and counts
 * as published then, because the file does not say when.
 */
export function readEcb(text: string): Reading<readonly SheetDraft[]> {
  if (DOCUMENT_TYPE.test(text))
    return { ok: false, faults: ['The file has a document type, which this format has not.'] }
  // The parser takes malformed XML in silence. The library wants its validator to be had as a package of its own; this is it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const verdict = XMLValidator.validate(text)
  if (verdict !== true) return { ok: false, faults: [`line ${verdict.err.line}: ${verdict.err.msg}`] }
  const document = parse(text)
  if (!document.ok) return document
  const days = cubesIn(cubesIn(memberOf(document.value, 'Envelope'))[0])
  if (days.length === 0) return { ok: false, faults: ['Envelope.Cube.Cube: there is no day.'] }
  if (days.length > SHEETS_MAX)
    return { ok: false, faults: [`There are ${days.length} days; at most ${SHEETS_MAX} are taken.`] }
  return readDays(days)
}

/** The parser has limits of its own, such as for depth, and throws beyond them. */
function parse(text: string): Reading<unknown> {
  try {
    const value: unknown = parser.parse(text)
    return { ok: true, value }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { ok: false, faults: [`The file cannot be read: ${reason}`] }
  }
}

function readDays(days: readonly unknown[]): Reading<readonly SheetDraft[]> {
  const faults: string[] = []
  const sheets = new Map<string, SheetDraft>()
  for (const [index, day] of days.entries()) {
    const time = attributeOf(day, 'time') ?? ''
    const validFrom = readMoment(time)
    if (validFrom === undefined) faults.push(`Cube ${index + 1}: time ${shown(time)} is no day`)
    else if (sheets.has(time)) faults.push(`Cube ${index + 1}: time ${time} is there twice`)
    const rates = readRows(
      cubesIn(day).map((row, at) => rowOf(row, `Cube ${at + 1}`)),
      ECB_BASE,
    )
    if (!rates.ok) faults.push(...rates.faults.map((fault) => `time ${time}, ${fault}`))
    else sheets.set(time, { validFrom, publishedAt: validFrom, rates: rates.value })
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...sheets.values()] }
}

function rowOf(row: unknown, place: string): RowTexts {
  const currencyCode = attributeOf(row, 'currency')
  const rate = attributeOf(row, 'rate')
  return { place: `${place} ${currencyCode ?? ''}`.trimEnd(), currencyCode, quotation: 'INDIRECT', mid: rate }
}

const attributeOf = (node: unknown, name: string): string | undefined => {
  const value = memberOf(node, `${MARK}${name}`)
  return typeof value === 'string' ? value : undefined
}

function cubesIn(node: unknown): readonly unknown[] {
  const cubes = memberOf(node, 'Cube')
  return Array.isArray(cubes) ? cubes : []
}

function memberOf(node: unknown, name: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, name)
    ? Reflect.get(node, name)
    : undefined
}
