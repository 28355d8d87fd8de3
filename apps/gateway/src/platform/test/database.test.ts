import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultProxy, freePort, waitUntil } from '@tollgate/testkit'
import type pg from 'pg'
import {
  apartIn,
  CommitUnknown,
  DatabaseUnavailable,
  isConnectionLoss,
  isDataFault,
  isLockTimeout,
  isRetryable,
  openDatabase,
  resolveUnknown,
} from '../database.ts'
import { keepListening } from '../listening.ts'
import { heldClock } from './held-clock.ts'
import { cutConnections, openTestDatabase, run, SILENT, testLog, testPostgres } from './postgres.ts'

const NOTES = 'create table notes (id integer primary key, text text not null)'
const WARN = `create function warn() returns trigger language plpgsql as $$ begin raise warning 'the standby is away'; return null; end $$`

async function ids(outside: { query(text: string): Promise<{ rows: { id: number }[] }> }): Promise<number[]> {
  return (await outside.query('select id from notes order by id')).rows.map((row) => row.id)
}

test('a transaction is there as a whole, or not at all', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(NOTES)
  const result = await db.transaction(async (tx) => {
    await run(tx, `insert into notes values (1, 'a')`)
    await run(tx, `insert into notes values (2, 'b')`)
    return 'done'
  })
  assert.equal(result, 'done')
  await assert.rejects(
    db.transaction(async (tx) => {
      await run(tx, `insert into notes values (3, 'c')`)
      throw new Error('a change of mind')
    }),
    /a change of mind/,
  )
  await assert.rejects(
    db.transaction(async (tx) => {
      await run(tx, `insert into notes values (4, 'd')`)
      await run(tx, `insert into notes values (1, 'twice')`)
    }),
    isDataFault,
  )
  assert.deepEqual(await ids(outside), [1, 2])
})

test('a date comes as its text and a moment as a Date; other users of the driver are not changed by it', async (t) => {
  const { db, outside } = await testPostgres(t)
  const text = `select date '2026-03-29' as day, timestamptz '2026-03-29 01:30:00.123+00' as moment, timestamptz 'infinity' as never, 7 as number`
  const [row] = await db.rows<object>({ name: 'database_test_types', text }, [])
  const moment = new Date('2026-03-29T01:30:00.123Z')
  assert.deepEqual({ ...row }, { day: '2026-03-29', moment, never: Infinity, number: 7 })
  const [theirs] = (await outside.query<{ day: unknown }>(text)).rows
  assert.ok(theirs?.day instanceof Date)
})

test('a transaction whose work swallowed an error of a statement is not reported as done', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(NOTES)
  await assert.rejects(
    db.transaction(async (tx) => {
      await run(tx, `insert into notes values (1, 'a')`)
      await run(tx, `insert into notes values (1, 'twice')`).catch(() => undefined)
    }),
    /rolled back/,
  )
  assert.deepEqual(await ids(outside), [])
})

test('statements of a transaction that are asked for together do not wait for each other', async (t) => {
  const { url, outside } = await testPostgres(t)
  const proxy = await faultProxy(t, url)
  const db = openTestDatabase(t, proxy.url, 1)
  const isLocked = `select 1 from pg_locks where locktype = 'advisory' and objid = 7 and granted
    and database = (select oid from pg_database where datname = current_database())`
  const order: string[] = []
  const both = db.transaction(async (tx) => {
    proxy.plan({ kind: 'REPLY_HELD', marker: 'the first of two' })
    await Promise.all([
      run(tx, `select 'the first of two'`).then(() => order.push('first')),
      run(tx, 'select pg_advisory_xact_lock(7)').then(() => order.push('second')),
    ])
  })
  await waitUntil(async () => (await outside.query(isLocked)).rowCount === 1, {
    timeoutMs: 5_000,
    what: 'the second statement, while the answer to the first is held',
  })
  assert.deepEqual(order, [])
  proxy.letGo()
  await both
  assert.deepEqual(order, ['first', 'second'])
})

