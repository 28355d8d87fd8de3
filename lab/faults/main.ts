// `npm run faults`: lets things break while payments come in, and looks whether anything was lost, doubled or told wrongly.
import { randomInt } from 'node:crypto'
import { NotDurable } from '../rig/server.ts'
import { terminalTable } from '../rig/table.ts'
import { UsageError } from '../rig/usage.ts'
import { commandOf, type FaultsOptions, parseOptions, SEEDS, USAGE } from './arguments.ts'
import { textOf } from './check/facts.ts'
import { type Control, runControl } from './failover/control.ts'
import { FIGURE_HEAD, figureRows, PHASE_HEAD, phaseRows } from './report/results.ts'
import { writeControl, writeResults } from './report/write.ts'
import { InvariantBroken, runFaults } from './run.ts'

const EXIT_USAGE = 2
const EXIT_FAULT = 1

async function run(options: FaultsOptions): Promise<void> {
  const seed = options.seed ?? randomInt(SEEDS)
  process.stdout.write(`seed ${seed}\n`)
  if (options.control !== undefined) await tryControl(options.control, options, seed)
  else await letBreak(options, seed)
}

async function tryControl(control: Control, options: FaultsOptions, seed: number): Promise<void> {
  const lost = await runControl(control, seed)
  const [first] = lost
  const says =
    first === undefined ? '' : `; the first: ${first.name ? textOf(first.name) : ''}, ${first.says}`
  process.stdout.write(`${control}: ${lost.length} acknowledged payments were found lost${says}\n`)
  if (lost.length === 0) process.exitCode = EXIT_FAULT
  else if (options.write)
    writeControl(control, {
      takenOn: new Date().toISOString().slice(0, 10),
      command: commandOf(options, seed),
      seed,
      lost: lost.length,
    })
}

async function letBreak(options: FaultsOptions, seed: number): Promise<void> {
  try {
    const results = await runFaults(options, seed)
    const tables = [
      terminalTable(PHASE_HEAD, phaseRows(results.phases)),
      terminalTable(FIGURE_HEAD, figureRows(results)),
    ]
    process.stdout.write(
      `\n${tables.join('\n\n')}\n\nAll of it took ${results.minutes.toFixed(1)} minutes.\n`,
    )
    if (options.write) writeResults(options.form, results)
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error
    process.stderr.write(`${error.message}\nAgain: ${commandOf(options, seed)}\n`)
    process.exitCode = EXIT_FAULT
  }
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === undefined) process.stdout.write(USAGE)
  else await run(options)
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`)
  else if (error instanceof NotDurable) process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAULT
}
