import { readCsv } from './csv.ts'
import type { Reading, SheetDraft } from './draft.ts'
import { ECB_BASE, readEcb } from './ecb.ts'
import { readJson } from './json.ts'
import type { RateList, Source } from './model.ts'

// Runs in a thread; see reading.ts.

/** A file with sheets for a list. */
export interface RateOrder {
  readonly list: RateList
  readonly format: Exclude<Source, 'MANUAL'>
  readonly bytes: Uint8Array
}

/** What the thread tells: the faults; or the sheets, some at a time. */
export type RatePiece =
  | { readonly kind: 'FAULTS'; readonly faults: readonly string[] }
  | { readonly kind: 'SHEETS'; readonly sheets: readonly SheetDraft[] }

/** Of some forty rows each. */
const SHEETS_AT_ONCE = 50

/** Reads a file with sheets. */
export function* work(order: RateOrder): Iterable<RatePiece> {
  const read = readFile(order)
  if (!read.ok) {
    yield { kind: 'FAULTS', faults: read.faults }
    return
  }
  for (let from = 0; from < read.value.length; from += SHEETS_AT_ONCE)
    yield { kind: 'SHEETS', sheets: read.value.slice(from, from + SHEETS_AT_ONCE) }
}

function readFile({ list, format, bytes }: RateOrder): Reading<readonly SheetDraft[]> {
  if (format === 'JSON') return readJson(bytes, list)
  const text = decode(bytes)
  if (text === undefined) return { ok: false, faults: ['The file is not in UTF-8.'] }
  if (format === 'CSV') return readCsv(text, list.baseCurrencyCode)
  if (list.baseCurrencyCode !== ECB_BASE)
    return {
      ok: false,
      faults: [`The base of this format is ${ECB_BASE}; that of ${list.code} is ${list.baseCurrencyCode}.`],
    }
  return readEcb(text)
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
