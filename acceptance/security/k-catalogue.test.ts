import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, itemWith, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId } from '../support/payins.ts'

// Changing terms: what is applied is what was seen, what is told is what is charged, and what health gives away.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const { get, put, post } = await operatorsOf(gateway, {
  carl: ['carl', 'CATALOGUE'],
  olga: ['olga', 'AUDITOR'],
})
const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
const carlsKey = (await gateway.cli('operators', 'create', 'carla', '--role', 'CATALOGUE')).stdout.trim()

async function apply(document: string, query: string): Promise<RawResponse> {
  for (;;) {
    const answer = await gateway.sendToOperators({
      method: 'PUT',
      path: `/operator/catalogue${query}`,
      token: carlsKey,
      rawBody: document,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}

const segment = (name: string): string => `segments:\n  - { code: SHOWN, name: ${name} }\n`

test('K50 PUT /operator/catalogue → 409: what is applied is what was shown, or nothing', async () => {
  const shown = expectSuccess(await apply(segment('one'), '?dryRun=true'), 200)
  const digest = textAt(shown, 'digest')
  // Another document under the digest, and the same one after somebody else’s change.
  expectError(await apply(segment('two'), `?digest=${digest}`), 409, 'STATE_CONFLICT')
  expectSuccess(await apply(segment('other'), ''), 200)
  expectError(await apply(segment('one'), `?digest=${digest}`), 409, 'STATE_CONFLICT')
  const noted = listAt(expectSuccess(await get('olga', 'catalogue/changes'), 200), 'data')
  assert.deepEqual(
    noted.map((each) => at(each, 'after', 'name')),
    ['other'],
  )
  const again = expectSuccess(await apply(segment('one'), '?dryRun=true'), 200)
  assert.deepEqual(at(again, 'changes', 0, 'fields'), [{ field: 'name', before: 'other', after: 'one' }])
  const applied = expectSuccess(await apply(segment('one'), `?digest=${textAt(again, 'digest')}`), 200)
  assert.equal(at(applied, 'digest'), textAt(again, 'digest'))
})

test('GET /operator/catalogue/yaml → 200: the document as YAML changes nothing when it is applied', async () => {
  const yaml = textAt(expectSuccess(await get('olga', 'catalogue/yaml'), 200), 'yaml')
  assert.match(yaml, /^currencies:\n {2}- code: /)
  assert.deepEqual(at(expectSuccess(await apply(yaml, '?dryRun=true'), 200), 'changes'), [])
})

/** Each way to pay that is asked about; the fees are set below. */
const CASES = [
  { method: 'BANK_TRANSFER', amount: '149.90' },
  { method: 'BANK_TRANSFER', amount: '1.01' },
  { method: 'BANK_TRANSFER', amount: '4000' },
  { method: 'ONLINE_BANKING', amount: '33.33', operator: 'OTTER_BANK' },
  { method: 'ONLINE_BANKING', amount: '7.77', segmentCode: 'VIP' },
] as const

test('K51 GET /operator/catalogue/explain → 200: the fee that is told is the fee that a payin is charged', async () => {
  expectSuccess(
    await put('carl', 'fees', {
      merchantCode: 'DEMO',
      methodCode: 'BANK_TRANSFER',
      currencyCode: 'EUR',
      fixed: 0.25,
      percentage: 1.333,
      maximum: 20,
    }),
    200,
  )
  for (const { method, amount, ...more } of CASES) {
    const wanted: { operator?: string; segmentCode?: string } = more
    const query = new URLSearchParams({ merchantCode: 'DEMO', amount, currencyCode: 'EUR' })
    if (wanted.segmentCode !== undefined) query.set('segmentCode', wanted.segmentCode)
    const told = expectSuccess(await get('olga', `catalogue/explain?${query.toString()}`), 200)
    const explained = itemWith(listAt(told, 'methods'), 'paymentMethodCode', method)
    const fees = listAt(explained, 'fees')
    assert.ok(fees.length > 0)
    for (const each of fees) {
      const [operator = wanted.operator] = listAt(each, 'paymentOperatorCodes').map(String)
      const id = newId()
      await createPayin(gateway, token, {
        id,
        amount,
        method,
        ...(operator !== undefined && { operator }),
        ...(wanted.segmentCode !== undefined && { segmentCode: wanted.segmentCode }),
      })
      const payin = expectSuccess(await get('olga', `payins/DEMO/${id}`), 200)
      assert.deepEqual(at(each, 'fee'), at(payin, 'fee'), `${method} ${amount} ${operator ?? ''}`)
    }
  }
})

test('GET /operator/merchants/{merchantCode}/terms → 200, GET /operator/merchants/{merchantCode}/terms → 400, GET /operator/merchants/{merchantCode}/terms → 410: what is agreed with a merchant is read as it was set', async () => {
  const limit = { min: 1, max: 4900.5, dailyCountMax: 900 }
  expectSuccess(await put('carl', 'merchants/DEMO/limits/PAYIN/BANK_TRANSFER/EUR', limit), 200)
  const terms = expectSuccess(await get('olga', 'merchants/DEMO/terms'), 200)
  assert.ok(listAt(terms, 'methods', 'PAYIN').includes('BANK_TRANSFER'))
  assert.deepEqual(at(terms, 'limits', 0), {
    direction: 'PAYIN',
    methodCode: 'BANK_TRANSFER',
    currencyCode: 'EUR',
    min: '1',
    max: '4900.5',
    dailyCountMax: 900,
  })
  assert.deepEqual(Object.keys(at(terms, 'fees', 0) ?? {}), [
    'direction',
    'methodCode',
    'currencyCode',
    'fixed',
    'percentage',
    'maximum',
  ])
  expectError(await get('olga', 'merchants/NOBODY/terms'), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('olga', 'merchants/no.body/terms'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('K52 GET /operator/health → 200: every role reads facts, none of which opens anything', async () => {
  for (const name of ['carl', 'olga'] as const) {
    const answer = await get(name, 'health')
    const health = expectSuccess(answer, 200)
    assert.deepEqual(at(health, 'database', 'pendingMigrations'), [])
    assert.equal(at(health, 'gateway', 'environment'), 'sandbox')
    const programs = listAt(health, 'database', 'connections').map((each) => textAt(each, 'program'))
    assert.ok(programs.includes('tollgate api'), programs.join())
    assert.deepEqual(
      listAt(health, 'queues').map((each) => at(each, 'queue')),
      ['PAYMENTS', 'EXPIRIES', 'CALLBACKS', 'NOTIFICATIONS'],
    )
    const { host, password } = new URL(databaseUrl)
    for (const secret of [host, password, gateway.dataDir, 'postgres://', 'postgresql://'])
      if (secret !== '') assert.ok(!answer.text.includes(secret), secret)
  }
})

test('K53 the ledger is said to be checked only after a check, and the record of one stays', async () => {
  const lastCheck = async (): Promise<unknown> =>
    at(expectSuccess(await get('olga', 'health'), 200), 'ledger', 'lastCheck')
  assert.equal(await lastCheck(), undefined)
  const before = Date.now() - 60_000
  await gateway.cli('ledger', 'check')
  const check = await lastCheck()
  assert.equal(at(check, 'findings'), 0)
  assert.ok(Date.parse(textAt(check, 'checkedAt')) > before)
  for (const statement of ['delete from ledger_checks', 'update ledger_checks set finding_count = 0'])
    await assert.rejects(runSql(databaseUrl, statement))
  expectError(await post('olga', 'health', {}), 404, 'ROUTE_NOT_FOUND')
})
