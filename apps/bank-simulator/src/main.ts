import { JournalDamaged } from '@tollgate/runtime/journal'
import { createLog, linesWritten } from '@tollgate/runtime/log'
import { ConfigError, readConfig } from './config.ts'
import { startSimulator } from './simulator.ts'

// The bank simulator as a process of its own. Whoever starts it with a channel is told when it is open, and it ends with
// whoever that was: a bank that nobody looks after would keep its port.

const EXIT_USAGE = 2
const EXIT_FAULT = 1

async function main(): Promise<void> {
  const ended = untilAskedToEnd()
  const log = createLog({ level: 'info' })
  const simulator = await startSimulator({ ...readConfig(process.env), log })
  process.send?.({ type: 'OPEN', url: simulator.url })
  await ended
  await simulator.stop()
  await linesWritten()
  process.exit(0)
}

function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
    process.on('disconnect', () => resolve())
  })
}

main().catch((error: unknown) => {
  const isUsage = error instanceof ConfigError || error instanceof JournalDamaged || isTaken(error)
  const text =
    error instanceof Error ? (isUsage ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(isUsage ? EXIT_USAGE : EXIT_FAULT)
})

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
