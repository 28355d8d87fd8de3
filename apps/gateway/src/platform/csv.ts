// RFC 4180: fields are separated by commas, lines end with CR LF.

/** A cell: a text, or a number that is written as it is. */
export type Cell = string | { readonly number: string }

/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t]/
const TO_QUOTE = /[",\r\n]/

/** One line, with its end. A text that looks like a formula gets an apostrophe in front, so that nobody's sheet runs it. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`
}

function cellText(cell: Cell): string {
  if (typeof cell !== 'string') return cell.number
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return TO_QUOTE.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
