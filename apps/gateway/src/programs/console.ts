import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@tollgate/runtime'
import type { Config } from '../config.ts'
import { type RunningProgram, superviseProgram } from './child-program.ts'
import { dataDirOf } from './installation.ts'
import { ownUrl } from './simulator.ts'

// The operators' console, as a process of its own: it knows the operator API, with the session of whoever is signed in, and
// neither the database nor a key of ours.

/** The program of the console. */
export const CONSOLE_MAIN = fileURLToPath(new URL('../../../console/src/main.ts', import.meta.url))

/** Starts the console; undefined where its port is 0. */
export function startConsole({
  config,
  log,
}: {
  readonly config: Config
  readonly log: Log
}): RunningProgram | undefined {
  if (config.TOLLGATE_CONSOLE_PORT === 0) return undefined
  const folder = join(dataDirOf(config), 'console')
  return superviseProgram({
    name: 'the console',
    main: CONSOLE_MAIN,
    folder,
    logFile: join(folder, 'console.log'),
    environment: consoleSettings(config),
    log,
  })
}

/** Where operators open the console: on this machine where no address is set. */
export const consoleUrl = (config: Config): string =>
  config.publicConsoleUrl ?? `http://localhost:${config.TOLLGATE_CONSOLE_PORT}`

/** The console's settings that follow from the gateway's. */
export function consoleSettings(config: Config): Record<string, string> {
  return {
    CONSOLE_HOST: config.hosts.CONSOLE,
    CONSOLE_PORT: String(config.TOLLGATE_CONSOLE_PORT),
    CONSOLE_PUBLIC_URL: consoleUrl(config),
    CONSOLE_API_URL: ownUrl(config.hosts.OPERATOR, config.TOLLGATE_OPERATOR_PORT),
    CONSOLE_METRICS_HOST: config.hosts.METRICS,
    CONSOLE_ENVIRONMENT: config.TOLLGATE_ENVIRONMENT,
    CONSOLE_TRUST_PROXY: config.TOLLGATE_TRUST_PROXY,
    ...(config.TOLLGATE_CONSOLE_CELLS !== undefined && { CONSOLE_CELLS: config.TOLLGATE_CONSOLE_CELLS }),
  }
}
