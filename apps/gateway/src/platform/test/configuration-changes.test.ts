import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { systemClock } from '../clock.ts'
import { type ConfigurationChanges, watchConfiguration } from '../configuration-changes.ts'
import { type Database, openDatabase } from '../database.ts'
import { createLog } from '../log.ts'

const log = createLog({ level: 'silent' })
const statement = (text: string) => ({ name: `test ${text}`, text })
const INSERT_MERCHANT = statement(
  `insert into merchants (merchant_code, channel_name) values ($1, 'Shop') returning merchant_id`,
)
const WAIT = { timeoutMs: 6_000, what: 'the change' }

interface Watched {
  readonly db: Database
  readonly changes: ConfigurationChanges
  readonly heard: (string | undefined)[]
}

async function watch(t: TestContext, wrap: (db: Database) => Database = (db) => db): Promise<Watched> {
  const { url } = await testDatabase(t)
  const db = openDatabase({ url, poolMax: 4, log, applicationName: 'changes test' })
  const changes = watchConfiguration({ db: wrap(db), clock: systemClock, log })
  t.after(async () => {
    changes.stop()
    await db.close()
  })
  const heard: (string | undefined)[] = []
  changes.on('MERCHANT', (merchantId) => void heard.push(merchantId))
  return { db, changes, heard }
}

async function insertMerchant(db: Database, code: string): Promise<string> {
  const [row] = await db.rows<{ merchant_id: string }>(INSERT_MERCHANT, [code])
  return row?.merchant_id ?? assert.fail()
}

test('a change of a merchant is told with the merchant’s id', async (t) => {
  const { db, changes, heard } = await watch(t)
  await changes.start()
  const merchantId = await insertMerchant(db, 'A')
  await waitUntil(() => heard.includes(merchantId), WAIT)
})

test('without any NOTIFY the poll finds it', async (t) => {
  const { db, changes, heard } = await watch(t, (real) => ({ ...real, listen: () => Promise.resolve() }))
  await changes.start()
  const merchantId = await insertMerchant(db, 'A')
  await waitUntil(() => heard.includes(merchantId), WAIT)
})

test('a change whose transaction commits after a later one is not missed', async (t) => {
  const { db, changes, heard } = await watch(t)
  await changes.start()
  let commit: () => void = () => assert.fail()
  const early = db.transaction(async (tx) => {
    const [row] = await tx.rows<{ merchant_id: string }>(INSERT_MERCHANT, ['EARLY'])
    await new Promise<void>((resolve) => {
      commit = resolve
    })
    return row?.merchant_id
  })
  const late = await insertMerchant(db, 'LATE')
  await waitUntil(() => heard.includes(late), WAIT)
  commit()
  const earlyId = await early
  await waitUntil(() => heard.includes(earlyId), WAIT)
})

test('a handler that fails is told again', async (t) => {
  const { db, changes } = await watch(t)
  let calls = 0
  changes.on('MERCHANT', () => {
    calls += 1
    if (calls === 1) throw new Error('not now')
  })
  await changes.start()
  await insertMerchant(db, 'A')
  await waitUntil(() => calls >= 2, WAIT)
})

test('a change is told once', async (t) => {
  const { db, changes, heard } = await watch(t)
  await changes.start()
  const merchantId = await insertMerchant(db, 'A')
  await waitUntil(() => heard.includes(merchantId), WAIT)
  const other = await insertMerchant(db, 'B')
  await waitUntil(() => heard.includes(other), WAIT)
  assert.equal(heard.filter((each) => each === merchantId).length, 1)
})

test('while changes cannot be read, what is known grows stale', async (t) => {
  let isAway = false
  const { changes } = await watch(t, (real) => ({
    ...real,
    rows: (...asked) => (isAway ? Promise.reject(new Error('away')) : real.rows(...asked)),
  }))
  await changes.start()
  assert.ok(changes.staleMs() < 1_000)
  isAway = true
  await waitUntil(() => changes.staleMs() > 1_500, WAIT)
  isAway = false
  await waitUntil(() => changes.staleMs() < 1_000, WAIT)
})
