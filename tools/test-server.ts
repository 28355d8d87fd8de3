import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/gateway/src/platform/embedded-postgres/index.ts'
import { migrate } from '../apps/gateway/src/platform/migrate.ts'

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
  await removeLeftovers()
  const dataDir = mkdtempSync(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`))
  chmodSync(dataDir, 0o755)
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbeddedPostgres({
      dataDir,
      // Nothing in here needs to survive a power cut.
      settings: { fsync: 'off' },
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

async function removeLeftovers(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^tollgate-tests-(\d+)-/.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    const dataDir = join(tmpdir(), name)
    // Starting it is the way to get hold of a server that still runs there. It may be another user's: then it stays.
    await startEmbeddedPostgres({ dataDir }).then(
      (server) => server.stop(),
      () => undefined,
    )
    try {
      rmSync(dataDir, { recursive: true, force: true })
    } catch (error) {
      process.stderr.write(
        `${dataDir} could not be removed: ${error instanceof Error ? error.message : String(error)}\n`,
      )
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
