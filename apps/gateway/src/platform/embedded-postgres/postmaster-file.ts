import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { readIfPresent } from './files.ts'
import { commandLine, processMark, workingFolder } from './processes.ts'

/** What a running server writes into postmaster.pid. */
interface PostmasterFile {
  readonly pid: number
  readonly port: number
  /** Takes sessions; a standby does, for reads. */
  readonly ready: boolean
}

const PORT_LINE = 3
const STATUS_LINE = 7

/** Reads postmaster.pid of a cluster; undefined when there is none or it is not complete yet. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  const lines = readIfPresent(join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return {
    pid,
    port: Number(lines[PORT_LINE] ?? 0),
    ready: /^(?:ready|standby)\s*$/.test(lines[STATUS_LINE] ?? ''),
  }
}

/** The server that runs on this cluster now. Undefined too when the pid in the file belongs to some other process by now. */
export function liveServer(cluster: string): (PostmasterFile & { readonly mark: string }) | undefined {
  const file = readPostmasterFile(cluster)
  if (file === undefined) return undefined
  const mark = processMark(file.pid)
  return mark !== undefined && isServerOf(file.pid, realpathSync(cluster)) ? { ...file, mark } : undefined
}

/** An argument that PostgreSQL ignores and that says in the list of processes whose server this is. */
export function ownerArgument(cluster: string): string {
  return `tollgate.cluster=${realpathSync(cluster)}`
}

function isServerOf(pid: number, cluster: string): boolean {
  const command = commandLine(pid)
  if (!/(^|\/)postgres /.test(command)) return false
  // A server works in its cluster; in a container root may not be allowed to see where, but sees the command line.
  const folder = workingFolder(pid)
  return folder === undefined ? command.includes(ownerArgument(cluster)) : folder === cluster
}
