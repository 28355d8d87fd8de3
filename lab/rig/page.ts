import { readFileSync, writeFileSync } from 'node:fs'

/** Puts the content between the section's markers in the page. */
export function updatePage(page: string, section: string, content: string): void {
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), section, content))
}

/** Changes some members of a JSON file; what other commands have written stays. */
export function updateJson(file: string, change: Readonly<Record<string, unknown>>): void {
  writeFileSync(file, `${JSON.stringify({ ...readJson(file), ...change }, roundNumbers, 2)}\n`)
}

/** What the file holds; an empty object when there is none, or no JSON in it. */
export function readJson(file: string): object {
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof known === 'object' && known !== null ? known : {}
  } catch {
    return {}
  }
}

const DIGITS = 6

/** What was counted, and seeds, stay exact. */
function roundNumbers(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  return Number(value.toPrecision(DIGITS))
}

/** The part of a page between its markers; what stands around it is written by hand. */
export function replaceSection(page: string, name: string, content: string): string {
  const [start, end] = [`<!-- ${name}: figures of the last run -->`, `<!-- ${name}: end -->`]
  const from = page.indexOf(start)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the page has no section between ${start} and ${end}`)
  return `${page.slice(0, from + start.length)}\n\n${content.trim()}\n\n${page.slice(to)}`
}
