import { readdirSync, readFileSync } from 'node:fs'

// What the kernel says of processes. Linux only: elsewhere there is no /proc, and the figures are left out.

/** Kernels for Linux count processor time for programs in hundredths of a second. */
const TICK_MICROSECONDS = 10_000

interface Stat {
  readonly parentPid: number
  readonly own: number
  readonly reapedChildren: number
}

/** The fields of /proc/<pid>/stat after the name, which may itself hold spaces and brackets. */
export function parseStat(text: string): Stat {
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const at = (field: number): number => fields[field - 3] ?? 0
  return {
    parentPid: at(4),
    own: (at(14) + at(15)) * TICK_MICROSECONDS,
    reapedChildren: (at(16) + at(17)) * TICK_MICROSECONDS,
  }
}

function readStat(pid: number | string): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return undefined
  }
}

/** Processor time that the process has used, in microseconds, all of its threads included; 0 where it cannot be read. */
export function cpuOf(pid: number): number {
  return readStat(pid)?.own ?? 0
}

/** Processor time of a process, of its children that run, and of those that have ended. */
export function cpuOfFamily(pid: number): number {
  const parent = readStat(pid)
  if (parent === undefined) return 0
  return childrenOf(pid).reduce((sum, child) => {
    const stat = readStat(child)
    return sum + (stat === undefined ? 0 : stat.own + stat.reapedChildren)
  }, parent.own + parent.reapedChildren)
}

/** The processes that it has started and that have not ended. */
export function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim()
    if (text !== '') return text.split(' ').map(Number)
  } catch {
    // Not every kernel has the list: then every process is asked for its parent.
  }
  return processes().filter((each) => readStat(each)?.parentPid === pid)
}

function processes(): readonly number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

export function parentOf(pid: number): number | undefined {
  return readStat(pid)?.parentPid
}

/** Processor time of the whole machine, in ticks. */
interface MachineTime {
  readonly idle: number
  readonly all: number
}

/** What the kernel says of all processors together; waiting for a disk is idle, too. */
export function machineTime(): MachineTime {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
    const [, ...ticks] = line.trim().split(/ +/).map(Number)
    const counted = ticks.slice(0, COUNTED_FIELDS)
    return {
      idle: (ticks[IDLE_FIELD] ?? 0) + (ticks[IDLE_FIELD + 1] ?? 0),
      all: counted.reduce((sum, each) => sum + each, 0),
    }
  } catch {
    return { idle: 0, all: 0 }
  }
}

const IDLE_FIELD = 3
/** What follows them (the time of guests) is in them already. */
const COUNTED_FIELDS = 8

/** The share of the machine that nobody used between two readings. */
export function idleShare(before: MachineTime, after: MachineTime): number {
  const all = after.all - before.all
  return all === 0 ? 0 : (after.idle - before.idle) / all
}

/** Resident memory in MiB; 0 where it cannot be read. */
export function residentMib(pid: number): number {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(line?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
