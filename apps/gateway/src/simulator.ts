import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import { dataDirOf } from './installation.ts'
import type { Log } from './platform/log.ts'
import type { Secrets } from './platform/secrets.ts'
import { writePrivately } from './private-file.ts'
import {
  SIMULATOR_KEY_ID,
  SIMULATOR_RAIL_CODE,
  simulatorAdminKey,
  simulatorSecret,
} from './simulator-keys.ts'

// The sandbox's bank, as a child process of `npm start`: an independent program with its own books, which the gateway
// knows over the wire alone.

export interface SimulatorDeps {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Log
}

/** The simulator of a running sandbox. Whatever becomes of it, the gateway goes on. */
export interface SimulatorProcess {
  /** Resolves to whether it is open, after {@link OPEN_TIMEOUT_MS} at the latest. */
  untilOpen(): Promise<boolean>
  /** Ends it. Never rejects. */
  stop(): Promise<void>
}

const MAIN = fileURLToPath(new URL('../../bank-simulator/src/main.ts', import.meta.url))
const OPEN_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 5_000
const RESTART_PAUSE_MS = 1_000
const RESTART_PAUSE_MS_MAX = 30_000
const LOG_BYTES_MAX = 10_000_000

/** Where the simulator of this installation keeps its books, its log and the key of its admin API. */
export function simulatorFolder(config: Config): string {
  return join(dataDirOf(config), 'simulator')
}

/** The file with the key of the admin API, for whoever scripts the bank. */
export function adminKeyFile(config: Config): string {
  return join(simulatorFolder(config), 'admin.key')
}

/** Starts the simulator; undefined where there is to be none: in live, and where its port is 0. */
export function startSimulator(deps: SimulatorDeps): SimulatorProcess | undefined {
  const { config, secrets } = deps
  if (config.isLive || config.TOLLGATE_SIMULATOR_PORT === 0) return undefined
  mkdirSync(simulatorFolder(config), { recursive: true })
  writePrivately(adminKeyFile(config), `${simulatorAdminKey(secrets)}\n`)
  return supervise(deps)
}

/** Keeps one running: a bank that falls over is started again, with pauses that grow while it does not come up. */
function supervise(deps: SimulatorDeps): SimulatorProcess {
  let child: ChildProcess | undefined
  let restart: NodeJS.Timeout | undefined
  let pauseMs = RESTART_PAUSE_MS
  let isStopping = false
  const opened = Promise.withResolvers<boolean>()
  const start = (): void => {
    const current = launch(deps)
    child = current
    current.on('message', () => {
      pauseMs = RESTART_PAUSE_MS
      opened.resolve(true)
    })
    whenEnded(current, (how) => {
      child = undefined
      opened.resolve(false)
      if (isStopping) return
      const fields = { ...how, said: lastWords(deps.config), nextTryInMs: pauseMs }
      deps.log.error(
        fields,
        'the bank simulator ended; the gateway goes on, and the simulator is started again',
      )
      restart = setTimeout(start, pauseMs)
      pauseMs = Math.min(pauseMs * 2, RESTART_PAUSE_MS_MAX)
    })
  }
  start()
  return {
    async untilOpen() {
      const timer = setTimeout(() => opened.resolve(false), OPEN_TIMEOUT_MS)
      const isOpen = await opened.promise
      clearTimeout(timer)
      return isOpen
    },
    async stop() {
      isStopping = true
      clearTimeout(restart)
      if (child !== undefined) await end(child)
    },
  }
}

function launch({ config, secrets }: SimulatorDeps): ChildProcess {
  const file = logFile(config)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const log = openSync(file, size > LOG_BYTES_MAX ? 'w' : 'a', 0o600)
  try {
    return spawn(process.execPath, [MAIN], {
      cwd: simulatorFolder(config),
      env: environmentFor(config, secrets),
      // A session of its own: Ctrl-C in the terminal reaches Tollgate only, which ends the simulator. Should Tollgate be
      // killed, the channel closes and the simulator ends by itself.
      detached: true,
      stdio: ['ignore', 'ignore', log, 'ipc'],
    })
  } finally {
    closeSync(log)
  }
}

function environmentFor(config: Config, secrets: Secrets): Record<string, string> {
  return {
    SIMULATOR_HOST: config.TOLLGATE_HOST,
    SIMULATOR_PORT: String(config.TOLLGATE_SIMULATOR_PORT),
    SIMULATOR_DATA_DIR: simulatorFolder(config),
    SIMULATOR_KEY_ID,
    SIMULATOR_SECRET: simulatorSecret(secrets).toString('base64'),
    SIMULATOR_ADMIN_KEY: simulatorAdminKey(secrets),
    SIMULATOR_GATEWAY_URL: ownUrl(config, config.TOLLGATE_API_PORT),
    SIMULATOR_RAIL_CODE,
  }
}

/** The address of one of our servers for programs on this machine. */
export function ownUrl({ TOLLGATE_HOST: host }: Pick<Config, 'TOLLGATE_HOST'>, port: number): string {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const logFile = (config: Config): string => join(simulatorFolder(config), 'simulator.log')
const LAST_WORDS_MAX = 300

/** The last line that it wrote: why it ended, if it knew. */
function lastWords(config: Config): string {
  const lines = readFileSync(logFile(config), 'utf8').trimEnd().split('\n')
  return (lines.at(-1) ?? '').slice(0, LAST_WORDS_MAX)
}

interface Ending {
  readonly code?: number
  readonly signal?: string
}

function whenEnded(child: ChildProcess, act: (how: Ending) => void): void {
  let isOver = false
  const once = (how: Ending): void => {
    if (isOver) return
    isOver = true
    act(how)
  }
  child.on('error', () => once({}))
  child.on('exit', (code, signal) =>
    once({ ...(code !== null && { code }), ...(signal !== null && { signal }) }),
  )
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    whenEnded(child, () => {
      clearTimeout(patience)
      resolve()
    })
    child.kill('SIGTERM')
  })
}
