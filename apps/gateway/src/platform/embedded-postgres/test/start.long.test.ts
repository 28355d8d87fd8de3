import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { EmbeddedPostgresFailure, findRunningPostgres } from '../index.ts'
import { query, testDirectory } from './support.ts'

test('a fresh data directory gets a durable UTF-8 server whose address and password only its owner can read', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const server = await start()
  const rows = await query(
    server.url,
    `select current_database() as database, current_user as "user", current_setting('fsync') as fsync,
       current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
       pg_size_bytes(current_setting('max_wal_size')) >= 2147483648 as has_log,
       (select datlocale from pg_database where datname = current_database()) as locale,
       pg_encoding_to_char((select encoding from pg_database where datname = current_database())) as encoding`,
  )
  assert.deepEqual(rows, [
    {
      database: 'tollgate',
      user: 'tollgate_gateway',
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      has_log: true,
      locale: 'C.UTF-8',
      encoding: 'UTF8',
    },
  ])
  for (const file of ['database.json', 'database-admin.json'])
    assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600)
  assert.deepEqual(JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')), { url: server.url })
  assert.equal(server.replacedOrphan, false)
  const withoutPassword = server.url.replace(/:[^:@]+@/, ':wrong@')
  await assert.rejects(query(withoutPassword, 'select 1'), /password authentication failed/)
})

test('a second start keeps the data, the port and the password', async (t) => {
  const { start } = testDirectory(t)
  const first = await start()
  await query(first.ownerUrl, 'create table kept (n int)', 'insert into kept values (42)')
  await first.stop()
  const second = await start()
  assert.equal(second.url, first.url)
  assert.deepEqual(await query(second.ownerUrl, 'select n from kept'), [{ n: 42 }])
})

test('the server moves to another port when its own was taken meanwhile', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const first = await start()
  await first.stop()
  const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  t.after(() => squatter.close())
  await new Promise((resolve) => squatter.once('listening', resolve))
  const second = await start()
  assert.notEqual(new URL(second.url).port, new URL(first.url).port)
  assert.deepEqual(JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')), { url: second.url })
  assert.equal(await findRunningPostgres(dataDir), second.url)
})

test('a running server is found by whoever only attaches, and a stopped one is not', async (t) => {
  const { dataDir, start } = testDirectory(t)
  assert.equal(await findRunningPostgres(dataDir), undefined)
  const server = await start()
  assert.equal(await findRunningPostgres(dataDir), server.url)
  await server.stop()
  assert.equal(await findRunningPostgres(dataDir), undefined)
})

test('a second owner of the same data directory is refused with the pid of the first', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const server = await start()
  await assert.rejects(start(), (error) => {
    assert.ok(error instanceof EmbeddedPostgresFailure)
    assert.match(
      error.message,
      new RegExp(`Another Tollgate \\(pid ${process.pid}\\) uses the data directory ${dataDir}\\.`),
    )
    return true
  })
  assert.deepEqual(await query(server.url, 'select 1 as alive'), [{ alive: 1 }])
})

test('the lock of a process that has ended is ignored, also when its pid lives on in another process', async (t) => {
  const { dataDir, start } = testDirectory(t)
  mkdirSync(dataDir)
  writeFileSync(
    join(dataDir, 'owner.lock'),
    JSON.stringify({ pid: process.ppid, mark: 'started in another life' }),
  )
  const server = await start()
  await server.stop()
  assert.equal(existsSync(join(dataDir, 'owner.lock')), false)
})

test('a pid file that names a foreign process does not stop the start, and the process is left alone', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const first = await start()
  await query(first.ownerUrl, 'create table kept (n int)', 'insert into kept values (1)')
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  await first.stop()
  // Our own parent: a signal to it would end this run of the tests.
  writeFileSync(pidFile, [process.ppid, ...lines.slice(1)].join('\n'))
  assert.equal(await findRunningPostgres(dataDir), undefined)
  const second = await start()
  assert.equal(second.replacedOrphan, false)
  assert.deepEqual(await query(second.ownerUrl, 'select n from kept'), [{ n: 1 }])
})

test('what a creation that was cut short left behind is thrown away', async (t) => {
  const { dataDir, start } = testDirectory(t)
  mkdirSync(join(dataDir, 'postgres.unfinished', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'postgres.unfinished', 'PG_VERSION'), '18\n')
  const server = await start()
  assert.deepEqual(await query(server.url, 'select 1 as alive'), [{ alive: 1 }])
  assert.deepEqual(readdirSync(dataDir).sort(), [
    'database-admin.json',
    'database.json',
    'owner.lock',
    'postgres',
    'postgres.log',
  ])
})

test('lost files of passwords cost new passwords, not the data', async (t) => {
  const { dataDir, start } = testDirectory(t)
  let before = await start()
  await query(before.ownerUrl, 'create table kept (n int)', 'insert into kept values (7)')
  for (const lost of [['database.json'], ['database-admin.json'], ['database.json', 'database-admin.json']]) {
    await before.stop()
    for (const file of lost) rmSync(join(dataDir, file))
    const after = await start()
    for (const [file, which] of [
      ['database.json', 'url'],
      ['database-admin.json', 'adminUrl'],
    ] as const)
      assert.equal(
        new URL(after[which]).password !== new URL(before[which]).password,
        lost.includes(file),
        file,
      )
    assert.deepEqual(await query(after.ownerUrl, 'select n from kept'), [{ n: 7 }])
    assert.deepEqual(await query(after.url, 'select 1 as alive'), [{ alive: 1 }])
    before = after
  }
})

test('a wrong password in database-admin.json is told in a sentence, and nothing is left running', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const first = await start()
  await first.stop()
  const wrong = { url: first.adminUrl.replace(/:[^:@]+@/, ':wrong@') }
  writeFileSync(join(dataDir, 'database-admin.json'), JSON.stringify(wrong))
  await assert.rejects(start(), /refuses the password in database-admin\.json\. Delete that file/)
  assert.equal(existsSync(join(dataDir, 'postgres', 'postmaster.pid')), false)
  assert.equal(existsSync(join(dataDir, 'owner.lock')), false)
})

test('a setting PostgreSQL does not know ends the start with its own words', async (t) => {
  const { start } = testDirectory(t)
  await assert.rejects(
    start({ settings: { no_such_setting: '1' } }),
    /unrecognized configuration parameter "no_such_setting"/,
  )
})
