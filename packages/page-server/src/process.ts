import { createLog, type Log, linesWritten } from '@tollgate/runtime/log'
import { ConfigError } from '@tollgate/runtime/settings'
import type { ServerSettings } from './settings.ts'

const EXIT_FAULT = 1
const EXIT_USAGE = 2
const EXIT_INTERRUPTED = 130
/** A terminal and npm both pass one Ctrl-C on: what comes this soon after the first signal is its echo. */
const ECHO_MS = 500

interface Program<Settings> {
  /** What its settings begin with, such as CONSOLE. */
  readonly prefix: string
  /** Throws ConfigError. */
  readonly readConfig: () => Settings
  readonly start: (
    settings: Settings & { readonly log: Log },
  ) => Promise<{ readonly url: string; stop(): Promise<void> }>
}

/**
 * Runs a server of pages as a process of its own. Whoever starts it with a channel is told when it is open, and it ends with
 * whoever that was; a signal ends it when what is under way is done, a second one at once. Exit codes: 0, 1 for a fault, 2 for
 * what whoever runs it can correct, 130 for the second signal.
 */
export function runProgram<Settings extends ServerSettings>(program: Program<Settings>): void {
  run(program).catch((error: unknown) => {
    const isUsage = error instanceof ConfigError
    const text =
      error instanceof Error ? (isUsage ? error.message : (error.stack ?? error.message)) : String(error)
    process.stderr.write(`${text}\n`)
    process.exit(isUsage ? EXIT_USAGE : EXIT_FAULT)
  })
}

async function run<Settings extends ServerSettings>(program: Program<Settings>): Promise<void> {
  const { prefix, readConfig, start } = program
  const ended = untilAskedToEnd()
  const log = createLog({ level: 'info' })
  const settings = readConfig()
  const server = await start({ ...settings, log }).catch((error: unknown) => {
    throw sentenceFor(error, settings, prefix) ?? error
  })
  process.send?.({ type: 'OPEN', url: server.url })
  await ended
  log.info('finishing what is under way')
  await server.stop()
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
  { host, port, metricsHost, metricsPort }: ServerSettings,
  prefix: string,
): ConfigError | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const isOfMetrics = metricsPort !== 0 && 'port' in error && error.port === metricsPort
  const [server, address, number] = isOfMetrics
    ? [`${prefix}_METRICS`, metricsHost, metricsPort]
    : [prefix, host, port]
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${number} is taken by another program. Stop it, or set another ${server}_PORT.`,
      )
    case 'EACCES':
      return new ConfigError(
        `Port ${number} is for privileged programs. Set ${server}_PORT to one from 1024 on.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(
        `${server}_HOST ${address} is not an address of this machine. Set it to one that is, such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return undefined
  }
}
