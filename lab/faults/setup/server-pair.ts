import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultProxy, faultProxy, waitUntil } from '@tollgate/testkit'
import { type DurableServer, startDurableServer } from '../../rig/server.ts'
import {
  postmasterPid,
  processesOf,
  removeSharedMemory,
  sharedMemoryOf,
  signalProcess,
} from '../../rig/server-processes.ts'
import { createSql, type Sql } from '../../rig/sql.ts'
import { type RunningServer, STANDBY_NAME, startStandby } from '../../rig/standby.ts'

/** A primary and its standby, behind one address that leads to whoever is the primary. */
export interface ServerPair extends DurableServer {
  /** All processes of the standby stand still until the function is called. */
  freezeStandby(): Promise<() => void>
  /** Between the standby, which connects, and the primary. */
  readonly link: FaultProxy
  /** SIGKILL of the primary with all its processes. From then on the address leads nowhere. */
  killPrimary(): Promise<void>
  /** All processes of the primary stand still. The address leads to it all the same. */
  freezePrimary(): Promise<FrozenPrimary>
  /** Makes a primary of the standby. It is alone, and waits for nobody. The address leads where it did. */
  promote(): Promise<void>
  /** Leads the address to the promoted one, and cuts all sessions with the primary before. */
  moveAddress(): void
  /** Both, after the primary was killed. */
  promoteStandby(): Promise<void>
  /** Gives the primary a new standby. Resolves when commits wait for it, if they are to. */
  renewStandby(): Promise<void>
}

/** A primary that stands still, with all the sessions it has. */
export interface FrozenPrimary {
  /** It goes on. */
  thaw(): void
  /** SIGKILL; its files are removed. Only when the address leads to another one. */
  kill(): void
}

/** Throws where the server is none of a pair. */
export function pairOf(server: DurableServer): ServerPair {
  if (isPair(server)) return server
  throw new Error('there is no standby')
}

const isPair = (server: DurableServer): server is ServerPair => 'promoteStandby' in server

/** A standby of a machine that vanished must not be waited for for long, nor may it wait for its primary. */
const SETTINGS = {
  wal_keep_size: '1GB',
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '200ms',
} as const
const STANDBY_TIMEOUT_MS = 60_000

