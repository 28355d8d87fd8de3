import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '@tollgate/testkit'
import { readAttackRows } from '../../../tools/check/attack-rows.ts'
import { readJson, updatePage, updateResults } from '../../rig/page.ts'
import { ROOT } from '../../rig/programs.ts'
import { figure, markdownTable } from '../../rig/table.ts'
import type { Form } from '../arguments.ts'
import type { Control } from '../failover/control.ts'
import { killsIn } from './figures.ts'
import { type MutantResults, mutantItem, scoresIn } from './mutants.ts'
import {
  type ControlResults,
  FIGURE_HEAD,
  figureRows,
  PHASE_HEAD,
  phaseRows,
  type Results,
} from './results.ts'

const JSON_FILE = 'reliability.json'
const MUTATION_FILE = join(ROOT, 'docs/mutation.json')
const PAGE = join(ROOT, 'docs/reliability.md')

/** Writes the figures of a run into docs/: the JSON, and their part of the page. Those of the long run also stand at the top. */
export function writeResults(form: Form, results: Results): void {
  const top = form === 'long' ? headlineOf(results) : {}
  updateAll({ ...top, [form]: results }, { [form]: results.seed })
  updatePage(PAGE, form, sectionOf(results))
}

function headlineOf({ figures }: Results) {
  const { acknowledged, lost, doubled } = figures
  return { acknowledged, kills: killsIn(figures), lost, doubled }
}

/** Writes what a control has lost into docs/. */
export function writeControl(control: Control, results: ControlResults): void {
  updateAll({ [control]: results }, { [control]: results.seed })
  updatePage(PAGE, control, controlSectionOf(results))
}

/** Writes what came of the mutants into docs/. */
export function writeMutants(results: MutantResults): void {
  const mutantsCaught = results.mutants.filter(({ isCaught }) => isCaught).length
  updateAll({ mutantsCaught, mutants: results }, { mutants: results.seed })
  updatePage(PAGE, 'mutants', mutantSectionOf(results))
}

/**
 * Also brings up to date what the file says of the list of attacks and of `npm run mutation`; other runs' figures and seeds
 * stay.
 */
function updateAll(
  figures: Readonly<Record<string, unknown>>,
  seeds: Readonly<Record<string, number>>,
): void {
  const known = at(readJson(join(ROOT, 'docs', JSON_FILE)), 'seeds')
  const { rows, skipped } = readAttackRows()
  updateResults(JSON_FILE, {
    ...figures,
    seeds: { ...(typeof known === 'object' && known), ...seeds },
    attackRows: rows.length,
    attackRowsSkipped: skipped,
    ...(existsSync(MUTATION_FILE) && { mutationScores: scoresIn(readJson(MUTATION_FILE)) }),
  })
}

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
