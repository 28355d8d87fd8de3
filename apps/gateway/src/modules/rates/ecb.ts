import { readMoment } from '../../platform/moments.ts'
import { elementAt, elementsAt, readXml, type XmlElement, XmlProblem } from '../../platform/xml/index.ts'
import { type Reading, type RowTexts, readRows, type SheetDraft, shown } from './draft.ts'

/** The European Central Bank quotes what one euro is worth. */
export const ECB_BASE = 'EUR'
/** Every working day since 1999 fits, until the 2030s. */
const SHEETS_MAX = 10_000

/**
 * Reads the euro foreign exchange reference rates as the European Central Bank publishes them (eurofxref-daily.xml, and
 * the same for 90 days and for all of history): one sheet per day, quoted INDIRECT. A day begins at 00:00 UTC, and counts
 * as published then, because the file does not say when.
 */
export function readEcb(text: string): Reading<readonly SheetDraft[]> {
  const document = readDocument(text)
  if (!document.ok) return document
  const root = document.value
  const outer = root.name === 'Envelope' ? elementAt(root, 'Cube') : undefined
  const days = outer === undefined ? [] : elementsAt(outer, 'Cube')
  if (days.length === 0) return { ok: false, faults: ['Envelope.Cube.Cube: there is no day.'] }
  if (days.length > SHEETS_MAX)
    return { ok: false, faults: [`There are ${days.length} days; at most ${SHEETS_MAX} are taken.`] }
  return readDays(days)
}

function readDocument(text: string): Reading<XmlElement> {
  try {
    return { ok: true, value: readXml(text) }
  } catch (error) {
    if (error instanceof XmlProblem) return { ok: false, faults: [faultOf(error)] }
    throw error
  }
}

function faultOf({ kind, detail, where, message }: XmlProblem): string {
  if (kind === 'DOCUMENT_TYPE') return 'The file has a document type, which this format has not.'
  return kind === 'MALFORMED' ? `${where}: ${detail}` : `The file cannot be read: ${message}`
}

function readDays(days: readonly XmlElement[]): Reading<readonly SheetDraft[]> {
  const faults: string[] = []
  const sheets = new Map<string, SheetDraft>()
  for (const [index, day] of days.entries()) {
    const time = day.attributes.get('time') ?? ''
    const validFrom = readMoment(time)
    if (validFrom === undefined) faults.push(`Cube ${index + 1}: time ${shown(time)} is no day`)
    else if (sheets.has(time)) faults.push(`Cube ${index + 1}: time ${time} is there twice`)
    const rates = readRows(
      elementsAt(day, 'Cube').map((row, at) => rowOf(row, `Cube ${at + 1}`)),
      ECB_BASE,
    )
    if (!rates.ok) faults.push(...rates.faults.map((fault) => `time ${time}, ${fault}`))
    else sheets.set(time, { validFrom, publishedAt: validFrom, rates: rates.value })
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, value: [...sheets.values()] }
}

function rowOf({ attributes }: XmlElement, place: string): RowTexts {
  const currencyCode = attributes.get('currency')
  return {
    place: `${place} ${currencyCode ?? ''}`.trimEnd(),
    currencyCode,
    quotation: 'INDIRECT',
    mid: attributes.get('rate'),
  }
}
