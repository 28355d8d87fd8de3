import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import pg from 'pg'
import { type ConfigurationChanges, watchConfiguration } from '../configuration-changes.ts'
import type { Database, Statement } from '../database.ts'
import { heldClock } from './held-clock.ts'
import { cutConnections, SILENT, testPostgres } from './postgres.ts'

const WITHIN = { timeoutMs: 10_000 }

interface Watch {
  readonly changes: ConfigurationChanges
  /** What the handlers were called with, as `SCOPE merchant`. */
  readonly heard: string[]
}

async function watch(t: TestLife, db: Database, clock = systemClock): Promise<Watch> {
  const heard: string[] = []
  const changes = watchConfiguration({ db, clock, log: SILENT })
  for (const scope of ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS'] as const)
    changes.on(scope, (merchantId) => void heard.push(`${scope} ${merchantId ?? 'all'}`))
  await changes.start()
  t.after(() => changes.stop())
  return { changes, heard }
}

async function insertMerchant(outside: pg.Client, code: string): Promise<string> {
  const { rows } = await outside.query(
    'insert into merchants (merchant_code, channel_name) values ($1, $1) returning merchant_id',
    [code],
  )
  return rows[0].merchant_id
}

/** A change without its NOTIFY: the rows alone, as a process sees them whose listener is cut. */
async function insertChange(outside: pg.Client, merchantId: string, ageSeconds = 0): Promise<void> {
  await outside.query(
    `insert into configuration_changes (scope, merchant_id, changed_at)
      values ('MERCHANT', $1, clock_timestamp() - make_interval(secs => $2))`,
    [merchantId, ageSeconds],
  )
}

const until = (watched: Watch, event: string): Promise<void> =>
  waitUntil(() => watched.heard.includes(event), { ...WITHIN, what: event })

test('a change in another process is heard, with the merchant it concerns', async (t) => {
  const { db, outside } = await testPostgres(t)
  const watched = await watch(t, db)
  const merchantId = await insertMerchant(outside, 'SHOP')
  await until(watched, `MERCHANT ${merchantId}`)
  await outside.query(
    `insert into revoked_tokens (merchant_id, jti, expires_at) values ($1, 'x', now() + interval '1 hour')`,
    [merchantId],
  )
  await until(watched, `REVOCATIONS ${merchantId}`)
})

test('a change without NOTIFY is heard by the poll, also after the listener was cut', async (t) => {
  const { db, outside } = await testPostgres(t)
  const watched = await watch(t, db)
  await insertChange(outside, '41')
  await until(watched, 'MERCHANT 41')
  await cutConnections(outside, 'gateway listen')
  await insertChange(outside, '42')
  await until(watched, 'MERCHANT 42')
})

test('each change is handled once', async (t) => {
  const { db, outside } = await testPostgres(t)
  const watched = await watch(t, db)
  await insertChange(outside, '41')
  await until(watched, 'MERCHANT 41')
  for (const merchant of ['42', '43']) {
    await insertChange(outside, merchant)
    await until(watched, `MERCHANT ${merchant}`)
  }
  assert.deepEqual(watched.heard.sort(), ['MERCHANT 41', 'MERCHANT 42', 'MERCHANT 43'])
})

test('a change that commits after a later one is heard all the same', async (t) => {
  const { url, db, outside } = await testPostgres(t)
  const watched = await watch(t, db)
  const slow = new pg.Client({ connectionString: url })
  await slow.connect()
  t.after(() => slow.end())
  await slow.query('begin')
  const early = await insertMerchant(slow, 'EARLY')
  const late = await insertMerchant(outside, 'LATE')
  await until(watched, `MERCHANT ${late}`)
  await slow.query('commit')
  await until(watched, `MERCHANT ${early}`)
})

test('a change that was noted hours before its transaction ended is heard when it ends', async (t) => {
  const { db, outside } = await testPostgres(t)
  const watched = await watch(t, db)
  await insertChange(outside, '41', 10_800)
  await until(watched, 'MERCHANT 41')
})

test('what was read is not read again', async (t) => {
  const { db, outside } = await testPostgres(t)
  const counts: number[] = []
  const rows = async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    const found = await db.rows<Row>(statement, values)
    if (statement.name.startsWith('configuration_list')) counts.push(found.length)
    return found
  }
  const watched = await watch(t, { ...db, rows })
  await outside.query(
    `insert into configuration_changes (scope, merchant_id) select 'MERCHANT', n from generate_series(1, 500) n`,
  )
  await until(watched, 'MERCHANT 500')
  assert.ok(counts.includes(500))
  counts.length = 0
  await insertChange(outside, '501')
  await until(watched, 'MERCHANT 501')
  // Beside what is new, one row says where the next reading begins.
  assert.ok(Math.max(...counts) <= 1, `${counts} rows were read`)
})

test('transactions that count from anew are those of another database: everything is forgotten', async (t) => {
  const { db } = await testPostgres(t)
  let isAhead = true
  const rows = async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    const found = await db.rows<Row>(statement, values)
    if (isAhead && statement.name === 'configuration_list_recent')
      return found.map((row) => ({ ...row, horizon: '1000000000000' }))
    return found
  }
  const watched = await watch(t, { ...db, rows })
  assert.deepEqual(watched.heard, [])
  isAhead = false
  for (const scope of ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS'])
    await until(watched, `${scope} all`)
})

test('a handler that fails is called again, holds nobody else up, and until then everything counts as stale', async (t) => {
  const { db, outside } = await testPostgres(t)
  const clock = heldClock()
  const watched = await watch(t, db, clock)
  let isBroken = true
  watched.changes.on('CATALOGUE', () => {
    if (isBroken) throw new Error('the catalogue cannot be read')
    watched.heard.push('CATALOGUE read')
  })
  clock.advance(5_000)
  await outside.query(`insert into configuration_changes (scope) values ('CATALOGUE')`)
  await insertChange(outside, '41')
  await until(watched, 'MERCHANT 41')
  assert.ok(watched.changes.staleMs() >= 5_000)
  isBroken = false
  await until(watched, 'CATALOGUE read')
  await waitUntil(() => watched.changes.staleMs() === 0, { ...WITHIN, what: 'fresh configuration' })
  assert.equal(watched.heard.filter((event) => event === 'MERCHANT 41').length, 1)
})

test('while the changes cannot be read, staleness grows; what happened meanwhile is heard afterwards', async (t) => {
  const { db, outside } = await testPostgres(t)
  const clock = heldClock()
  const watched = await watch(t, db, clock)
  await outside.query('alter table configuration_changes rename to hidden')
  clock.advance(20 * 60_000)
  await outside.query(
    `insert into hidden (scope, merchant_id, changed_at) values ('MERCHANT', 41, clock_timestamp() - interval '19 minutes')`,
  )
  assert.equal(watched.changes.staleMs(), 20 * 60_000)
  await outside.query('alter table hidden rename to configuration_changes')
  await until(watched, 'MERCHANT 41')
  await waitUntil(() => watched.changes.staleMs() === 0, { ...WITHIN, what: 'fresh configuration' })
})

test('a process that could not read for hours forgets everything', async (t) => {
  const { db } = await testPostgres(t)
  const clock = heldClock()
  const watched = await watch(t, db, clock)
  clock.advance(2 * 3_600_000)
  for (const scope of ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS'])
    await until(watched, `${scope} all`)
})
