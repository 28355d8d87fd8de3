import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, runtimeUrl, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS } from '../support/merchant.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'
import { whileNothingIsNoted } from './support/unnoted.ts'

// The audit log: what operators do, who may read it, and what must never be in it.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  sue: ['sue', 'SUPPORT'],
  fred: ['fred', 'FINANCE'],
  carl: ['carl', 'CATALOGUE'],
  olga: ['olga', 'AUDITOR'],
})

const acts = async (query: string): Promise<readonly unknown[]> =>
  listAt(expectSuccess(await operators.get('olga', `audit?limit=100&${query}`), 200), 'data')

/** Waits until every act has its entry. */
const untilChained = (): Promise<void> =>
  waitUntil(async () => (await acts('')).every((act) => at(act, 'entryNo') !== undefined), {
    timeoutMs: 60_000,
    what: 'the acts to be chained',
  })

/** The fields that an act changed, of all rows together. */
const fieldsOf = (act: unknown): readonly unknown[] =>
  listAt(act, 'changes').flatMap((change) => listAt(change, 'fields'))

test('GET /operator/audit → 200 an act has who, by what, why, its answer, and both ends of what it changed', async () => {
  expectSuccess(await operators.post('adam', 'merchants', { merchantCode: 'SHOP', name: 'My Shop' }), 201)
  expectSuccess(await operators.post('adam', 'merchants/SHOP/!change', { name: 'Our Shop' }), 200)
  const [changed, created] = await acts('merchantCode=SHOP')
  assert.deepEqual(
    ['operatorCode', 'means', 'act', 'says', 'outcome', 'status'].map((name) => at(changed, name)),
    ['adam', 'KEY', 'changeMerchant', 'Changed a merchant', 'DONE', 200],
  )
  assert.deepEqual(fieldsOf(changed), [{ name: 'channel_name', before: 'My Shop', after: 'Our Shop' }])
  assert.equal(at(created, 'act'), 'createMerchant')
  assert.equal(at(listAt(created, 'changes')[0], 'verb'), 'ADDED')
  const reason = 'maintenance until six'
  expectSuccess(
    await operators.put('sue', 'institutions/OPERATOR/OTTER_WALLET/PAYIN', {
      availability: 'CLOSED',
      reason,
    }),
    200,
  )
  const [closed] = await acts('operatorCode=sue')
  assert.deepEqual([at(closed, 'act'), at(closed, 'reason')], ['setInstitution', reason])
})

test('GET /operator/audit → 200, GET /operator/audit → 400: every filter narrows, pages follow one another, and only what failed can be asked for', async () => {
  expectError(
    await operators.post('adam', 'merchants', { merchantCode: 'SHOP', name: 'Again' }),
    409,
    'STATE_CONFLICT',
  )
  const [failed, ...others] = await acts('failed=true&operatorCode=adam')
  assert.deepEqual([at(failed, 'outcome'), at(failed, 'status'), others], ['FAILED', 409, []])
  for (const query of [
    'act=setFee',
    'operatorCode=nobody',
    'merchantCode=NOBODY',
    'subject=NOTHING',
    'to=2020-01-01T00:00:00Z',
  ])
    assert.deepEqual(await acts(query), [], query)
  assert.ok((await acts('from=2020-01-01T00:00:00Z')).length > 3)
  const first = expectSuccess(await operators.get('olga', 'audit?limit=1'), 200)
  const second = expectSuccess(
    await operators.get('olga', `audit?limit=1&cursor=${textAt(first, 'nextCursor')}`),
    200,
  )
  const numbers = [first, second].map((page) => Number(at(listAt(page, 'data')[0], 'number')))
  assert.ok((numbers[0] ?? 0) > (numbers[1] ?? 0))
  for (const from of ['yesterday', '2020-01-01T00:00:00'])
    expectError(await operators.get('olga', `audit?from=${from}`), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/audit/export → 200, GET /operator/audit/export → 400: the same acts as CSV and as lines of JSON', async () => {
  expectError(await operators.get('olga', 'audit/export?format=xml'), 400, 'ATTRIBUTE_VALUE_INVALID')
  await untilChained()
  const lines = (await operators.get('olga', 'audit/export?format=jsonl&merchantCode=SHOP')).text
  const listed = await acts('merchantCode=SHOP')
  assert.deepEqual(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => at(JSON.parse(line), 'number')),
    listed.map((act) => at(act, 'number')),
  )
  const csv = (await operators.get('olga', 'audit/export?merchantCode=SHOP')).text
  assert.equal(csv.trimEnd().split('\r\n').length, listed.length + 1)
  const printed = await gateway.cli('audit', 'export', '--merchant', 'SHOP')
  assert.equal(printed.stdout.trimEnd(), csv.trimEnd())
})

