import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, runtimeUrl } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'

const gateway = await startGateway({ after })
/** What somebody who took over the gateway has in hand. */
const stolen = runtimeUrl(gateway.databaseUrl)

const REFUSED = /permission denied|must be owner|must be able to SET ROLE|Only roles with/

test('S70: who takes over the gateway’s database connection cannot change, delete or hide what is in the books', async () => {
  const books = await gateway.sql(
    `select relname as name, (select attname from pg_attribute where attrelid = c.oid and attnum = 1) as first_column
      from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname similar to '(ledger\\_%|settlements|settlement_items|payout_approvals|payout_file_payments|payout_file_events|statement_decisions|payment_timeline|rate_rows)'`,
  )
  assert.ok(books.length >= 10)
  for (const { name, first_column: column } of books)
    for (const attempt of [
      `update ${String(name)} set ${String(column)} = default`,
      `delete from ${String(name)}`,
      `truncate ${String(name)} cascade`,
      `drop table ${String(name)} cascade`,
      `alter table ${String(name)} disable trigger all`,
      `create trigger quiet before insert on ${String(name)} execute function suppress_redundant_updates_trigger()`,
      `create rule hidden as on insert to ${String(name)} do instead nothing`,
    ])
      await assert.rejects(runSql(stolen, attempt), REFUSED, attempt)
})

test('S71: who takes over the gateway’s database connection becomes nobody else, and leaves the database by no door', async () => {
  for (const attempt of [
    'set role tollgate_owner',
    'set session authorization tollgate',
    'set session_replication_role = replica',
    'alter role current_user superuser',
    'create role helper superuser',
    'create extension plpython3u',
    'create function public.run() returns int language sql return 1',
    'create or replace function public.ledger_is_append_only() returns trigger language plpgsql as $$ begin return null; end $$',
    `copy (select 1) to program 'id'`,
    `copy merchants from '/etc/passwd'`,
    `select pg_read_file('/etc/passwd')`,
    `select lo_import('/etc/passwd')`,
    `alter system set fsync = 'off'`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tollgate'`,
    `delete from schema_migrations`,
  ])
    await assert.rejects(runSql(stolen, attempt), (error: unknown) => {
      assert.match(String(error), /denied|must be|[Oo]nly roles|owner|superuser|SUPERUSER/, attempt)
      return true
    })
  // And yet the gateway works as this user.
  assert.equal((await gateway.call({ method: 'GET', path: '/readyz' })).status, 200)
})
