import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

// Below the ports that systems take for connections of their own: one of those could be taken by any program's next
// connection before the test's own program listens on it.
const FIRST_PORT = 15_000
const LAST_PORT = 29_999
const TRIES_MAX = 100

/** A file for each port that a test has asked for, with the process that asked: other tests run at the same time. */
const FOLDER = join(tmpdir(), `tollgate-test-ports-${userInfo().uid}`)
const taken = new Set<string>()

/** A port of 127.0.0.1 that nobody listens on right now, and that no test that runs has asked for. */
export async function freePort(): Promise<number> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1)
    if (take(port) && (await isFree(port))) return port
  }
  throw new Error(`no free port found between ${FIRST_PORT} and ${LAST_PORT}`)
}

/** False when another process has it, or this one. What a process that ended has left is free for the next who asks. */
function take(port: number): boolean {
  const file = join(FOLDER, String(port))
  try {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch {
    if (!isRunning(readOwner(file))) rmSync(file, { force: true })
    return false
  }
  if (taken.size === 0) process.once('exit', giveBack)
  taken.add(file)
  return true
}

function giveBack(): void {
  for (const file of taken) rmSync(file, { force: true })
}

function readOwner(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

/** Of no number, and of one that is being written, it is not known: it counts as running. */
function isRunning(pid: number): boolean {
  if (!(pid > 0)) return true
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
