import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'

// The catalogue as one document: who may apply it, what it may say, and what is noted.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const sql = (text: string) => runSql(databaseUrl, text)
const { get } = await operatorsOf(gateway, { auditor: ['olga', 'AUDITOR'], support: ['susi', 'SUPPORT'] })

async function keyOf(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}
const carl = await keyOf('carl', 'CATALOGUE')
const fred = await keyOf('fred', 'FINANCE')

async function put(document: string, { token = carl, query = '' } = {}): Promise<RawResponse> {
  for (;;) {
    const answer = await gateway.sendToOperators({
      method: 'PUT',
      path: `/operator/catalogue${query}`,
      token,
      rawBody: document,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}

const whole = async (): Promise<string> => JSON.stringify((await get('auditor', 'catalogue')).body)
function faultsOf(answer: RawResponse): readonly string[] {
  expectError(answer, 400, 'ATTRIBUTE_VALUE_INVALID')
  return listAt(answer.body, 'violations').map((each) => textAt(each, 'message'))
}

const NEW_METHOD = `currencies:
  - { code: CHF, name: Swiss Franc, minorUnits: 2 }
methods:
  - code: GIRO
    name: Giro
    flow: INSTRUCTIONS
    rail: bank-transfer
    expiresAfterSeconds: 3600
    limits:
      - { direction: PAYIN, currencyCode: CHF, min: 0.10, max: 1000.00 }
    fees:
      - { direction: PAYIN, currencyCode: CHF, percentage: 1.25 }
`

test('GET /operator/catalogue → 200, PUT /operator/catalogue → 200: what is exported changes nothing when it is applied, in YAML or JSON', async () => {
  const before = await whole()
  assert.deepEqual(at(expectSuccess(await put(before), 200), 'changes'), [])
  const file = join(gateway.dataDir, 'catalogue.yaml')
  writeFileSync(file, (await gateway.cli('catalogue', 'export')).stdout)
  assert.match(readFileSync(file, 'utf8'), /^currencies:\n/)
  const { stdout } = await gateway.cli('catalogue', 'apply', file, '--json')
  assert.deepEqual(at(JSON.parse(stdout), 'changes'), [])
  assert.equal(await whole(), before)
})

test('S110 PUT /operator/catalogue → 403, GET /operator/catalogue/changes → 200, GET /operator/catalogue/changes → 400: CATALOGUE alone applies; each change is noted with before and after, a dry run changes and notes nothing, a second time nothing is left', async () => {
  expectError(await put(NEW_METHOD, { token: fred }), 403, 'OPERATION_NOT_PERMITTED')
  const before = await whole()
  const dry = expectSuccess(await put(NEW_METHOD, { query: '?dryRun=true' }), 200)
  assert.equal(await whole(), before)
  assert.deepEqual(at(expectSuccess(await get('support', 'catalogue/changes'), 200), 'data'), [])
  const applied = expectSuccess(await put(NEW_METHOD), 200)
  assert.deepEqual(at(applied, 'changes'), at(dry, 'changes'))
  assert.deepEqual(
    listAt(applied, 'changes').map((each) => `${textAt(each, 'action')} ${textAt(each, 'item')}`),
    ['ADD CHF', 'ADD GIRO', 'ADD GIRO PAYIN CHF *', 'ADD GIRO PAYIN * * CHF'],
  )
  assert.deepEqual(at(expectSuccess(await put(NEW_METHOD), 200), 'changes'), [])
  const wider = NEW_METHOD.replace('1000.00', '2000')
  const widened = expectSuccess(await put(wider), 200)
  assert.deepEqual(at(widened, 'changes', 0, 'fields'), [{ field: 'max', before: '1000', after: '2000' }])
  const noted = expectSuccess(await get('auditor', 'catalogue/changes?limit=1'), 200)
  assert.deepEqual(
    ['operatorCode', 'section', 'item'].map((name) => at(noted, 'data', 0, name)),
    ['carl', 'limits', 'GIRO PAYIN CHF *'],
  )
  assert.deepEqual(
    ['before', 'after'].map((name) => at(noted, 'data', 0, name, 'max')),
    ['1000', '2000'],
  )
  expectError(await get('auditor', 'catalogue/changes?cursor=zzz'), 400, 'ATTRIBUTE_VALUE_INVALID')
  // A list inside a method replaces what it had; one that is left out stays.
  const emptied = expectSuccess(await put(wider.replace(/ {4}fees:.*/s, '    fees: []\n')), 200)
  assert.deepEqual(
    listAt(emptied, 'changes').map((each) => [at(each, 'action'), at(each, 'section')]),
    [['REMOVE', 'fees']],
  )
  for (const statement of [
    'delete from catalogue_changes',
    `update catalogue_changes set operator_code = 'susi'`,
  ])
    await assert.rejects(sql(statement), /stays as it was noted/)
})

test('S110 PUT /operator/catalogue → 200: two documents at once are applied one after the other, each change noted once', async () => {
  const named = (name: string): string => `segments:\n  - { code: AT_ONCE, name: ${name} }\n`
  const names = ['one', 'two', 'three', 'four', 'five']
  const answers = await Promise.all(names.map((name) => put(named(name))))
  const actions = answers.map((answer) => at(expectSuccess(answer, 200), 'changes', 0, 'action'))
  assert.deepEqual(actions.toSorted(), ['ADD', 'CHANGE', 'CHANGE', 'CHANGE', 'CHANGE'])
  const noted = await sql(
    `select before->>'name' as before, after->>'name' as after from catalogue_changes where item = 'AT_ONCE' order by change_no`,
  )
  // Each began with what the one before it had left.
  for (const [index, row] of noted.entries()) assert.equal(row['before'], noted[index - 1]?.['after'] ?? null)
  assert.deepEqual(noted.map((row) => row['after']).toSorted(), names.toSorted())
})

test('S111 PUT /operator/catalogue → 400: every fault is told with its line, and nothing is changed', async () => {
  const before = await whole()
  const bad = `currencies:
  - { code: EUR, name: Euro, minorUnits: 3 }
  - { code: ZZZ, nmae: Zet, minorUnits: two }
payoutRules: []
methods:
  - code: GIRO
    name: Giro
    flow: TELEPATHY
`
  assert.deepEqual(faultsOf(await put(bad)), [
    'line 4: "payoutRules" is not known here. There are: currencies, segments, paymentOperators, methods.',
    'line 3: currencies[1]: "nmae" is not known here. There are: code, name, type, minorUnits, enabled.',
    'line 3: currencies[1].name: is missing.',
    'line 3: currencies[1].minorUnits: must be a whole number from 0 to 18.',
    'line 8: methods[0].flow: must be one of REDIRECT, INSTRUCTIONS, QR, REFERENCE.',
    'line 6: methods[0].rail: is missing.',
    'line 6: methods[0].expiresAfterSeconds: is missing.',
  ])
  const impossible = NEW_METHOD.replace('minorUnits: 2', 'minorUnits: 3')
    .replace('bank-transfer', 'carrier-pigeon')
    .replace('min: 0.10, max: 1000.00', 'min: 9.00001, max: 3, segmentCode: NOBODYS')
    .replace('1.25', '101')
  const told = faultsOf(await put(impossible)).join('\n')
  for (const expected of [
    /line 2: currencies\[0\]\.minorUnits: It is 2 and stays so/,
    /line 7: methods\[0\]\.rail: There is no rail carrier-pigeon\. There are: .*bank-transfer/,
    /line 10: methods\[0\]\.limits\[0\]\.segmentCode: There is no NOBODYS\. There are: .*VIP/,
    /line 10: methods\[0\]\.limits\[0\]\.min: 9\.00001 has too many decimals: CHF has 3/,
    /line 10: methods\[0\]\.limits\[0\]\.max: It is less than min, 9\.00001/,
    /line 12: methods\[0\]\.fees\[0\]\.percentage: It must be at most 100/,
  ])
    assert.match(told, expected)
  assert.equal(await whole(), before)
  await assert.rejects(
    gateway.cli('catalogue', 'apply', '-').then(({ code, stderr }) => assert.equal(code, 0, stderr)),
    'an empty document is none',
  )
})

test('S113 GET /operator/catalogue/explain → 200, GET /operator/catalogue/explain → 400, GET /operator/catalogue/explain → 410: rule by rule, for readers of the catalogue alone', async () => {
  const explain = (query: string): Promise<RawResponse> => get('support', `catalogue/explain?${query}`)
  const answer = expectSuccess(
    await explain('merchantCode=DEMO&amount=10000000&currencyCode=EUR&segmentCode=NEW'),
    200,
  )
  const rulesOf = (methodCode: string): readonly unknown[] => {
    const method = listAt(answer, 'methods').find((each) => at(each, 'paymentMethodCode') === methodCode)
    return listAt(method, 'rules').map((each) => `${textAt(each, 'rule')} ${textAt(each, 'verdict')}`)
  }
  assert.deepEqual(rulesOf('BANK_TRANSFER').slice(3, 7), [
    'SEGMENT PASSED',
    'CURRENCY PASSED',
    'AMOUNT FAILED',
    'CARRIER NOT_JUDGED',
  ])
  // No merchant has it, and it does not take EUR.
  assert.deepEqual(rulesOf('GIRO').slice(0, 5), [
    'CATALOGUE PASSED',
    'MERCHANT FAILED',
    'DIRECTION PASSED',
    'SEGMENT PASSED',
    'CURRENCY FAILED',
  ])
  assert.deepEqual(rulesOf('CRYPTO').slice(3, 5), ['SEGMENT FAILED', 'CURRENCY FAILED'])
  const options = await gateway.send({
    method: 'POST',
    path: '/payins/!availablePaymentOptions',
    token: await gateway.demo().token('POST /payins/.*'),
    body: { money: { amount: 100, currencyCode: 'EUR' } },
  })
  const small = expectSuccess(await explain('merchantCode=DEMO&amount=100&currencyCode=EUR'), 200)
  assert.deepEqual(
    listAt(small, 'methods')
      .filter((each) => at(each, 'isOffered') === true)
      .map((each) => at(each, 'paymentMethodCode')),
    listAt(expectSuccess(options, 200), 'data').map((each) => at(each, 'paymentMethodCode')),
  )
  const unknown = expectSuccess(await explain('merchantCode=DEMO&amount=1&currencyCode=ZZZ'), 200)
  assert.deepEqual(at(unknown, 'reasons', 0, 'code'), 'CURRENCY_NOT_SUPPORTED')
  const { stdout } = await gateway.cli('catalogue', 'explain', 'DEMO', '100', 'EUR')
  assert.match(stdout, /^GIRO +no +CATALOGUE +ok/m)
  expectError(await explain('merchantCode=NOBODY&amount=1&currencyCode=EUR'), 410, 'ENTITY_NOT_FOUND')
  expectError(await explain('merchantCode=DEMO&amount=0&currencyCode=EUR'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const path = '/operator/catalogue/explain?merchantCode=DEMO&amount=1&currencyCode=EUR'
  const byAdmin = await gateway.sendToOperators({ method: 'GET', path, token: await keyOf('adam', 'ADMIN') })
  expectError(byAdmin, 403, 'OPERATION_NOT_PERMITTED')
})

/** What grows or hangs where a parser is careless; each is answered at once. */
const HOSTILE: Readonly<Record<string, readonly [document: string, told: RegExp]>> = {
  'aliases that grow': [
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\ncurrencies: [*b,*b,*b]\n`,
    /must be a mapping/,
  ],
  'a list in lists': [`currencies: ${'['.repeat(100_000)}`, /line 1/],
  'a key that is there twice': ['segments: []\nsegments: []\n', /line 2: segments is there twice/],
  'a row that is there twice': [
    'segments:\n  - { code: A, name: A }\n  - { code: A, name: B }\n',
    /line 3: segments\[1\]: A is there twice: line 2 has it, too/,
  ],
  'two documents': ['segments: []\n---\nsegments: []\n', /line \d/],
  'a tag of a language': ['segments: !!js/function "x"\n', /line 1/],
  'a key of prototypes': ['__proto__: { code: A }\n', /"__proto__" is not known here/],
  'no text': ['\u0000\u0001', /line 1/],
  nothing: ['# nothing\n', /must be a mapping with/],
}

for (const [name, [document, told]] of Object.entries(HOSTILE))
  test(`S112 PUT /operator/catalogue → 400: ${name}`, async () => {
    assert.match(faultsOf(await put(document)).join('\n'), told)
  })

test('S114 PUT /operator/catalogue → 400: while documents are read that take the parser long, the API answers, and the faults told are few', async () => {
  const document = `currencies:\n${'] '.repeat(40_000)}`
  let answered = 0
  const reading = { isOver: false }
  const told = put(document).finally(() => {
    reading.isOver = true
  })
  for (; !reading.isOver; answered += 1) expectSuccess(await get('auditor', 'catalogue/changes?limit=1'), 200)
  const faults = faultsOf(await told)
  assert.ok(faults.length <= 100, `${faults.length} of 40,000 faults were told`)
  assert.ok(answered > 5, `${answered} calls were answered meanwhile`)
})

test('S112 PUT /operator/catalogue → 400: a document of more than half a megabyte, or one that is no file', async () => {
  expectError(await put(`# ${'x'.repeat(600_000)}`), 400, 'BODY_INVALID')
  const asJson = await gateway.sendToOperators({
    method: 'PUT',
    path: '/operator/catalogue',
    token: carl,
    body: {},
  })
  expectError(asJson, 400, 'BODY_INVALID')
})
