import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@tollgate/runtime'
import type { Config } from '../config.ts'
import {
  SIMULATOR_KEY_ID,
  SIMULATOR_RAIL_CODE,
  simulatorAdminKey,
  simulatorSecret,
} from '../keys/simulator-keys.ts'
import type { Secrets } from '../platform/secrets.ts'
import { writePrivately } from '../platform/whole-file.ts'
import { type RunningProgram, superviseProgram } from './child-program.ts'
import { dataDirOf } from './installation.ts'

// The sandbox's bank, as a child process of `npm start`: an independent program with its own books, which the gateway
// knows over the wire alone.

interface SimulatorDeps {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Log
}

const MAIN = fileURLToPath(new URL('../../../bank-simulator/src/main.ts', import.meta.url))

/** Where the simulator of this installation keeps its books, its log and the key of its admin API. */
function simulatorFolder(config: Config): string {
  return join(dataDirOf(config), 'simulator')
}

/** The file with the key of the admin API, for whoever scripts the bank. */
export function adminKeyFile(config: Config): string {
  return join(simulatorFolder(config), 'admin.key')
}

/** Starts the simulator; undefined where there is to be none: in live, and where its port is 0. */
export function startSimulator({ config, secrets, log }: SimulatorDeps): RunningProgram | undefined {
  if (config.isLive || config.TOLLGATE_SIMULATOR_PORT === 0) return undefined
  mkdirSync(simulatorFolder(config), { recursive: true })
  writePrivately(adminKeyFile(config), `${simulatorAdminKey(secrets)}\n`)
  return superviseProgram({
    name: 'the bank simulator',
    main: MAIN,
    folder: simulatorFolder(config),
    logFile: join(simulatorFolder(config), 'simulator.log'),
    environment: environmentFor(config, secrets),
    log,
  })
}

function environmentFor(config: Config, secrets: Secrets): Record<string, string> {
  return {
    SIMULATOR_HOST: config.hosts.SIMULATOR,
    SIMULATOR_PORT: String(config.TOLLGATE_SIMULATOR_PORT),
    SIMULATOR_DATA_DIR: simulatorFolder(config),
    SIMULATOR_KEY_ID,
    SIMULATOR_SECRET: simulatorSecret(secrets).toString('base64'),
    SIMULATOR_ADMIN_KEY: simulatorAdminKey(secrets),
    SIMULATOR_GATEWAY_URL: ownUrl(config.hosts.API, config.TOLLGATE_API_PORT),
    SIMULATOR_RAIL_CODE,
  }
}

/** The address of one of our servers for programs on this machine, by where it listens. */
export function ownUrl(host: string, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