test('when one of several statements fails that were asked for together, none is left, and its error is told', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  await outside.query(NOTES)
  await assert.rejects(
    db.transaction((tx) =>
      Promise.all([
        run(tx, `insert into notes values (1, 'a')`),
        run(tx, `insert into notes values (1, 'twice')`),
        run(tx, `insert into notes values (2, 'b')`),
      ]),
    ),
    isDataFault,
  )
  // What fails without the database does not leave the others behind either.
  await assert.rejects(
    db.transaction((tx) =>
      Promise.all([
        run(tx, `insert into notes values (3, 'c')`).then(() => {
          throw new Error('a change of mind')
        }),
        run(tx, `insert into notes values (4, 'd')`),
      ]),
    ),
    /a change of mind/,
  )
  const again = { name: 'again', text: 'insert into notes values ($1, $2)' }
  await db.transaction((tx) => Promise.all([tx.rows(again, [5, 'e']), tx.rows(again, [6, 'f'])]))
  assert.deepEqual(await ids(outside), [5, 6])
})

test('what is asked for after a transaction has failed is not done', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  await outside.query(NOTES)
  const late = Promise.withResolvers<unknown>()
  const refused = assert.rejects(late.promise, /after the end of its transaction/)
  await assert.rejects(
    db.transaction((tx) =>
      Promise.all([
        run(tx, 'select 1').then(() => {
          throw new Error('a change of mind')
        }),
        // Goes on with its own answer, which comes long after the other's: the ROLLBACK has been sent then.
        run(tx, 'select pg_sleep(0.2)').then(() => {
          const insert = run(tx, `insert into notes values (1, 'a')`)
          late.resolve(insert)
          return insert
        }),
      ]),
    ),
    /a change of mind/,
  )
  await refused
  assert.deepEqual(await ids(outside), [])
})

test('a statement that does not answer in time takes those behind it along, and nobody else', async (t) => {
  const { url, outside } = await testPostgres(t)
  await outside.query(NOTES)
  const db = openDatabase({ url, poolMax: 1, log: SILENT, applicationName: 'gateway', queryTimeoutMs: 500 })
  t.after(() => db.close())
  await assert.rejects(
    db.transaction((tx) =>
      Promise.all([run(tx, 'select pg_sleep(30)'), run(tx, `insert into notes values (1, 'a')`)]),
    ),
    (error) => error instanceof CommitUnknown && error.mayBeResolved,
  )
  assert.deepEqual(await run(db, 'select 1 as one'), [{ one: 1 }])
  assert.deepEqual(await ids(outside), [])
})

test('whoever waits for a lock in vain hears that nothing was done, and leaves no session that waits on', async (t) => {
  const { url, outside } = await testPostgres(t)
  await outside.query(NOTES)
  await outside.query(`insert into notes values (1, 'a')`)
  await outside.query(`begin; update notes set text = 'b'`)
  const db = openDatabase({ url, poolMax: 2, log: SILENT, applicationName: 'gateway', queryTimeoutMs: 2_000 })
  t.after(() => db.close())
  const write = `update notes set text = 'c'`
  for (let time = 0; time < 2; time += 1) {
    await Promise.all([
      assert.rejects(run(db, write), isLockTimeout),
      assert.rejects(
        db.transaction((tx) => run(tx, write)),
        isLockTimeout,
      ),
    ])
  }
  const sessions = `select state, wait_event_type from pg_stat_activity
    where datname = current_database() and application_name = 'gateway' and (state <> 'idle' or wait_event_type = 'Lock')`
  assert.deepEqual((await outside.query(sessions)).rows, [])
  await outside.query('commit')
  await run(db, write)
})

test('what is tried apart for a lock waits for one only a moment, in a statement and in a transaction', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(NOTES)
  await outside.query(`insert into notes values (1, 'a')`)
  await outside.query(`begin; update notes set text = 'b'`)
  const { dbAfter } = apartIn(db)
  assert.equal(dbAfter(new Error('of another kind')), db)
  const quick = dbAfter(
    Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
  )
  const limit = `select current_setting('lock_timeout') as lock`
  assert.deepEqual(await run(quick, limit), [{ lock: '200ms' }])
  assert.deepEqual(await quick.transaction((tx) => run(tx, limit)), [{ lock: '200ms' }])
  assert.deepEqual(await run(db, limit), [{ lock: '2250ms' }])
  const write = `update notes set text = 'c'`
  await assert.rejects(run(quick, write), isLockTimeout)
  await assert.rejects(
    quick.transaction((tx) => run(tx, write)),
    isLockTimeout,
  )
  await outside.query('commit')
  await run(quick, write)
})

