import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { folderArgument } from './account.ts'
import type { Place } from './cluster.ts'
import { EmbeddedPostgresFailure, systemCode } from './failure.ts'
import { fileBytes, readTail } from './files.ts'
import { HOST } from './ports.ts'
import { liveServer, ownerArgument, readPostmasterFile } from './postmaster-file.ts'
import { processEnds, processMark } from './processes.ts'
import { serverEnvironment } from './run.ts'

/** How a server ended. `logTail` holds its last lines. */
export interface PostmasterExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly logTail: string
}

/** A server that is a child of this process. */
export interface Postmaster {
  readonly pid: number
  /** Fulfilled when the server has ended, for whatever reason. */
  readonly exited: Promise<PostmasterExit>
  stop(): Promise<void>
}

export interface PostmasterRequest {
  readonly place: Place
  readonly port: number
  readonly settings: Readonly<Record<string, string>>
}

/** A server that did not come up. `cause` tells whether trying again can help. */
export class PostmasterStartFailure extends EmbeddedPostgresFailure {
  readonly reason: StartProblem

  constructor(reason: StartProblem, logTail: string) {
    super(`The embedded database did not start. Its last words:\n${logTail}`)
    this.reason = reason
  }
}

type StartProblem = 'port-taken' | 'still-ending' | 'other'

// After a crash the server first replays its log: with max_wal_size=8GB that takes minutes on a slow disk.
const START_TIMEOUT_MS = 600_000
const FAST_STOP_TIMEOUT_MS = 30_000
const IMMEDIATE_STOP_TIMEOUT_MS = 15_000
const READY_POLL_MS = 5
const LOG_BYTES_MAX = 10_000_000
const LOG_TAIL_BYTES = 4_000

/** Starts the server and waits until it accepts connections. Throws `PostmasterStartFailure`. */
export async function startPostmaster(request: PostmasterRequest): Promise<Postmaster> {
  const logFile = join(request.place.dataDir, 'postgres.log')
  rotate(logFile)
  const logStart = fileBytes(logFile)
  const child = launch(request, logFile)
  const exited = exitOf(child, () => readTail(logFile, logStart, LOG_TAIL_BYTES).trim())
  const pid = child.pid
  if (pid === undefined) throw new PostmasterStartFailure('other', (await exited).logTail)
  const mark = processMark(pid) ?? ''
  await untilReady(request.place.cluster, pid, exited)
  return { pid, exited, stop: () => stopServer(pid, mark) }
}

/**
 * Stops the server that an earlier run, killed before it could stop it, left running on the cluster. True when there was
 * one. We do not go on with such a server: it is not our child, so its end could not be noticed, and it was started by
 * other binaries with other settings. Stopping it loses nothing.
 */
export async function stopOrphan(cluster: string): Promise<boolean> {
  const orphan = liveServer(cluster)
  if (orphan === undefined) return false
  await stopServer(orphan.pid, orphan.mark)
  return true
}

/** Fast shutdown: sessions are cut, everything is written. When that hangs: immediate, which the next start recovers from. */
async function stopServer(pid: number, mark: string): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', FAST_STOP_TIMEOUT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_TIMEOUT_MS],
  ] as const) {
    signalServer(pid, signal)
    if (await processEnds(pid, mark, timeoutMs)) return
  }
  throw new EmbeddedPostgresFailure(
    `The embedded database (pid ${pid}) does not stop. Look at its postgres.log.`,
  )
}

function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return
    throw new EmbeddedPostgresFailure(
      `The embedded database (pid ${pid}) belongs to another user and cannot be stopped by you.`,
      {
        cause: error,
      },
    )
  }
}

function launch(request: PostmasterRequest, logFile: string): ChildProcess {
  const { place, port, settings } = request
  const log = openSync(logFile, 'a', 0o600)
  try {
    return spawn(
      place.binaries.postgres,
      [
        '-D',
        folderArgument(place.cluster, place.account),
        ...settingArguments(settings, port),
        '-c',
        ownerArgument(place.cluster),
      ],
      {
        ...place.account,
        cwd: place.cluster,
        env: serverEnvironment(staleOwner(place.cluster)),
        // A session of its own: Ctrl-C in the terminal reaches Tollgate only, which stops the server last.
        detached: true,
        stdio: ['ignore', log, log],
      },
    )
  } finally {
    closeSync(log)
  }
}

/**
 * A pid in postmaster.pid that is no server of this cluster any more may belong to a foreign process, and PostgreSQL would
 * refuse to start. This variable tells it that the pid is not a server; it still makes sure that nobody uses the memory.
 */
function staleOwner(cluster: string): Record<string, string> {
  const file = readPostmasterFile(cluster)
  return file === undefined ? {} : { PG_GRANDPARENT_PID: String(file.pid) }
}

function settingArguments(settings: Readonly<Record<string, string>>, port: number): readonly string[] {
  const ours = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: '',
    logging_collector: 'off',
    lc_messages: 'C',
  }
  return Object.entries({ ...settings, ...ours }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function exitOf(child: ChildProcess, logTail: () => string): Promise<PostmasterExit> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, logTail: error.message }))
    child.once('exit', (code, signal) => resolve({ code, signal, logTail: logTail() }))
  })
}

async function untilReady(cluster: string, pid: number, exited: Promise<PostmasterExit>): Promise<void> {
  let exit: PostmasterExit | undefined
  void exited.then((value) => {
    exit = value
  })
  const deadline = performance.now() + START_TIMEOUT_MS
  while (exit === undefined) {
    const file = readPostmasterFile(cluster)
    if (file?.pid === pid && file.ready) return
    if (performance.now() > deadline) {
      process.kill(pid, 'SIGQUIT')
      throw new PostmasterStartFailure('other', `still not ready after ${START_TIMEOUT_MS / 1000} seconds`)
    }
    await sleep(READY_POLL_MS)
  }
  throw new PostmasterStartFailure(problemIn(exit.logTail), exit.logTail)
}

function problemIn(logTail: string): StartProblem {
  if (/could not bind|Address already in use/.test(logTail)) return 'port-taken'
  if (/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(logTail))
    return 'still-ending'
  return 'other'
}

function rotate(logFile: string): void {
  if (fileBytes(logFile) > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`)
}
