import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, waitUntil } from '@tollgate/testkit'
import type { Account } from '../../../apps/gateway/src/platform/embedded-postgres/account.ts'
import { giveTo, serverAccount } from '../../../apps/gateway/src/platform/embedded-postgres/account.ts'
import { ROOT } from '../../rig/programs.ts'
import { type DurableServer, durableSettings } from '../../rig/server.ts'
import { createSql } from '../../rig/sql.ts'
import { createNode, type Machine, machineOf, type PatroniNode, startOf } from './patroni-node.ts'

// PostgreSQL under Patroni as docs/failover.md and deploy/database have it: three nodes, three members of etcd, HAProxy before them.

/** Who is what, as Patroni says. */
export interface Roles {
  readonly leader: PatroniNode
  /** Whom commits wait for. */
  readonly standby: PatroniNode
  readonly other: PatroniNode
}

export interface PatroniCluster extends DurableServer {
  /** Resolves when there is a leader that commits wait for a standby with, and the third follows too. */
  whole(): Promise<Roles>
  /** The name of the node that has the leader's lock, undefined while nobody has it. */
  leaderName(): Promise<string | undefined>
}

const NAMES = ['node1', 'node2', 'node3'] as const
const SERVERS_DIR = '/usr/lib/postgresql'
const HAPROXY = join(ROOT, 'deploy/database/haproxy.cfg')
const PASSWORD = 'of-the-lab-alone'
const WHOLE_TIMEOUT_MS = 180_000
const REST_TIMEOUT_MS = 2_000

/** Why there can be no cluster on this machine; undefined where there can. */
export function missingForPatroni(): string | undefined {
  const found = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'].filter((path) => !existsSync(path))
  if (found.length > 0 || newestServer() === undefined)
    return 'it needs Patroni, etcd, HAProxy and PostgreSQL from Debian: apt-get install patroni etcd-server haproxy postgresql'
  return process.getuid?.() === 0 ? undefined : 'it starts programs as another user, which root alone can'
}

function newestServer(): string | undefined {
  const versions = existsSync(SERVERS_DIR) ? readdirSync(SERVERS_DIR).map(Number) : []
  const [newest] = versions.filter((version) => version >= 15).toSorted((one, other) => other - one)
  return newest === undefined ? undefined : join(SERVERS_DIR, String(newest), 'bin')
}

/** Starts it all in a new folder, which `stop` removes. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-patroni-'))
  const account = serverAccount(join(dataDir, 'none'))
  giveTo(account, dataDir)
  const machines: Machine[] = []
  const stop = (): Promise<void> => {
    for (const machine of machines.splice(0).reverse()) machine.kill()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
    return Promise.resolve()
  }
  try {
    const etcdHosts = await startEtcd(dataDir, account, machines)
    const common = { account, etcdHosts, binDir: newestServer() ?? '', password: PASSWORD }
    const nodes: PatroniNode[] = []
    for (const name of NAMES) nodes.push(await createNode({ ...common, name, folder: join(dataDir, name) }))
    for (const node of nodes) {
      machines.push(node)
      node.start()
    }
    const port = await startHaproxy({ dataDir, account, nodes, machines })
    const cluster = { whole: () => untilWhole(nodes), leaderName: () => leaderOf(nodes) }
    await cluster.whole()
    const address = (database: string): string =>
      `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`
    await untilAnswers(address('postgres'))
    await createSql(address('postgres'))('create database tollgate')
    const [url, sql] = [address('tollgate'), createSql(address('tollgate'))]
    const restart = (): Promise<void> => Promise.reject(new Error('Patroni starts its servers'))
    return { ...cluster, url, dataDir, sql, restart, stop, settings: await durableSettings(sql) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Throws where the server is none of a cluster. */
export function clusterOf(server: DurableServer): PatroniCluster {
  if (isCluster(server)) return server
  throw new Error('there is no Patroni')
}

const isCluster = (server: DurableServer): server is PatroniCluster => 'whole' in server

