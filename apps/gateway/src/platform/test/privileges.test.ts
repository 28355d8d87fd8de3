import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runtimeUrl } from '@tollgate/testkit'
import { grantRuntime } from '../privileges.ts'
import { testPostgres } from './postgres.ts'

const GATEWAY = 'tollgate_gateway'

/** Tables whose rows the gateway may not change at all, and those that it may change but not delete. */
const APPEND_ONLY = [
  'audit_chain',
  'audit_records',
  'ledger_journal',
  'ledger_postings',
  'ledger_transfers',
  'payment_timeline',
  'payout_approvals',
  'payout_file_events',
  'payout_file_payments',
  'rate_rows',
  'rate_sheets',
  'refunds',
  'settlement_items',
  'settlements',
  'statement_decisions',
]
const NEVER_DELETED = [
  'bank_accounts',
  'failed_documents',
  'payout_files',
  'payout_report_entries',
  'payout_reports',
  'statement_lines',
]

test('the gateway may only add to what is append-only, and may read and add everywhere but to the list of migrations', async (t) => {
  const { outside } = await testPostgres(t)
  const tablesWithout = async (...privileges: readonly string[]): Promise<readonly string[]> => {
    const { rows } = await outside.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
        and not exists (select 1 from unnest($2::text[]) p where has_table_privilege($1, oid, p)) order by relname`,
      [GATEWAY, privileges],
    )
    return rows.map(({ name }) => name)
  }
  const withoutUpdate = await tablesWithout('UPDATE')
  const withoutDelete = await tablesWithout('DELETE')
  for (const table of APPEND_ONLY) {
    assert.ok(withoutUpdate.includes(table), `update ${table}`)
    assert.ok(withoutDelete.includes(table), `delete from ${table}`)
  }
  for (const table of NEVER_DELETED) {
    assert.ok(withoutDelete.includes(table), `delete from ${table}`)
    assert.ok(!withoutUpdate.includes(table), `update ${table}`)
  }
  assert.deepEqual(await tablesWithout('SELECT'), [])
  assert.deepEqual(await tablesWithout('INSERT'), [])
  const mighty = await outside.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and (has_table_privilege($1, oid, 'TRUNCATE, REFERENCES, TRIGGER') or relname = 'schema_migrations' and has_table_privilege($1, oid, 'INSERT, UPDATE, DELETE'))`,
    [GATEWAY],
  )
  assert.deepEqual(mighty.rows, [])
})

test('every trigger that decides over privileges does nothing but refuse', async (t) => {
  const { outside } = await testPostgres(t)
  const { rows } = await outside.query<{ name: string; body: string }>(
    `select t.tgname as name, p.prosrc as body from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where not t.tgisinternal and t.tgqual is null and t.tgattr = ''::int2vector and t.tgtype & 2 = 2 and t.tgtype & 24 > 0`,
  )
  assert.ok(rows.length >= APPEND_ONLY.length)
  for (const { name, body } of rows) assert.match(body, /^\s*begin\s+raise exception [^;]+;\s+end\s*$/, name)
})

test('privileges that were granted or lost by hand are put right by the next migration, and only once', async (t) => {
  const { url, outside } = await testPostgres(t)
  const privileges = async (): Promise<readonly unknown[]> =>
    (
      await outside.query(
        `select relname, privilege_type from pg_class, aclexplode(relacl) where relnamespace = 'public'::regnamespace
          and grantee = $1::regrole order by 1, 2`,
        [GATEWAY],
      )
    ).rows
  const right = await privileges()
  assert.ok(right.length > 100)
  await outside.query(
    `grant update, truncate on ledger_postings to ${GATEWAY}; revoke insert on payments from ${GATEWAY}`,
  )
  assert.notDeepEqual(await privileges(), right)
  await Promise.all([grantRuntime(url, GATEWAY), grantRuntime(url, GATEWAY)])
  assert.deepEqual(await privileges(), right)
  const { rows: before } = await outside.query('select pg_current_xact_id()::text')
  await grantRuntime(url, GATEWAY)
  const { rows: after } = await outside.query(
    `select 1 from pg_class where relname = 'payments' and xmin::text::bigint > $1`,
    [Object.values(before[0] ?? {})[0]],
  )
  assert.deepEqual(after, [])
  assert.equal(new URL(runtimeUrl(url)).username, GATEWAY)
})
