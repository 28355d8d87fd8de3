import { createLog, linesWritten } from '@tollgate/runtime/log'
import { ConfigError, readConfig, type Settings } from './config.ts'
import { startConsole } from './server.ts'

// The operators' console as a process of its own. Whoever starts it with a channel is told when it is open, and it ends with
// whoever that was.

const EXIT_FAULT = 1
const EXIT_USAGE = 2
const EXIT_INTERRUPTED = 130
/** A terminal and npm both pass one Ctrl-C on: what comes this soon after the first signal is its echo. */
const ECHO_MS = 500

async function main(): Promise<void> {
  const ended = untilAskedToEnd()
  const log = createLog({ level: 'info' })
  const settings = readConfig(process.env)
  const console = await startConsole({ ...settings, log }).catch((error: unknown) => {
    throw sentenceFor(error, settings) ?? error
  })
  process.send?.({ type: 'OPEN', url: console.url })
  await ended
  await console.stop()
  await linesWritten()
  process.exit(0)
}

/** A later signal ends the process at once. */
function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined
    const onSignal = (): void => {
      const nowMs = performance.now()
      if (firstMs !== undefined && nowMs - firstMs > ECHO_MS) process.exit(EXIT_INTERRUPTED)
      firstMs ??= nowMs
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal)
    process.on('disconnect', () => resolve())
  })
}

/** What whoever runs it can correct; undefined for any other fault. */
function sentenceFor(
  error: unknown,
  { host, port, metricsHost, metricsPort }: Settings,
): ConfigError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const taken = 'port' in error ? error.port : undefined
  const isOfMetrics = metricsPort !== 0 && taken === metricsPort
  const name = isOfMetrics ? 'CONSOLE_METRICS_PORT' : 'CONSOLE_PORT'
  const number = isOfMetrics ? metricsPort : port
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(`Port ${number} is taken by another program. Stop it, or set another ${name}.`)
    case 'EACCES':
      return new ConfigError(`Port ${number} is for privileged programs. Set ${name} to one from 1024 on.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `${isOfMetrics ? `CONSOLE_METRICS_HOST ${metricsHost}` : `CONSOLE_HOST ${host}`} is not an address of this machine. Set it to one that is, such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return undefined
  }
}

main().catch((error: unknown) => {
  const isUsage = error instanceof ConfigError
  const text =
    error instanceof Error ? (isUsage ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(isUsage ? EXIT_USAGE : EXIT_FAULT)
})
