import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresFailure, systemCode } from './failure.ts'
import { readIfPresent } from './files.ts'
import { processMark } from './processes.ts'

/** Held by the one process that starts and stops the server of a data directory. */
export interface OwnerLock {
  release(): void
}

const LOCK_FILE = 'owner.lock'
const ATTEMPTS_MAX = 20
const ATTEMPT_PAUSE_MS = 25

/**
 * Takes the data directory for this process. The lock of a process that has ended is ignored, also when its pid has
 * been given to another process since. Throws `EmbeddedPostgresFailure` when a living process holds it.
 */
export async function takeOwnerLock(dataDir: string): Promise<OwnerLock> {
  const path = join(dataDir, LOCK_FILE)
  const text = JSON.stringify({ pid: process.pid, mark: processMark(process.pid) ?? '' })
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    if (createExclusively(path, text)) return { release: () => release(path, text) }
    const held = readIfPresent(path)
    if (held === undefined) continue
    refuseWhenAlive(held, dataDir)
    // An empty lock is being written this very moment, unless its writer was killed between two system calls.
    if (held !== '' || attempt === ATTEMPTS_MAX - 1) removeStale(path, held)
    else await sleep(ATTEMPT_PAUSE_MS)
  }
  throw new EmbeddedPostgresFailure(`The lock file ${path} keeps changing hands. Start Tollgate once more.`)
}

function createExclusively(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 })
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

function refuseWhenAlive(held: string, dataDir: string): void {
  const holder = parseHolder(held)
  if (holder === undefined || processMark(holder.pid) !== holder.mark) return
  throw new EmbeddedPostgresFailure(
    `Another Tollgate (pid ${holder.pid}) uses the data directory ${dataDir}. Stop it first, or give this one a data directory of its own.`,
  )
}

function parseHolder(held: string): { pid: number; mark: string } | undefined {
  let value: unknown
  try {
    value = JSON.parse(held)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('mark' in value)) return undefined
  const { pid, mark } = value
  return typeof pid === 'number' && typeof mark === 'string' ? { pid, mark } : undefined
}

/** Two starters may find the same stale lock: it is moved away first, and put back when it was a fresh one by then. */
function removeStale(path: string, expected: string): void {
  const aside = `${path}.stale-${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  if (readIfPresent(aside) === expected) rmSync(aside, { force: true })
  else renameSync(aside, path)
}

function release(path: string, text: string): void {
  if (readIfPresent(path) === text) rmSync(path, { force: true })
}
