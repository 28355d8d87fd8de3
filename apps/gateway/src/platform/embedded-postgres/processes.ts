import { spawnSync } from 'node:child_process'
import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemCode } from './failure.ts'
import { readIfPresent } from './files.ts'

const POLL_MS = 10
const START_TIME_FIELD = 19

/**
 * What tells a process from a later one with the same pid: the boot and the moment it started.
 * Undefined when no such process runs; one that ended and still waits for its parent counts as ended.
 */
export function processMark(pid: number): string | undefined {
  if (!isSignallable(pid)) return undefined
  return process.platform === 'linux' ? linuxMark(pid) : psMark(pid)
}

/** Waits until the process is gone. False when it still runs after `timeoutMs`. */
export async function processEnds(pid: number, mark: string, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (processMark(pid) === mark) {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/** The folder a process works in; undefined where the system does not tell us. */
export function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

/** The command line of a process, arguments separated by blanks; empty where the system does not tell us. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=')
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

function isSignallable(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

function linuxMark(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The second field is the program's name in parentheses, which may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return undefined
  const boot = readIfPresent('/proc/sys/kernel/random/boot_id')?.trim() ?? ''
  return `${boot}:${fields[START_TIME_FIELD] ?? ''}`
}

function psMark(pid: number): string | undefined {
  const line = ps(pid, 'stat=,lstart=')
  return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
}

function ps(pid: number, columns: string): string {
  const result = spawnSync('/bin/ps', ['-o', columns, '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C' },
  })
  return result.status === 0 ? result.stdout.trim() : ''
}