async function startEtcd(dataDir: string, account: Account, machines: Machine[]): Promise<string> {
  const members: { name: string; client: string; peer: string }[] = []
  for (const name of ['etcd1', 'etcd2', 'etcd3'])
    members.push({
      name,
      client: `http://127.0.0.1:${await freePort()}`,
      peer: `http://127.0.0.1:${await freePort()}`,
    })
  const cluster = members.map(({ name, peer }) => `${name}=${peer}`).join(',')
  for (const { name, client, peer } of members) {
    const folder = join(dataDir, name)
    mkdirSync(folder)
    giveTo(account, folder)
    const args = ['--name', name, '--data-dir', join(folder, 'data'), '--initial-cluster', cluster]
    const ofClients = ['--listen-client-urls', client, '--advertise-client-urls', client]
    const ofPeers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer]
    const etcd = startOf({ program: 'etcd', args: [...args, ...ofClients, ...ofPeers], account, folder })
    machines.push(machineOf(() => [etcd()]))
  }
  return members.map(({ client }) => client.replace('http://', '')).join(',')
}

interface HaproxyStart {
  readonly dataDir: string
  readonly account: Account
  readonly nodes: readonly PatroniNode[]
  readonly machines: Machine[]
}

/** HAProxy as deploy/database/haproxy.cfg has it, at addresses of this machine. */
async function startHaproxy({ dataDir, account, nodes, machines }: HaproxyStart): Promise<number> {
  const port = await freePort()
  const servers = nodes.map(
    (node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}\n`,
  )
  const text = readFileSync(HAPROXY, 'utf8')
    .replace(/^ {2}server .*\n/gm, '')
    .replace('127.0.0.1:5000', `127.0.0.1:${port}`)
  const file = join(dataDir, 'haproxy.cfg')
  writeFileSync(file, text + servers.join(''))
  const args = ['-db', '-f', file]
  const haproxy = startOf({ program: '/usr/sbin/haproxy', args, account, folder: dataDir })
  machines.push(machineOf(() => [haproxy()]))
  return port
}

async function untilAnswers(url: string): Promise<void> {
  const answers = (): Promise<boolean> =>
    createSql(url)('select 1').then(
      () => true,
      () => false,
    )
  await waitUntil(answers, { timeoutMs: WHOLE_TIMEOUT_MS, what: 'the leader to be led to' })
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

async function untilWhole(nodes: readonly PatroniNode[]): Promise<Roles> {
  let roles: Roles | undefined
  const isWhole = async (): Promise<boolean> => {
    roles = rolesIn(nodes, await membersOf(nodes))
    return roles !== undefined
  }
  await waitUntil(isWhole, { timeoutMs: WHOLE_TIMEOUT_MS, what: 'the cluster to be whole' }).catch(
    () => undefined,
  )
  if (roles !== undefined) return roles
  const members = (await membersOf(nodes)).map((one) => JSON.stringify(one))
  const words = nodes.map((node) => `${node.name}:\n${node.lastWords()}`)
  throw new Error(
    `the cluster is not whole after ${WHOLE_TIMEOUT_MS / 1000} s\n${[...members, ...words].join('\n')}`,
  )
}

function rolesIn(nodes: readonly PatroniNode[], members: readonly Member[]): Roles | undefined {
  const nodeOf = (role: string): PatroniNode | undefined => {
    const member = members.find((one) => one.role === role && ['running', 'streaming'].includes(one.state))
    return nodes.find(({ name }) => name === member?.name)
  }
  const [leader, standby, other] = [nodeOf('leader'), nodeOf('sync_standby'), nodeOf('replica')]
  if (leader === undefined || standby === undefined || other === undefined) return undefined
  return { leader, standby, other }
}

async function leaderOf(nodes: readonly PatroniNode[]): Promise<string | undefined> {
  return (await membersOf(nodes)).find(({ role }) => role === 'leader')?.name
}

/** What the first node says that answers at all. */
async function membersOf(nodes: readonly PatroniNode[]): Promise<readonly Member[]> {
  for (const { restPort } of nodes) {
    try {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, {
        signal: AbortSignal.timeout(REST_TIMEOUT_MS),
      })
      const told: unknown = await answer.json()
      return membersIn(told)
    } catch {
      // That one is down, or stands still.
    }
  }
  return []
}

function membersIn(told: unknown): readonly Member[] {
  if (typeof told !== 'object' || told === null || !('members' in told) || !Array.isArray(told.members))
    return []
  return told.members.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'name' in one && 'role' in one && 'state' in one
      ? [{ name: String(one.name), role: String(one.role), state: String(one.state) }]
      : [],
  )
}
