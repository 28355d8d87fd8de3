import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@tollgate/testkit'
import { parse } from 'yaml'
import type { Account } from '../../../apps/gateway/src/platform/embedded-postgres/account.ts'
import { giveTo } from '../../../apps/gateway/src/platform/embedded-postgres/account.ts'
import { cleanEnvironment, ROOT } from '../../rig/programs.ts'
import { removeSharedMemory, sharedMemoryOf, signalProcess } from '../../rig/server-processes.ts'

/** A program with everything that it has started. */
export interface Machine {
  /** SIGKILL, as if somebody had pulled the plug. */
  kill(): void
  /** Everything stands still. */
  freeze(): void
  thaw(): void
}

/** One of the servers of a cluster: Patroni, and the PostgreSQL that it started. */
export interface PatroniNode extends Machine {
  readonly name: string
  readonly port: number
  readonly restPort: number
  /** Starts it as it was left. */
  start(): void
  /** The last that it has said. */
  lastWords(): string
}

interface NodeOptions {
  readonly name: string
  readonly folder: string
  readonly account: Account
  readonly etcdHosts: string
  readonly binDir: string
  readonly password: string
}

const LAST_SENTENCES = 40
const SAMPLE = join(ROOT, 'deploy/database/patroni.yml')

/** A node as deploy/database/patroni.yml has it, at addresses of this machine. */
export async function createNode(options: NodeOptions): Promise<PatroniNode> {
  const { name, folder, account, password } = options
  const [port, restPort] = [await freePort(), await freePort()]
  mkdirSync(folder)
  giveTo(account, folder)
  const file = join(folder, 'patroni.yml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settingsOf(options, { port, restPort })))
  giveTo(account, file)
  const env = {
    PATRONI_SUPERUSER_PASSWORD: password,
    PATRONI_REPLICATION_PASSWORD: password,
    PATRONI_RESTAPI_USERNAME: 'lab',
    PATRONI_RESTAPI_PASSWORD: password,
  }
  let machine = NO_MACHINE
  return {
    name,
    port,
    restPort,
    start() {
      const patroni = startOf({ program: 'patroni', args: [file], account, folder, env })
      machine = machineOf(() => [patroni(), postmasterIn(join(folder, 'data'))])
    },
    kill: () => machine.kill(),
    freeze: () => machine.freeze(),
    thaw: () => machine.thaw(),
    lastWords: () =>
      sentencesIn(readFileSync(join(folder, 'log'), 'utf8'))
        .slice(-LAST_SENTENCES)
        .join('\n'),
  }
}

/** Patroni says the same every few seconds: each sentence once, where it was said last. */
function sentencesIn(log: string): readonly string[] {
  const byWhat = new Map<string, string>()
  for (const line of log.split('\n')) {
    const [, what] = /^\d{4}-\S+ \S+ (?:UTC )?(?:\[\d+\] )?(.+)$/.exec(line) ?? []
    if (what === undefined) continue
    byWhat.delete(what)
    byWhat.set(what, line)
  }
  return [...byWhat.values()]
}

const NO_MACHINE: Machine = { kill: () => undefined, freeze: () => undefined, thaw: () => undefined }

interface Ports {
  readonly port: number
  readonly restPort: number
}

/** What the sample says, but for addresses, folders, and a log that needs less room. */
function settingsOf(options: NodeOptions, { port, restPort }: Ports): unknown {
  const { name, folder, etcdHosts, binDir } = options
  const sample = objectIn(parse(readFileSync(SAMPLE, 'utf8')))
  const postgresql = objectIn(sample['postgresql'])
  const rest = `127.0.0.1:${restPort}`
  return {
    ...sample,
    name,
    restapi: {
      ...objectIn(sample['restapi']),
      listen: rest,
      connect_address: rest,
      allowlist: ['127.0.0.1'],
    },
    etcd3: { hosts: etcdHosts },
    postgresql: {
      ...postgresql,
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, 'data'),
      bin_dir: binDir,
      pgpass: join(folder, 'pgpass'),
      pg_hba: [...linesIn(postgresql['pg_hba']), 'host replication all 127.0.0.1/32 scram-sha-256'],
      parameters: { unix_socket_directories: folder, timezone: 'UTC', log_timezone: 'UTC' },
    },
  }
}

const linesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** Throws where the sample has something else. */
function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value))
  throw new Error(`${SAMPLE} is not as expected`)
}

/** The process in charge of a server, undefined where there is none. */
function postmasterIn(cluster: string): number | undefined {
  try {
    const [line] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(line)
  } catch {
    return undefined
  }
}

interface Start {
  readonly program: string
  readonly args: readonly string[]
  readonly account: Account
  /** Where it runs, and where its log lies. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a program of the operating system as that account. It gives its process, undefined once that has ended. */
export function startOf({ program, args, account, folder, env = {} }: Start): () => number | undefined {
  const child = spawn('sh', ['-c', 'exec "$@" >> log 2>&1', 'sh', program, ...args], {
    ...account,
    cwd: folder,
    env: { ...cleanEnvironment(), HOME: folder, LC_ALL: 'C.UTF-8', ...env },
    stdio: 'ignore',
  })
  child.once('error', () => undefined)
  return () => (child.exitCode === null && child.signalCode === null ? child.pid : undefined)
}

/** What may be done to those processes, and to all that they have started. */
export function machineOf(roots: () => readonly (number | undefined)[]): Machine {
  let frozen: readonly number[] = []
  const all = (): readonly number[] => [
    ...new Set(roots().flatMap((pid) => (pid === undefined ? [] : [pid, ...descendantsOf(pid)]))),
  ]
  return {
    kill() {
      const pids = [...new Set([...frozen, ...all()])]
      const memory = pids.flatMap(sharedMemoryOf)
      for (const pid of pids) signalProcess(pid, 'SIGKILL')
      removeSharedMemory(memory)
      frozen = []
    },
    freeze() {
      frozen = all()
      for (const pid of frozen) signalProcess(pid, 'SIGSTOP')
    },
    thaw() {
      for (const pid of frozen) signalProcess(pid, 'SIGCONT')
      frozen = []
    },
  }
}

function descendantsOf(pid: number): readonly number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.map(Number).flatMap((child) => [child, ...descendantsOf(child)])
  } catch {
    return []
  }
}
