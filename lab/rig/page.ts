import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './programs.ts'

/** Puts the content between the section's markers in the page. */
export function updatePage(page: string, section: string, content: string): void {
  writeFileSync(page, replaceSection(readFileSync(page, 'utf8'), section, content))
}

/** Changes some members of a JSON file; what other commands have written stays. */
export function updateJson(file: string, change: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify({ ...readJson(file), ...change }, roundNumbers, 2)
  writeFileSync(file, `${text.replace(INNERMOST, (object) => object.replace(/\n\s*/g, ' '))}\n`)
}

/** What came of each single round, mutant or phase: too long to be kept with the source. */
const DETAILS: readonly string[] = ['mutants', 'phases', 'rounds', 'samples', 'survivors']

/** Writes all that a run found into `.results/`, which git ignores, and a summary without the lists of details into docs/. */
export function updateResults(name: string, change: Readonly<Record<string, unknown>>): void {
  const folder = join(ROOT, '.results')
  mkdirSync(folder, { recursive: true })
  updateJson(join(folder, name), change)
  updateJson(join(ROOT, 'docs', name), withoutDetails(change))
}

/** What the summary in docs/ keeps of a run. */
export function withoutDetails(
  results: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const whole = Object.entries(results).filter(
    ([name, value]) => !(Array.isArray(value) && DETAILS.includes(name)),
  )
  return Object.fromEntries(whole.map(([name, value]) => [name, summaryOf(value)]))
}

function summaryOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(summaryOf)
  return typeof value === 'object' && value !== null ? withoutDetails({ ...value }) : value
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

/** Objects without objects or lists in them are written on one line. */
const INNERMOST = /\{\n[^{}[\]]{1,160}\}/g

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
