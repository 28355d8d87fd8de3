import { figure, markdownTable } from '../../rig/table.ts'
import { type MutantResults, mutantItem } from './mutants.ts'
import {
  type ControlResults,
  FIGURE_HEAD,
  figureRows,
  PHASE_HEAD,
  phaseRows,
  type Results,
} from './results.ts'

/** A control as a part of the page. */
export function controlSectionOf({ takenOn, command, lost }: ControlResults): string {
  const count = lost.toLocaleString('en-US')
  return `- \`${command}\`, on ${takenOn}: ${count} acknowledged payments were found lost, as they had to be.`
}

/** The mutants as a part of the page. */
export function mutantSectionOf({ takenOn, command, minutes, mutants }: MutantResults): string {
  const caught = mutants.filter(({ isCaught }) => isCaught).length
  return [
    `${caught} of ${mutants.length} caught on ${takenOn} in ${figure(minutes)} minutes by \`${command}\`.`,
    mutants.map(mutantItem).join('\n'),
  ].join('\n\n')
}

/** The run as a part of the page. */
export function sectionOf(results: Results): string {
  const { machine, versions, database } = results
  const list = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')
  return [
    `Taken on ${results.takenOn} in ${figure(results.minutes)} minutes by \`${results.command}\`: ` +
      `${machine.processor}, ${machine.cores} cores for everybody, ${machine.memoryGib} GiB, ${machine.system}.`,
    `Versions: ${list(versions)}. PostgreSQL: ${list(database)}.`,
    markdownTable(FIGURE_HEAD, figureRows(results)),
    markdownTable(PHASE_HEAD, phaseRows(results.phases)),
    ...results.skipped.map(({ title, reason }) => `Skipped, since ${reason}: ${title}.`),
  ].join('\n\n')
}
