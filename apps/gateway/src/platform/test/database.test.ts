import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freePort, testDatabase, waitUntil } from '@tollgate/testkit'
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  isDataFault,
  openDatabase,
  resolveUnknown,
} from '../database.ts'
import { createLog } from '../log.ts'

const log = createLog({ level: 'silent' })
const clock = { monotonicMs: () => performance.now() }
const statement = (text: string) => ({ name: `test ${text}`, text })

async function open(t: TestContext, poolMax = 4): Promise<Database> {
  const { url } = await testDatabase(t)
  const db = openDatabase({ url, poolMax, log, applicationName: 'database test' })
  t.after(() => db.close())
  await db.rows(statement('create table notes (note text primary key)'), [])
  return db
}

const listNotes = async (db: Database): Promise<readonly string[]> =>
  (await db.rows<{ note: string }>(statement('select note from notes order by note'), [])).map(
    (row) => row.note,
  )
const INSERT = statement('insert into notes values ($1)')

test('a transaction is whole or not at all', async (t) => {
  const db = await open(t)
  await db.transaction(async (tx) => {
    await tx.rows(INSERT, ['a'])
    await tx.rows(INSERT, ['b'])
  })
  const failing = db.transaction(async (tx) => {
    await tx.rows(INSERT, ['c'])
    throw new Error('changed my mind')
  })
  await assert.rejects(failing, /changed my mind/)
  assert.deepEqual(await listNotes(db), ['a', 'b'])
})

test('digits of a numeric survive', async (t) => {
  const db = await open(t)
  const [row] = await db.rows<{ amount: string }>(statement('select $1::numeric as amount'), [
    '1.000000000000000001',
  ])
  assert.equal(row?.amount, '1.000000000000000001')
})

test('a fault of the data is told from a loss of the connection', async (t) => {
  const db = await open(t)
  await db.rows(INSERT, ['a'])
  await assert.rejects(
    db.rows(INSERT, ['a']),
    (error) => isDataFault(error) && !(error instanceof CommitUnknown),
  )
  await assert.rejects(db.rows(statement('select 1/0'), []), isDataFault)
})

test('a session that is killed under a statement leaves its outcome unknown, and the pool recovers', async (t) => {
  const db = await open(t)
  const sleeping = db.rows(statement(`select pg_sleep(30) as nothing, 'sleeper' as mark`), [])
  const outcome = assert.rejects(sleeping, CommitUnknown)
  const kill = statement(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like '%sleeper%' and pid <> pg_backend_pid() and datname = current_database()`,
  )
  await waitUntil(async () => (await db.rows(kill, [])).length > 0, {
    timeoutMs: 5_000,
    what: 'the sleeping session',
  })
  await outcome
  await db.rows(INSERT, ['after'])
  assert.deepEqual(await listNotes(db), ['after'])
})

test('a warning during the statement is not an acknowledgement, and must not be resolved by looking', async (t) => {
  const db = await open(t)
  const warn = statement(
    `do $$ begin insert into notes values ('maybe'); raise warning 'canceling the wait for the standby'; end $$`,
  )
  await assert.rejects(db.rows(warn, []), (error) => error instanceof CommitUnknown && !error.mayBeResolved)
})

test('a pool that is taken refuses within about a second', async (t) => {
  const db = await open(t, 2)
  const release: (() => void)[] = []
  const holders = [1, 2].map(() =>
    db.transaction(() => new Promise<void>((resolve) => release.push(resolve))),
  )
  await waitUntil(() => release.length === 2, { timeoutMs: 5_000, what: 'both connections taken' })
  await assert.rejects(db.rows(statement('select 1'), []), DatabaseUnavailable)
  for (const free of release) free()
  await Promise.all(holders)
  assert.deepEqual(await listNotes(db), [])
})

test('an absent server is unavailable, and is waited for while that may help', async (t) => {
  const port = await freePort()
  const db = openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    poolMax: 1,
    log,
    applicationName: 'test',
  })
  t.after(() => db.close())
  let tries = 0
  const work = (): Promise<unknown> => {
    tries += 1
    return db.rows(statement('select 1'), [])
  }
  await assert.rejects(resolveUnknown(clock, work), DatabaseUnavailable)
  assert.ok(tries > 3, `${tries} tries`)
})

test('work that fails for a reason of its own is not tried again', async () => {
  let tries = 0
  const work = (): Promise<never> => {
    tries += 1
    return Promise.reject(new Error('no'))
  }
  await assert.rejects(resolveUnknown(clock, work), /no/)
  assert.equal(tries, 1)
})

test('notices arrive, also after the listening session was killed', async (t) => {
  const db = await open(t)
  const heard: string[] = []
  await db.listen('test_channel', (payload) => heard.push(payload))
  const notify = async (payload: string): Promise<boolean> => {
    await db.rows(statement('select pg_notify($1, $2)'), ['test_channel', payload])
    return heard.includes(payload)
  }
  await waitUntil(() => notify('one'), { timeoutMs: 5_000, what: 'the first notice' })
  const kill = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%listen' and datname = current_database()`
  await db.rows(statement(kill), [])
  await waitUntil(() => notify('two'), { timeoutMs: 10_000, what: 'a notice after the listener came back' })
})
