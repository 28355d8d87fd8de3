import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endSessions, keptSessions } from './sessions.ts'
import type { TestLife } from './test-life.ts'

const TEMPLATE = 'tollgate_template'
const UNUSED_TIMEOUT_MS = 5_000
const POLL_MS = 20

/**
 * A PostgreSQL database of the test's own with the current schema, cloned from the template that the test runner keeps.
 * It is dropped when the test has ended and closed its connections. Throws when no runner has started the server.
 */
export const testDatabase = (t: TestLife): Promise<{ url: string }> =>
  databaseFrom(t, `template ${TEMPLATE} strategy file_copy`)

/** The same without any table, as an installation begins. */
export const emptyDatabase = (t: TestLife): Promise<{ url: string }> => databaseFrom(t, '')

/** A copy of another database of the test server, which nobody may be connected to at that moment. */
export async function copyOfDatabase(
  t: TestLife,
  { url }: { readonly url: string },
): Promise<{ url: string }> {
  const name = new URL(url).pathname.slice(1)
  await endSessions(name)
  return databaseFrom(t, `template ${name} strategy file_copy`)
}

async function databaseFrom(t: TestLife, template: string): Promise<{ url: string }> {
  const { TOLLGATE_TEST_SERVER_URL: serverUrl } = process.env
  if (serverUrl === undefined) {
    throw new Error(
      'There is no test server (TOLLGATE_TEST_SERVER_URL is not set). Run `npm test -- <file>`.',
    )
  }
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`
  await serverSessions(serverUrl).query(`create database ${name} ${template}`)
  // Not awaited: hooks run in the order they were added, so the one that closes the test's connections comes after this one.
  t.after(() => void dropWhenUnused(serverUrl, name))
  const url = new URL(serverUrl)
  url.pathname = name
  return { url: url.href }
}

/**
 * The same database for a gateway, whose user is no superuser and may do only what it needs. An address that is not of the
 * test server's superuser stays as it is.
 */
export function runtimeUrl(databaseUrl: string): string {
  const { TOLLGATE_TEST_SERVER_URL: serverUrl, TOLLGATE_TEST_RUNTIME_URL: gatewayUrl } = process.env
  if (serverUrl === undefined || gatewayUrl === undefined)
    throw new Error(
      'There is no test server (TOLLGATE_TEST_RUNTIME_URL is not set). Run `npm test -- <file>`.',
    )
  const [url, { username, password }] = [new URL(databaseUrl), new URL(gatewayUrl)]
  if (url.username !== new URL(serverUrl).username) return databaseUrl
  Object.assign(url, { username, password })
  return url.href
}

async function dropWhenUnused(serverUrl: string, name: string): Promise<void> {
  try {
    const server = serverSessions(serverUrl)
    await endSessions(name)
    const connections = await untilUnused(server, name)
    if (connections > 0) {
      process.stderr.write(`${name}: ${connections} connections were left open; close them in t.after\n`)
    }
    await server.query(`drop database if exists ${name} with (force)`)
  } catch (error) {
    if (isOfItsEnd(error)) return
    process.stderr.write(
      `${name} could not be dropped: ${error instanceof Error ? error.message : String(error)}\n`,
    )
  }
}

/** The server is being stopped, and takes the database along. */
const isOfItsEnd = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '57P01' || error.code === '57P03')

/** The number of connections that are left: 0 unless the time is over. */
async function untilUnused(server: pg.Pool, name: string): Promise<number> {
  const deadline = performance.now() + UNUSED_TIMEOUT_MS
  for (;;) {
    const found = await server.query('select 1 from pg_stat_activity where datname = $1', [name])
    const connections = found.rowCount ?? 0
    if (connections === 0 || performance.now() > deadline) return connections
    await sleep(POLL_MS)
  }
}

/** Kept from test to test. */
const serverSessions = (serverUrl: string): pg.Pool => keptSessions(serverUrl, { idleMs: 0 })