/** Both are on this machine, on one disk. Commits wait for the standby unless it is to be asynchronous. Throws NotDurable. */
export async function startServerPair(isSynchronous = true): Promise<ServerPair> {
  const first = await startDurableServer(undefined)
  const ends: (() => void | Promise<void>)[] = [() => first.stop()]
  const life = { after: (end: () => void | Promise<void>) => void ends.push(end) }
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end()
  }
  try {
    const proxies = { front: await faultProxy(life, first.url), link: await faultProxy(life, first.url) }
    const pair = createPair({ first, ...proxies, isSynchronous, atEnd: life.after })
    for (const [name, value] of Object.entries(SETTINGS)) await set(pair.sql, name, value)
    await pair.renewStandby()
    const restart = (): Promise<void> =>
      Promise.reject(new Error('a killed primary is followed by its standby'))
    return { ...pair, restart, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

interface PairParts {
  readonly first: DurableServer
  readonly front: FaultProxy
  readonly link: FaultProxy
  readonly isSynchronous: boolean
  readonly atEnd: (end: () => Promise<void>) => void
}

function createPair(parts: PairParts): Omit<ServerPair, 'stop' | 'restart'> {
  const { first, front, link, isSynchronous } = parts
  const { settings, dataDir } = first
  const roles = createRoles(parts)
  const sql = createSql(front.url)
  let made = 0
  return {
    url: front.url,
    dataDir,
    settings,
    sql,
    link,
    promote: roles.promote,
    moveAddress: roles.moveAddress,
    freezeStandby: async () => (await freeze(await roles.standby())).thaw,
    async killPrimary() {
      await signalServer(roles.primary(), 'SIGKILL')
      front.refuse(true)
      for (const proxy of [front, link]) proxy.cutAll()
    },
    async freezePrimary() {
      const frozen = await freeze(roles.primary())
      parts.atEnd(async () => frozen.kill())
      return frozen
    },
    async promoteStandby() {
      const killed = roles.primary()
      await roles.promote()
      roles.moveAddress()
      removeFiles(killed)
    },
    async renewStandby() {
      made += 1
      const standby = startStandby({
        dataDir: join(dataDir, `server-${made}`),
        primaryUrl: roles.primary().url,
        logUrl: link.url,
        settings: settingsLike(settings),
      })
      roles.follow(standby)
      await standby
      await untilFollowed(sql, isSynchronous)
    },
  }
}

/** Who is what in a pair. Ends them all at the end, also one that is just being made. */
interface Roles extends Pick<ServerPair, 'promote' | 'moveAddress'> {
  primary(): RunningServer
  /** Rejects when there is none. */
  standby(): Promise<RunningServer>
  follow(standby: Promise<RunningServer>): void
}

function createRoles({ first, front, link, atEnd }: PairParts): Roles {
  let primary: RunningServer = { dataDir: first.dataDir, url: first.url, stop: () => first.stop() }
  let standby: Promise<RunningServer> | undefined
  let promoted: RunningServer | undefined
  atEnd(async () => {
    await standby?.then(({ stop }) => stop()).catch(() => undefined)
    await primary.stop()
  })
  const theStandby = (): Promise<RunningServer> => standby ?? Promise.reject(new Error('there is no standby'))
  return {
    primary: () => primary,
    standby: theStandby,
    follow: (one) => {
      standby = one
    },
    async promote() {
      promoted = await theStandby()
      await createSql(promoted.url)('select pg_promote()')
    },
    moveAddress() {
      if (promoted === undefined) throw new Error('nobody was promoted')
      primary = promoted
      promoted = undefined
      standby = undefined
      leadTo([front, link], primary)
    },
  }
}

function leadTo([front, link]: readonly [FaultProxy, FaultProxy], { url }: RunningServer): void {
  for (const proxy of [front, link]) {
    proxy.repoint(url)
    proxy.cutAll()
  }
  front.refuse(false)
}

async function freeze(server: RunningServer): Promise<FrozenPrimary> {
  const pids = await signalServer(server, 'SIGSTOP')
  const memory = sharedMemoryOf(postmasterPid(server.dataDir))
  let isOver = false
  return {
    thaw() {
      for (const pid of pids) signalProcess(pid, 'SIGCONT')
    },
    kill() {
      if (isOver) return
      isOver = true
      // Sessions that came later end when they see that the process in charge is gone.
      for (const pid of pids) signalProcess(pid, 'SIGKILL')
      removeSharedMemory(memory)
      removeFiles(server)
    },
  }
}

const REMOVE_TRIES = 20

function removeFiles({ dataDir }: RunningServer): void {
  rmSync(join(dataDir, 'postgres'), { recursive: true, force: true, maxRetries: REMOVE_TRIES })
}

/** Lets commits wait for a standby that has caught up, if they are to. */
async function untilFollowed(sql: Sql, isSynchronous: boolean): Promise<void> {
  await untilStandby(sql, 'streaming')
  if (!isSynchronous) return
  await set(sql, 'synchronous_standby_names', STANDBY_NAME)
  await untilStandby(sql, 'sync')
  // Commits wait only when the checkpointer has read the setting, and it may be at work.
  await sql('checkpoint')
}

/** Sends a signal to all processes of a server, and gives their ids. */
async function signalServer(
  { dataDir, url }: RunningServer,
  signal: NodeJS.Signals,
): Promise<readonly number[]> {
  const pids = await processesOf(dataDir, createSql(url))
  const memory = sharedMemoryOf(postmasterPid(dataDir))
  for (const pid of pids) signalProcess(pid, signal)
  // One that was killed is not started again: its files are removed.
  if (signal === 'SIGKILL') removeSharedMemory(memory)
  return pids
}

/** A standby needs as many connections as its primary, and is to be as fast when it has taken over. */
function settingsLike(shown: DurableServer['settings']): Readonly<Record<string, string>> {
  const names = ['max_connections', 'shared_buffers', 'max_wal_size']
  const settings = names.map((name) => [name, shown[name] ?? ''] as const)
  return { ...Object.fromEntries(settings), timezone: 'UTC', log_timezone: 'UTC' }
}

async function set(sql: Sql, name: string, value: string): Promise<void> {
  await sql(`alter system set ${name} = '${value}'`)
  await sql('select pg_reload_conf()')
}

/** Its state is `streaming` when it has caught up, its `sync_state` is `sync` when commits wait for it. */
function untilStandby(sql: Sql, state: 'streaming' | 'sync'): Promise<void> {
  return waitUntil(
    async () => {
      const rows = await sql(
        'select state, sync_state from pg_stat_replication where application_name = $1',
        [STANDBY_NAME],
      )
      return rows.some((row) => Object.values(row).includes(state))
    },
    { timeoutMs: STANDBY_TIMEOUT_MS, what: `the standby to be ${state}` },
  )
}