test('a session that pauses inside a transaction, or whose machine vanished, is ended by PostgreSQL', async (t) => {
  const { db } = await testPostgres(t)
  const text = `select current_setting('idle_in_transaction_session_timeout') as pause, current_setting('lock_timeout') as lock`
  assert.deepEqual(await run(db, text), [{ pause: '1min', lock: '2250ms' }])
  await assert.rejects(
    db.transaction(async (tx) => {
      await run(tx, `set idle_in_transaction_session_timeout = '50ms'`)
      await sleep(500)
      await run(tx, 'select 1')
    }),
    CommitUnknown,
  )
  assert.deepEqual(await run(db, text), [{ pause: '1min', lock: '2250ms' }])
})

test('after a failure the connection serves the next one', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  await outside.query(NOTES)
  await assert.rejects(db.transaction((tx) => run(tx, 'select 1 / 0')))
  await assert.rejects(run(db, 'select 1 / 0'))
  await run(db, `insert into notes values (1, 'a')`)
  assert.deepEqual(await ids(outside), [1])
})

test('a connection that dies under a statement leaves its outcome unknown, and the pool makes another', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  const dying = run(db, 'select pg_sleep(30)')
  const outcome = assert.rejects(dying, (error) => error instanceof CommitUnknown && error.mayBeResolved)
  const sleeping = `select 1 from pg_stat_activity where datname = current_database() and application_name = 'gateway' and wait_event = 'PgSleep'`
  await waitUntil(async () => (await outside.query(sleeping)).rowCount === 1, {
    timeoutMs: 5_000,
    what: 'the statement to begin',
  })
  await cutConnections(outside, 'gateway')
  await outcome
  assert.deepEqual(await run(db, 'select 1 as one'), [{ one: 1 }])
})

test('a connection that dies in a transaction leaves nothing behind', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  await outside.query(NOTES)
  await assert.rejects(
    db.transaction(async (tx) => {
      await run(tx, `insert into notes values (1, 'a')`)
      await cutConnections(outside, 'gateway')
      await run(tx, `insert into notes values (2, 'b')`)
    }),
    (error) => error instanceof CommitUnknown && error.mayBeResolved,
  )
  assert.deepEqual(await ids(outside), [])
})

test('connections that died while they were idle cost nobody more than one failed attempt each', async (t) => {
  const { db, outside } = await testPostgres(t, 2)
  await Promise.all([run(db, 'select 1'), run(db, 'select 2')])
  await cutConnections(outside, 'gateway')
  const rows = await resolveUnknown(heldClock(), () => run(db, 'select 3 as three'))
  assert.deepEqual(rows, [{ three: 3 }])
})

test('a session that ends in the moment in which it begins costs a statement, and not the process', async (t) => {
  // Readiness and the end in one piece: the driver sees both before anybody has the connection.
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([AUTHENTICATED, READY, TERMINATED])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const db = openDatabase({
    url: `postgres://tollgate@127.0.0.1:${portOf(server.address())}/tollgate`,
    poolMax: 2,
    log: SILENT,
    applicationName: 'test',
  })
  t.after(async () => {
    await db.close()
    server.close()
  })
  for (let time = 0; time < 5; time += 1) await assert.rejects(run(db, 'select 1'))
})

