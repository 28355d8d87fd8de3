import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../migrate.ts'
import { RUNTIME_USER } from '../index.ts'
import { query, testDirectory } from './support.ts'

const SETTINGS = { fsync: 'off', shared_buffers: '64MB' }

test('the user of the gateway is no superuser, owns nothing and cannot become who does', async (t) => {
  const server = await testDirectory(t).start({ settings: SETTINGS })
  await migrate({ url: server.ownerUrl, runtimeUser: RUNTIME_USER })
  assert.deepEqual(
    await query(
      server.url,
      `select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_mighty,
        (select count(*)::int from pg_auth_members where member = r.oid) as memberships,
        (select count(*)::int from pg_class where relowner = r.oid) as tables,
        (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner
      from pg_roles r where rolname = current_user`,
    ),
    [{ is_mighty: false, memberships: 0, tables: 0, owner: 'tollgate_owner' }],
  )
  // PostgreSQL only warns of a grant by somebody who may not.
  await query(server.url, 'grant all on ledger_postings, ledger_transfers to tollgate_gateway')
  for (const statement of [
    'set role tollgate_owner',
    'set role tollgate',
    'set session_replication_role = replica',
    'alter table ledger_postings disable trigger all',
    'drop trigger ledger_postings_append_only on ledger_postings',
    'update ledger_postings set amount = 1',
    'delete from ledger_transfers',
    'truncate ledger_journal',
    `update payment_timeline set status = 'SUCCESS'`,
    'create table mine (n int)',
    `create function mine() returns int language sql return 1`,
    `copy merchants to program 'cat'`,
    `select pg_read_file('postmaster.pid')`,
    `alter role tollgate_gateway superuser`,
  ])
    await assert.rejects(
      query(server.url, statement),
      /permission denied|must be owner|must be member/,
      statement,
    )
})

test('a data directory of an earlier version is moved over at the next start, and nothing is lost', async (t) => {
  const { dataDir, start } = testDirectory(t)
  const first = await start({ settings: SETTINGS })
  // As an earlier version left it: one user who is the superuser, owns all, and whose password is in database.json.
  await query(
    first.adminUrl,
    'alter database tollgate owner to tollgate',
    'drop role tollgate_gateway',
    'drop role tollgate_owner',
  )
  await migrate({ url: first.adminUrl })
  const KEPT = `select segment_code from segments where segment_code = 'KEPT'`
  await query(first.adminUrl, `insert into segments (segment_code, name) values ('KEPT', 'Kept')`)
  await first.stop()
  rmSync(join(dataDir, 'database-admin.json'))
  const old = JSON.stringify({ url: first.adminUrl })
  writeFileSync(join(dataDir, 'database.json'), old)

  const second = await start({ settings: SETTINGS })
  assert.deepEqual(await migrate({ url: second.ownerUrl, runtimeUser: RUNTIME_USER }), [])
  assert.equal(second.adminUrl, first.adminUrl)
  assert.equal(new URL(second.url).username, 'tollgate_gateway')
  assert.notEqual(new URL(second.url).password, new URL(second.adminUrl).password)
  assert.deepEqual(JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')), { url: second.url })
  assert.deepEqual(await query(second.url, KEPT), [{ segment_code: 'KEPT' }])
  assert.deepEqual(
    await query(
      second.url,
      `select distinct pg_get_userbyid(relowner) as owner from pg_class where relnamespace = 'public'::regnamespace
      union select pg_get_userbyid(proowner) from pg_proc where pronamespace = 'public'::regnamespace
      union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`,
    ),
    [{ owner: 'tollgate_owner' }],
  )
  await second.stop()

  // Cut short before database.json was written: the same once more. A later start finds nothing to do.
  writeFileSync(join(dataDir, 'database.json'), old)
  const third = await start({ settings: SETTINGS })
  assert.deepEqual(await query(third.url, KEPT), [{ segment_code: 'KEPT' }])
  await third.stop()
  const fourth = await start({ settings: SETTINGS })
  assert.deepEqual([fourth.url, fourth.adminUrl], [third.url, third.adminUrl])
  assert.deepEqual(await query(fourth.url, KEPT), [{ segment_code: 'KEPT' }])
})
