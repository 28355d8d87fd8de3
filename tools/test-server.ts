import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/gateway/src/platform/embedded-postgres/index.ts'
import { migrate } from '../apps/gateway/src/platform/migrate.ts'
import { removeLeftovers } from './leftover-servers.ts'

/** The PostgreSQL that the tests share. Each test clones the template `tollgate_template`, which has the current schema. */
export interface TestServer {
  /** For the environment variable TOLLGATE_TEST_SERVER_URL. */
  readonly url: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

const TEMPLATE = 'tollgate_template'
const FOLDER_PREFIX = 'tollgate-tests-'

/** Starts a server in a temporary folder. What killed runs left behind is removed first. */
export async function startTestServer(): Promise<TestServer> {
  await removeLeftovers(tmpdir(), FOLDER_PREFIX)
  const dataDir = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o755)
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      // Nothing in here needs to survive a power cut.
      settings: { fsync: 'off', shared_buffers: '256MB' },
      onExit: ({ logTail }) => process.stderr.write(`The test server ended by itself:\n${logTail}\n`),
    })
    const stop = async (): Promise<void> => {
      await server.stop()
      remove()
    }
    await makeTemplate(server.url).catch(async (error: unknown) => {
      await stop()
      throw error
    })
    return { url: server.url, stop }
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
    await client.query(`create database ${TEMPLATE}`)
    await migrate(url.href)
    // A database with sessions cannot be cloned, so nobody may open one.
    await client.query(`alter database ${TEMPLATE} with is_template true allow_connections false`)
  } finally {
    await client.end()
  }
}
