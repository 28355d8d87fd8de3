import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import type { Log } from '@tollgate/runtime'
import { sharedCompileCache } from './compile-cache.ts'

// Programs that `npm start` runs beside the gateway, as processes of their own: they know the gateway over the wire alone.

/** A program to run. */
interface ChildProgram {
  /** As in "the bank simulator ended". */
  readonly name: string
  /** The file that Node runs. */
  readonly main: string
  /** Where it works; made if it is not there. */
  readonly folder: string
  /** What it writes, kept to a size. */
  readonly logFile: string
  /** All of its environment, but for where compiled code is kept. */
  readonly environment: Readonly<Record<string, string>>
  readonly log: Log
}

/** A program that runs, and is started again when it falls over. Whatever becomes of it, the gateway goes on. */
export interface RunningProgram {
  /** Resolves to whether it is open, after {@link OPEN_TIMEOUT_MS} at the latest. */
  untilOpen(): Promise<boolean>
  /** Ends it. Never rejects. */
  stop(): Promise<void>
}

/** They idle most of the time: V8 shall not keep room for what they threw away when they started. */
const SMALL_MEMORY = ['--max-semi-space-size=4', '--heap-growing-percent=10']
const OPEN_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 5_000
const RESTART_PAUSE_MS = 1_000
const RESTART_PAUSE_MS_MAX = 30_000
const LOG_BYTES_MAX = 10_000_000

/** Keeps one running: what falls over is started again, with pauses that grow while it does not come up. */
export function superviseProgram(program: ChildProgram): RunningProgram {
  mkdirSync(program.folder, { recursive: true })
  let child: ChildProcess | undefined
  let restart: NodeJS.Timeout | undefined
  let pauseMs = RESTART_PAUSE_MS
  let isStopping = false
  const opened = Promise.withResolvers<boolean>()
  const start = (): void => {
    const current = launch(program)
    child = current
    current.on('message', () => {
      pauseMs = RESTART_PAUSE_MS
      opened.resolve(true)
    })
    whenEnded(current, (how) => {
      child = undefined
      opened.resolve(false)
      if (isStopping) return
      const fields = { ...how, said: lastWords(program), nextTryInMs: pauseMs }
      program.log.error(fields, `${program.name} ended; the gateway goes on, and it is started again`)
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

function launch({ main, folder, logFile, environment }: ChildProgram): ChildProcess {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const log = openSync(logFile, size > LOG_BYTES_MAX ? 'w' : 'a', 0o600)
  try {
    return spawn(process.execPath, [...SMALL_MEMORY, main], {
      cwd: folder,
      env: { ...environment, ...sharedCompileCache() },
      // A session of its own: Ctrl-C in the terminal reaches Tollgate only, which ends the program. Should Tollgate be
      // killed, the channel closes and the program ends by itself.
      detached: true,
      stdio: ['ignore', 'ignore', log, 'ipc'],
    })
  } finally {
    closeSync(log)
  }
}

const LAST_WORDS_MAX = 300

/** The last line that it wrote: why it ended, if it knew. */
function lastWords({ logFile }: ChildProgram): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n')
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
