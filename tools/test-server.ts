import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  asOwner,
  OWNER,
  RUNTIME_USER,
  startEmbeddedPostgres,
} from '../apps/gateway/src/platform/embedded-postgres/index.ts'
import { freeBytesAt } from '../apps/gateway/src/platform/free-space.ts'
import { migrate } from '../apps/gateway/src/platform/migrate.ts'
import { removeLeftovers } from './leftover-servers.ts'

/** The PostgreSQL that the tests share. Each test clones the template `tollgate_template`, which has the current schema. */
interface TestServer {
  /** Of the superuser, for the environment variable TOLLGATE_TEST_SERVER_URL. */
  readonly url: string
  /** As whom gateways connect, for the environment variable TOLLGATE_TEST_RUNTIME_URL. */
  readonly runtimeUrl: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const TEMPLATE = 'tollgate_template'
const FOLDER_PREFIX = 'tollgate-tests-'

/** Files in here are memory; where it is Linux. */
const MEMORY_FOLDER = '/dev/shm'
const PLENTY_BYTES = 6 * 2 ** 30

/**
 * Whether the data may lie in memory. They are a few hundred MiB, written and thrown away all the time: on a disk, that is
 * half of what a run of the tests asks of the system.
 */
const hasPlentyOfMemory = (): boolean =>
  freeBytesAt(MEMORY_FOLDER) >= PLENTY_BYTES && process.availableMemory() >= PLENTY_BYTES

/** Starts a server in a temporary folder. What killed runs left behind is removed first. */
export async function startTestServer(): Promise<TestServer> {
  const parents = [tmpdir(), MEMORY_FOLDER].filter((folder) => existsSync(folder))
  for (const folder of parents) await removeLeftovers(folder, FOLDER_PREFIX)
  const parent = hasPlentyOfMemory() ? MEMORY_FOLDER : tmpdir()
  const dataDir = mkdtempSync(join(parent, `${FOLDER_PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o755)
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      // Nothing in here needs to survive a power cut, and nobody guesses its passwords.
      settings: { fsync: 'off', shared_buffers: '256MB', max_wal_size: '256MB', scram_iterations: '1' },
      onExit: ({ logTail }) => process.stderr.write(`The test server ended by itself:\n${logTail}\n`),
    })
    const stop = async (): Promise<void> => {
      await server.stop()
      remove()
    }
    await makeTemplate(server.adminUrl).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { url: server.adminUrl, runtimeUrl: server.url, stop }
  } catch (error) {
    remove()
    throw error
  }
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const url = new URL(serverUrl)
  url.pathname = TEMPLATE
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(
      `alter role ${client.escapeIdentifier(url.username)} password ${client.escapeLiteral(url.password)}`,
    )
    await client.query(`create database ${TEMPLATE} owner ${OWNER}`)
    await migrate({ url: asOwner(url.href), runtimeUser: RUNTIME_USER })
    // A database with sessions cannot be cloned, so nobody may open one.
    await client.query(`alter database ${TEMPLATE} with is_template true allow_connections false`)
  } finally {
    await client.end()
  }
}