const portOf = (address: string | AddressInfo | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

/** A message of the server's side of the protocol: its type, its length, its content. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const AUTHENTICATED = message('R', Buffer.alloc(4))
const READY = message('Z', Buffer.from('I'))
const TERMINATED = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))

test('a warning while a transaction commits means that it is not acknowledged, though the row is there', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(NOTES)
  await outside.query(WARN)
  await outside.query(
    'create constraint trigger notes_warn after insert on notes deferrable initially deferred for each row execute function warn()',
  )
  const isNotAcknowledged = (error: unknown): boolean =>
    error instanceof CommitUnknown && !error.mayBeResolved && /the standby is away/.test(error.message)
  await assert.rejects(
    db.transaction((tx) => run(tx, `insert into notes values (1, 'a')`)),
    isNotAcknowledged,
  )
  await assert.rejects(run(db, `insert into notes values (2, 'b')`), isNotAcknowledged)
  assert.deepEqual(await ids(outside), [1, 2])
})

test('a warning before the COMMIT does not matter', async (t) => {
  const { db, outside } = await testPostgres(t)
  await outside.query(NOTES)
  await db.transaction(async (tx) => {
    await run(tx, `do $$ begin raise warning 'never mind'; end $$`)
    await run(tx, `insert into notes values (1, 'a')`)
  })
  await run(db, `do $$ begin raise notice 'never mind'; end $$`)
  assert.deepEqual(await ids(outside), [1])
})

test('when all connections are taken, a caller hears after about two seconds that the database is not available', async (t) => {
  const { db } = await testPostgres(t, 1)
  const holding = run(db, 'select pg_sleep(4.5)')
  const startedMs = performance.now()
  await assert.rejects(run(db, 'select 1'), DatabaseUnavailable)
  assert.ok(performance.now() - startedMs < 4_400, 'the caller waited for the statement of another')
  await holding
})

test('where no server listens, every statement says that the database is not available', async (t) => {
  const url = `postgres://nobody:nothing@127.0.0.1:${await freePort()}/none`
  const db = openDatabase({ url, poolMax: 2, log: SILENT, applicationName: 'gateway' })
  t.after(() => db.close())
  await assert.rejects(run(db, 'select 1'), DatabaseUnavailable)
  await assert.rejects(
    db.transaction((tx) => run(tx, 'select 1')),
    DatabaseUnavailable,
  )
})

test('when the database answers again, one line says so, and how long it was away', async (t) => {
  const { url, outside } = await testPostgres(t)
  const { log, lines } = testLog()
  const db = openDatabase({ url, poolMax: 2, log, applicationName: 'gateway' })
  t.after(() => db.close())
  const name = new URL(url).pathname.slice(1)
  await outside.query(`alter database ${name} set default_transaction_read_only = on`)
  await assert.rejects(run(db, 'select 1'), DatabaseUnavailable)
  await assert.rejects(run(db, 'select 1'), DatabaseUnavailable)
  await outside.query('set default_transaction_read_only = off')
  await outside.query(`alter database ${name} reset default_transaction_read_only`)
  for (let n = 0; n < 3; n += 1) await run(db, 'select 1')
  assert.equal(lines.length, 1, lines.join(''))
  assert.match(lines[0] ?? '', /"seconds":[\d.]+,.*"the database answers again"/)
})

test('others that have all sessions are no database that was away', async (t) => {
  const { url } = await testPostgres(t)
  const { log, lines } = testLog()
  const db = openDatabase({ url, poolMax: 1, log, applicationName: 'gateway' })
  t.after(() => db.close())
  const holding = run(db, 'select pg_sleep(3)')
  await assert.rejects(run(db, 'select 1'), DatabaseUnavailable)
  await holding
  await run(db, 'select 1')
  assert.deepEqual(lines, [])
})

test('a connection that takes reads only is thrown away by the first write, and nothing was done', async (t) => {
  const { db, outside } = await testPostgres(t, 1)
  await outside.query(NOTES)
  const note = `insert into notes values (1, 'a')`
  const writes = [() => run(db, note), () => db.transaction((tx) => run(tx, note))]
  for (const write of writes) {
    await run(db, 'set default_transaction_read_only = on')
    await assert.rejects(write(), DatabaseUnavailable)
  }
  await run(db, note)
  assert.deepEqual(await ids(outside), [1])
})

test('a server that takes reads only is no database, but for who only reads', async (t) => {
  const { db, url, outside } = await testPostgres(t)
  const { pathname } = new URL(url)
  await outside.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`)
  await assert.rejects(run(db, 'select 1 as one'), DatabaseUnavailable)
  const reader = openDatabase({
    url,
    poolMax: 1,
    log: SILENT,
    applicationName: 'reader',
    mayBeReadOnly: true,
  })
  t.after(() => reader.close())
  assert.deepEqual(await run(reader, 'select 1 as one'), [{ one: 1 }])
  await assert.rejects(run(reader, 'create table nothing ()'), DatabaseUnavailable)
})

test('a listener is called for each NOTIFY, and comes back when its connection is cut', async (t) => {
  const { db, outside } = await testPostgres(t)
  const heard: string[] = []
  await db.listen('news', (payload) => heard.push(payload))
  await outside.query(`notify news, 'first'`)
  await waitUntil(() => heard.includes('first'), { timeoutMs: 5_000, what: 'the first notice' })
  assert.equal(await cutConnections(outside, 'gateway listen'), 1)
  await waitUntil(
    async () => {
      await outside.query(`notify news, 'again'`)
      return heard.includes('again')
    },
    { timeoutMs: 10_000, what: 'a notice after the cut' },
  )
})

test('a listener whose server vanished without a word listens on another connection', async (t) => {
  const { url, outside } = await testPostgres(t)
  const proxy = await faultProxy(t, url)
  const heard: string[] = []
  const task = { url: proxy.url, applicationName: 'gateway', channel: 'news', heartbeatMs: 50 }
  const listeners = new Set<pg.Client>()
  let isClosed = false
  t.after(async () => {
    isClosed = true
    await Promise.all([...listeners].map((client) => client.end()))
  })
  await keepListening({
    ...task,
    onNotice: (notice) => heard.push(notice),
    listeners,
    isClosed: () => isClosed,
  })
  const before = proxy.faults
  proxy.plan({ kind: 'BLACK_HOLE', marker: 'select 1' })
  await waitUntil(() => proxy.faults > before, { timeoutMs: 5_000, what: 'the silence' })
  await waitUntil(
    async () => {
      await outside.query(`notify news, 'again'`)
      return heard.includes('again')
    },
    { timeoutMs: 10_000, what: 'a notice after the silence' },
  )
})

test('a connection that is ready when who asked for it has given up serves the next one', async (t) => {
  const { url } = await testPostgres(t)
  const proxy = await faultProxy(t, url)
  const db = openDatabase({ url: proxy.url, poolMax: 1, log: SILENT, applicationName: 'gateway' })
  const one = { name: 'one', text: 'select 1 as one' }
  // The only connection is taken, and then lost: the second statement gets a new one, which is slow to be set up.
  const begun = Promise.withResolvers<undefined>()
  const lost = Promise.withResolvers<undefined>()
  const first = db.transaction(async (tx) => {
    await tx.rows(one, [])
    begun.resolve(undefined)
    await lost.promise
    return tx.rows(one, [])
  })
  await begun.promise
  proxy.plan({ kind: 'REPLY_HELD', marker: 'set_config' })
  const second = assert.rejects(db.rows(one, []), DatabaseUnavailable)
  proxy.cutAll()
  lost.resolve(undefined)
  await assert.rejects(first, CommitUnknown)
  await waitUntil(() => proxy.faults === 1, { timeoutMs: 5_000, what: 'a new connection' })
  await second
  proxy.letGo()
  await waitUntil(
    () =>
      db.rows(one, []).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 10_000, what: 'an answer' },
  )
  await db.close()
})

test('unknown outcomes are resolved by asking again, others and hopeless ones are not', async () => {
  const attempts = async (error: Error, failures: number): Promise<{ calls: number; result: unknown }> => {
    let calls = 0
    const result = await resolveUnknown(heldClock(), async () => {
      calls += 1
      if (calls <= failures) throw error
      return 'answer'
    }).catch((reason: unknown) => reason)
    return { calls, result }
  }
  const lost = new CommitUnknown('lost', { mayBeResolved: true })
  const unsafe = new CommitUnknown('warned', { mayBeResolved: false })
  const deadlock = Object.assign(new Error('deadlock detected'), { code: '40P01' })
  const bug = new Error('a timeout of our own')
  assert.deepEqual(await attempts(lost, 3), { calls: 4, result: 'answer' })
  assert.deepEqual(await attempts(new DatabaseUnavailable('away'), 1), { calls: 2, result: 'answer' })
  assert.deepEqual(await attempts(deadlock, 1), { calls: 2, result: 'answer' })
  assert.deepEqual(await attempts(unsafe, 1), { calls: 1, result: unsafe })
  assert.deepEqual(await attempts(bug, 1), { calls: 1, result: bug })
})

test('an outcome that stays unknown is given up at the deadline', async () => {
  const clock = heldClock()
  const lost = new CommitUnknown('lost', { mayBeResolved: true })
  let calls = 0
  const outcome = resolveUnknown(clock, async () => {
    calls += 1
    clock.advance(600)
    throw lost
  })
  await assert.rejects(outcome, lost)
  assert.equal(calls, 3)
})

test('faults are told apart by what PostgreSQL and its driver say', async (t) => {
  const { db } = await testPostgres(t)
  const faultOf = (text: string): Promise<unknown> =>
    run(db, text).then(
      () => undefined,
      (error: unknown) => error,
    )
  const division = await faultOf('select 1 / 0')
  assert.deepEqual(
    [isDataFault(division), isRetryable(division), isConnectionLoss(division)],
    [true, false, false],
  )
  const syntax = await faultOf('selectt')
  assert.deepEqual(
    [isDataFault(syntax), isRetryable(syntax), isConnectionLoss(syntax)],
    [false, false, false],
  )
  assert.equal(isConnectionLoss(new Error('Connection terminated unexpectedly')), true)
  assert.equal(isConnectionLoss(new Error('Query read timeout')), true)
  assert.equal(isConnectionLoss(new Error('the timeout of a rail')), false)
})
