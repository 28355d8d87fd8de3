import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase, waitUntil } from '../src/index.ts'

const PATIENCE_MS = 10_000

async function query(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<object>(text, [...values])
    return rows
  } finally {
    await client.end()
  }
}

test('every test gets a migrated database that no other test sees', async (t) => {
  const [one, other] = await Promise.all([testDatabase(t), testDatabase(t)])
  await query(one.url, 'create table only_here (n int)')
  assert.deepEqual(await query(other.url, "select to_regclass('only_here') as found"), [{ found: null }])
  const [migrations] = await query(one.url, 'select count(*) > 0 as some from schema_migrations')
  assert.deepEqual(migrations, { some: true })
})

test('the database is dropped once the test has ended and its connections are closed', async (t) => {
  const hooks: (() => void | Promise<void>)[] = []
  const { url } = await testDatabase({ after: (hook) => hooks.push(hook) })
  const { url: another } = await testDatabase(t)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const hook of hooks) await hook()
  assert.deepEqual((await client.query('select 1 as alive')).rows, [{ alive: 1 }])
  await client.end()
  const name = new URL(url).pathname.slice(1)
  await waitUntil(
    async () => (await query(another, 'select 1 from pg_database where datname = $1', [name])).length === 0,
    { timeoutMs: PATIENCE_MS, what: `the end of ${name}` },
  )
})

test('without the runner the message says what to run', async (t) => {
  const { TOLLGATE_TEST_SERVER_URL } = process.env
  Reflect.deleteProperty(process.env, 'TOLLGATE_TEST_SERVER_URL')
  t.after(() => {
    if (TOLLGATE_TEST_SERVER_URL !== undefined) Object.assign(process.env, { TOLLGATE_TEST_SERVER_URL })
  })
  await assert.rejects(testDatabase(t), /Run `npm test -- <file>`\./)
})
