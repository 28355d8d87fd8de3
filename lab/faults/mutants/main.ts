// `npm run mutants`: runs gateways that are broken on purpose, and looks whether the checks of `npm run faults` notice.
import { randomInt } from 'node:crypto'
import { UsageError } from '../../rig/usage.ts'
import { SEEDS } from '../arguments.ts'
import { writeMutants } from '../report/write.ts'
import { commandOf, type MutantsArguments, parseArguments, USAGE } from './arguments.ts'
import { NoLongerApplies } from './mutant.ts'
import { runMutants, TrialFailed } from './run.ts'

const EXIT_USAGE = 2
const EXIT_FAULT = 1

async function run({ mutants, seed = randomInt(SEEDS), write }: MutantsArguments): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  say(`seed ${seed}`)
  const results = await runMutants({ mutants, seed, command: commandOf({ mutants }, seed), say })
  const survivors = results.mutants.filter(({ isCaught }) => !isCaught).map(({ name }) => name)
  const caught = mutants.length - survivors.length
  say(`${caught} of ${mutants.length} mutants are caught, in ${results.minutes.toFixed(1)} minutes.`)
  if (survivors.length === 0) {
    if (write) writeMutants(results)
    return
  }
  process.stderr.write(`Not caught: ${survivors.join(', ')}\n`)
  process.exitCode = EXIT_FAULT
}

try {
  const given = parseArguments(process.argv.slice(2))
  if (given === undefined) process.stdout.write(USAGE)
  else await run(given)
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`)
  else if (error instanceof NoLongerApplies || error instanceof TrialFailed)
    process.stderr.write(`${error.name}: ${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAULT
}