test('GET /operator/audit/{number} → 200, GET /operator/audit/{number} → 400, GET /operator/audit/{number} → 410: one act with everything that it changed', async () => {
  expectError(await operators.get('olga', 'audit/first'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const act = (await acts('act=createMerchant')).find((each) => at(each, 'outcome') === 'DONE')
  const whole = expectSuccess(await operators.get('olga', `audit/${textAt(act, 'number')}`), 200)
  assert.ok(fieldsOf(whole).length > 3)
  expectError(await operators.get('olga', 'audit/999999999'), 410, 'ENTITY_NOT_FOUND')
})

test('S145: GET /operator/audit → 403 who may not read who the operators are reads nothing of the log', async () => {
  for (const name of ['anna', 'sue', 'fred', 'carl'] as const)
    for (const path of ['audit', 'audit/1', 'audit/export', 'audit/head', 'audit/verification'])
      expectError(await operators.get(name, path), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await operators.get('adam', 'audit'), 200)
})

test('S146: no secret, no account and no person is in the log or its export', async () => {
  const secrets: string[] = []
  const told = async (
    answer: ReturnType<typeof operators.post>,
    ...path: readonly string[]
  ): Promise<void> => {
    secrets.push(textAt((await answer).body, ...path))
  }
  await told(operators.post('adam', 'operators', { operatorCode: 'zoe', roles: ['SUPPORT'] }), 'key')
  await told(operators.post('adam', 'merchants/SHOP/secrets', {}), 'secret')
  await told(operators.post('adam', 'sessions'), 'session', 'secret')
  await told(operators.post('adam', 'merchants/SHOP/!rotate-callback-secret', {}), 'callbackSecret')
  const account = { accountName: 'Božena Němcová', accountNumber: 'CZ6508000000192000145399' }
  const set = { paymentMethodCode: 'BANK_TRANSFER', account }
  expectSuccess(await operators.put('adam', 'settlement-terms/DEMO/accounts/EUR', set), 200)
  secrets.push('Němcová', 'CZ6508000000192000145399', '2000145399')
  const log = (await operators.get('olga', 'audit/export?format=jsonl')).text
  for (const [index, secret] of secrets.entries()) {
    assert.ok(secret.length > 5, `secret ${index} was told`)
    assert.ok(!log.includes(secret), `secret ${index} is in the log`)
  }
  // That they changed is.
  assert.match(log, /"section":"merchant_secrets"[^}]*"verb":"ADDED"/)
  const rows = JSON.stringify(await runSql(databaseUrl, 'select to_jsonb(a) as a from audit_records a'))
  for (const [index, secret] of secrets.entries())
    assert.ok(!rows.includes(secret), `secret ${index} is in the table`)
})

test('S147: data in full is read with a record or not at all', async () => {
  const token = await gateway.demo().token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)
  await fundBalance(gateway, token, { id: 'TOP-1', amount: '500' })
  await createPayout(gateway, token, { id: 'OUT-1', email: 'approval@sandbox.test' })
  const look = () => operators.get('anna', 'payouts/DEMO/OUT-1/payee')
  await whileNothingIsNoted(databaseUrl, async () => {
    expectError(await look(), 500, 'SYSTEM')
  })
  await runSql(
    databaseUrl,
    `alter table audit_records add constraint no_reads check (kind <> 'READ') not valid`,
  )
  expectError(await look(), 500, 'SYSTEM')
  // Other acts are recorded as before.
  expectSuccess(await operators.post('adam', 'merchants', { merchantCode: 'OTHER' }), 201)
  await runSql(databaseUrl, 'alter table audit_records drop constraint no_reads')
  expectSuccess(await look(), 200)
  const [read, ...others] = await acts('operatorCode=anna')
  assert.deepEqual(
    ['kind', 'act', 'says', 'merchantCode', 'subject', 'means'].map((name) => at(read, name)),
    ['READ', 'PAYEE', 'Read a payee in full', 'DEMO', 'PAYOUT OUT-1', 'KEY'],
  )
  assert.deepEqual(others, [])
})

test('S148: commands on the machine, and changes at the database, are in the log', async () => {
  await gateway.cli('operators', 'create', 'lea', '--role', 'SUPPORT')
  const [created] = await acts('subject=lea')
  assert.deepEqual(
    ['kind', 'program', 'says'].map((name) => at(created, name)),
    ['LOCAL', 'tollgate command', 'Ran a command on the machine'],
  )
  await runSql(databaseUrl, `update operators set roles = '{FINANCE}' where operator_code = 'lea'`)
  const [changed] = await acts('subject=lea')
  assert.equal(at(changed, 'says'), 'Changed at the database')
  assert.deepEqual(fieldsOf(changed), [{ name: 'roles', before: '["SUPPORT"]', after: '["FINANCE"]' }])
})

test('S149: who takes over the gateway’s database connection cannot change, remove or hide what is in the log', async () => {
  const stolen = runtimeUrl(databaseUrl)
  for (const table of ['audit_records', 'audit_chain'])
    for (const attempt of [
      `update ${table} set xid = xid`,
      `delete from ${table}`,
      `truncate ${table}`,
      `alter table ${table} disable trigger all`,
      'alter table merchants disable trigger all',
      'create or replace function public.audit_change() returns trigger language plpgsql as $$ begin return null; end $$',
      'set session_replication_role = replica',
    ])
      await assert.rejects(runSql(stolen, attempt), /permission denied|must be owner/, attempt)
})

test('GET /operator/audit/head → 200, GET /operator/audit/verification → 200: the chain has every record, and says which one was changed', async () => {
  const verified = async (): Promise<unknown> =>
    expectSuccess(await operators.get('olga', 'audit/verification'), 200)
  await untilChained()
  assert.equal(at(await verified(), 'isIntact'), true)
  const head = textAt(expectSuccess(await operators.get('olga', 'audit/head'), 200), 'head')
  const [act] = await acts('act=createMerchant')
  const number = textAt(act, 'number')
  await runSql(
    databaseUrl,
    `set session_replication_role = replica; update audit_records set operator_code = 'eve' where record_no = ${number}`,
  )
  const broken = await verified()
  assert.equal(at(broken, 'isIntact'), false)
  assert.match(JSON.stringify(at(broken, 'findings')), new RegExp(`changed: record ${number} `))
  const checked = await gateway.tryCli(['ledger', 'check', '--audit-head', head], 60_000)
  assert.equal(checked.code, 1)
  assert.match(checked.stdout, new RegExp(`audit_matches_records: changed: record ${number} `))
})
