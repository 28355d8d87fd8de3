// `npm run bench`: figures of the gateway, beside the limits that PostgreSQL and HTTP set on the same machine.

import { NotDurable } from '../rig/server.ts'
import { UsageError } from '../rig/usage.ts'
import { parseCommand, USAGE } from './arguments.ts'
import { runGrowth } from './growth.ts'
import { LoadFailed } from './load/drive.ts'
import { runOutage } from './outage.ts'
import { writeGrowth, writeResults, writeSearch, writeSoak } from './report/write.ts'
import { runStandard } from './run.ts'
import { runSearch } from './search/search.ts'
import { runSoak } from './soak.ts'

const EXIT_USAGE = 2
const EXIT_FAULT = 1

async function main(args: readonly string[]): Promise<void> {
  const command = parseCommand(args)
  switch (command.kind) {
    case 'help':
      process.stdout.write(USAGE)
      return
    case 'run': {
      const results = await runStandard(command.options)
      if (command.options.write) writeResults(results)
      break
    }
    case 'growth': {
      const growth = await runGrowth(command.options)
      if (command.options.write) writeGrowth(growth)
      break
    }
    case 'soak': {
      const soak = await runSoak(command.options)
      if (command.options.write) writeSoak(soak)
      break
    }
    case 'outage':
      await runOutage(command.options)
      break
    case 'chains':
      // Loaded when it is asked for: it brings the gateway's tests along.
      await (await import('./chains.ts')).runChains()
      break
    case 'search': {
      const { figures, problems } = await runSearch(command.options)
      if (command.options.write) writeSearch(figures)
      if (problems.length > 0) throw new LoadFailed(problems.join('\n'))
      break
    }
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`)
  else if (error instanceof NotDurable || error instanceof LoadFailed)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAULT
}
