import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, testDatabase } from '../src/index.ts'

test('a statement that a deadlock ends is run again', async (t) => {
  const { url } = await testDatabase(t)
  await runSql(
    url,
    'create table money (id integer primary key, amount integer); insert into money values (1, 0), (2, 0)',
  )
  const add = (first: number, second: number): Promise<unknown> =>
    runSql(
      url,
      `begin; update money set amount = amount + 1 where id = ${first}; select pg_sleep(0.2);
       update money set amount = amount + 1 where id = ${second}; commit`,
    )
  await Promise.all([add(1, 2), add(2, 1)])
  assert.deepEqual(await runSql(url, 'select id, amount from money order by id'), [
    { id: 1, amount: 2 },
    { id: 2, amount: 2 },
  ])
})

test('a statement that fails for another reason fails at once', async (t) => {
  const { url } = await testDatabase(t)
  await runSql(url, 'create table money (id integer)')
  await assert.rejects(runSql(url, 'insert into money values (1); select 1 / 0'), /division by zero/)
  assert.deepEqual(await runSql(url, 'select * from money'), [])
})

const WHICH = 'select pg_backend_pid() as pid'

test('statements that leave nothing behind share a session, and others have their own', async (t) => {
  const { url } = await testDatabase(t)
  const [first] = await runSql(url, WHICH)
  assert.deepEqual(await runSql(url, WHICH), [first])
  await runSql(url, "set application_name = 'changed'")
  assert.deepEqual(await runSql(url, "select current_setting('application_name') as name"), [
    { name: 'testkit' },
  ])
  assert.notDeepEqual(await runSql(url, `select set_config('application_name', 'x', false); ${WHICH}`), [
    first,
  ])
  assert.deepEqual(await runSql(url, WHICH), [first])
})
