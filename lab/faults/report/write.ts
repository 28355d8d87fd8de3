import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { at } from '@tollgate/testkit'
import { readAttackRows } from '../../../tools/check/attack-rows.ts'
import { readJson, updatePage, updateResults } from '../../rig/page.ts'
import { ROOT } from '../../rig/programs.ts'
import type { Form } from '../arguments.ts'
import type { Control } from '../failover/control.ts'
import { killsIn } from './figures.ts'
import { type MutantResults, scoresIn } from './mutants.ts'
import type { ControlResults, Results } from './results.ts'
import { controlSectionOf, mutantSectionOf, sectionOf } from './sections.ts'

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
