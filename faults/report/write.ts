import { join } from 'node:path'
import { ROOT } from '../../bench/house/programs.ts'
import { updateJson, updatePage } from '../../bench/report/page.ts'
import { figure, markdownTable } from '../../bench/report/table.ts'
import { FIGURE_HEAD, figureRows, PHASE_HEAD, phaseRows, type Results } from './results.ts'

const JSON_FILE = join(ROOT, 'docs/reliability.json')
const PAGE = join(ROOT, 'docs/reliability.md')

/** Writes the figures of a run into docs/: the JSON, and their part of the page. */
export function writeResults(form: 'short' | 'long', results: Results): void {
  updateJson(JSON_FILE, { [form]: results })
  updatePage(PAGE, form, sectionOf(results))
}

/** The run as a part of the page. */
export function sectionOf(results: Results): string {
  const { machine, versions, database, seed } = results
  const list = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  return [
    `Taken on ${results.takenOn} in ${figure(results.minutes)} minutes by \`${results.command}\`, seed ${seed}: ` +
      `${machine.processor}, ${machine.cores} cores for everybody, ${machine.memoryGib} GiB, ${machine.system}.`,
    `Versions: ${list(versions)}. PostgreSQL: ${list(database)}.`,
    markdownTable(FIGURE_HEAD, figureRows(results)),
    markdownTable(PHASE_HEAD, phaseRows(results.phases)),
  ].join('\n\n')
}
