import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, type SoftwareAuthenticator, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess, violatedFields } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { addMerchant, newKeyPair } from '../support/merchant.ts'
import { operatorsOf } from '../support/operators.ts'
import { newDevice, openedBy, passkeysAt } from '../support/passkeys.ts'
import { createPayin, newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'
import { OPERATOR_BODIES } from './support/operator-bodies.ts'
import { SIGN_IN_ROUTES } from './support/routes.ts'

// People of merchants at the operator API: nothing of another merchant, nothing of the house, and no way to become more.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl, settings: { TOLLGATE_TRUST_PROXY: 'loopback' } })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  olga: ['olga', 'AUDITOR'],
  sue: ['sue', 'SUPPORT'],
  anna: ['anna', 'APPROVER'],
})
const people = passkeysAt(gateway)
const other = await addMerchant(gateway, 'OTHER')
await gateway.cli('merchants', 'enable-method', 'OTHER', 'all')

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

interface Person {
  readonly device: SoftwareAuthenticator
  readonly session: string
  get(path: string): Promise<RawResponse>
  /** With a fresh touch. */
  touched(method: Method, path: string, body?: unknown): Promise<RawResponse>
}

async function personOf(secret: string): Promise<Person> {
  const device = newDevice()
  expectSuccess(await people.register(secret, device), 201)
  const { secret: session } = openedBy(await people.signIn(device))
  return {
    device,
    session,
    get: (path) => people.ask(session, { method: 'GET', path }),
    async touched(method, path, body) {
      const [bare = ''] = path.split('?')
      const step = await people.stepUp(session, device, { method, path: `/operator/${bare}` })
      const touch = textAt(expectSuccess(step, 201), 'secret')
      const headers = { 'X-Step-Up': touch }
      return people.ask(session, { method, path, headers, ...(body !== undefined && { body }) })
    },
  }
}

async function invited(merchantCode: string, person: string, role: 'ADMIN' | 'STAFF'): Promise<string> {
  const body = { person, name: `Person ${person}`, role }
  const made = await operators.post('adam', `merchants/${merchantCode}/people`, body)
  return textAt(expectSuccess(made, 201), 'secret')
}

const lea = await personOf(await invited('DEMO', 'lea', 'ADMIN'))
const sam = await personOf(await invited('DEMO', 'sam', 'STAFF'))
const otto = await personOf(await invited('OTHER', 'otto', 'ADMIN'))

const demoToken = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*', ...PAYOUT_OPERATIONS)
const otherToken = await other.token('POST /payins/.*', 'GET /payins/.*', 'POST /customers/.*')
const [OWN, THEIRS, BOTH, NOBODYS] = [newId(), newId(), newId(), newId()]
for (const id of [OWN, BOTH]) await createPayin(gateway, demoToken, { id, email: 'success@sandbox.test' })
for (const id of [THEIRS, BOTH]) await createPayin(gateway, otherToken, { id, email: 'success@sandbox.test' })
expectSuccess(
  await gateway.send({ method: 'POST', path: '/customers/C-OTHER', token: otherToken, body: {} }),
  201,
)

/** The newest callback of a merchant, when there is one. */
async function callbackOf(merchantCode: string): Promise<string> {
  let eventId = ''
  await waitUntil(
    async () => {
      const list = await operators.get('olga', `callbacks?merchantCode=${merchantCode}`)
      const [first] = listAt(expectSuccess(list, 200), 'data')
      if (first !== undefined) eventId = textAt(first, 'eventId')
      return first !== undefined
    },
    { timeoutMs: 60_000, what: `a callback of ${merchantCode}` },
  )
  return eventId
}

/** What merchants' people may ask for, as somebody would write it down who decides about it. What is not here is refused. */
const OPEN: Readonly<Record<string, 'SELF' | 'MERCHANT' | 'QUERY' | 'ID'>> = {
  'GET /operator/me': 'SELF',
  'GET /operator/sessions': 'SELF',
  'DELETE /operator/sessions/{sessionId}': 'SELF',
  'GET /operator/passkeys': 'SELF',
  'DELETE /operator/passkeys/{passkeyId}': 'SELF',
  'POST /operator/passkeys/!begin': 'SELF',
  'POST /operator/passkeys/!finish': 'SELF',
  'POST /operator/step-ups/!begin': 'SELF',
  'POST /operator/step-ups/!finish': 'SELF',
  'GET /operator/payments': 'QUERY',
  'GET /operator/payments/export': 'QUERY',
  'GET /operator/callbacks': 'QUERY',
  'GET /operator/balances': 'QUERY',
  'POST /operator/callbacks/{eventId}/!resend': 'ID',
  'GET /operator/payins/{merchantCode}/{idPayin}': 'MERCHANT',
  'GET /operator/payouts/{merchantCode}/{idPayout}': 'MERCHANT',
  'GET /operator/topups/{merchantCode}/{idTopUp}': 'MERCHANT',
  'GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history': 'MERCHANT',
  'GET /operator/settlements/{merchantCode}': 'MERCHANT',
  'GET /operator/settlements/{merchantCode}/{idSettlement}': 'MERCHANT',
  'GET /operator/settlements/{merchantCode}/{idSettlement}/transactions': 'MERCHANT',
  'GET /operator/settlement-terms/{merchantCode}': 'MERCHANT',
  'GET /operator/customers/{merchantCode}': 'MERCHANT',
  'GET /operator/customers/{merchantCode}/{idCustomer}': 'MERCHANT',
  'GET /operator/merchants/{merchantCode}': 'MERCHANT',
  'POST /operator/merchants/{merchantCode}/keys': 'MERCHANT',
  'DELETE /operator/merchants/{merchantCode}/keys/{keyId}': 'MERCHANT',
  'GET /operator/merchants/{merchantCode}/people': 'MERCHANT',
  'POST /operator/merchants/{merchantCode}/people': 'MERCHANT',
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite': 'MERCHANT',
  'PUT /operator/merchants/{merchantCode}/people/{operatorCode}/role': 'MERCHANT',
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!enable': 'MERCHANT',
  'POST /operator/merchants/{merchantCode}/people/{operatorCode}/!disable': 'MERCHANT',
}
/** Of these, what takes an ADMIN of the merchant. */
const OF_ADMINS = Object.keys(OPEN).filter((each) => /\/keys|^(?:POST|PUT) .*\/people/.test(each))

const description = (await gateway.sendToOperators({ method: 'GET', path: '/openapi.json' })).body

/** Every route that the operator API says it has. */
function operations(): readonly string[] {
  const paths: unknown = at(description, 'paths')
  assert.ok(typeof paths === 'object' && paths !== null)
  return Object.entries(paths)
    .flatMap(([path, item]) => Object.keys(Object(item)).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((operation) => /^(?:GET|POST|PUT|DELETE|PATCH|HEAD) /.test(operation))
}

const PLACES: Readonly<Record<string, string>> = {
  idPayin: OWN,
  idPayment: OWN,
  kind: 'PAYIN',
  idPayout: OWN,
  idTopUp: OWN,
  eventId: newId(),
  operatorCode: 'sam@DEMO',
  keyId: 'key_NONE',
  sessionId: 'ses_NONE',
  passkeyId: 'pk_NONE',
  confirmationId: '1',
  lineId: '1',
  notificationNo: '1',
  reportId: '1',
  fileId: '1',
  number: '1',
  currencyCode: 'EUR',
  direction: 'PAYIN',
  methodCode: 'BANK_TRANSFER',
  type: 'OPERATOR',
  code: 'SANDBOX',
  idSettlement: 'S-NONE',
  idCustomer: 'C-NONE',
  documentId: '1',
  secretId: 'sec_NONE',
}

async function send(session: string, operation: string, merchantCode: string): Promise<RawResponse> {
  const [method = 'GET', template = ''] = operation.split(' ')
  const path = template
    .replace('/operator/', '')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      name === 'merchantCode' ? merchantCode : (PLACES[name] ?? 'NONE'),
    )
  const body = OPERATOR_BODIES[operation]
  assert.ok(method === 'GET' || method === 'POST' || method === 'PUT' || method === 'DELETE')
  return people.ask(session, { method, path, ...(body !== undefined && { body }) })
}

/** Whatever a route answers to ids and bodies of nobody. */
const WORKS = /^(?:200|400|401|409|410|403 STEP_UP_REQUIRED)/
const REFUSED = /^403 OPERATION_NOT_PERMITTED$/

test('K70 every route of the operator API refuses a merchant’s person, but those of the table', async () => {
  const all = operations().filter((each) => !SIGN_IN_ROUTES.includes(each))
  assert.ok(all.length > 120, String(all.length))
  assert.deepEqual(
    Object.keys(OPEN).filter((each) => !all.includes(each)),
    [],
  )
  const judge = async ({ session }: Person, isAdmin: boolean): Promise<readonly string[]> => {
    const wrong: string[] = []
    for (const operation of all) {
      // What it does is seen in K74.
      if (operation.endsWith('/!disable') && operation in OPEN) continue
      const isOpen = operation in OPEN && (isAdmin || !OF_ADMINS.includes(operation))
      const answer = await send(session, operation, 'DEMO')
      if (!(isOpen ? WORKS : REFUSED).test(`${answer.status} ${String(at(answer.body, 'code'))}`))
        wrong.push(`${operation}: ${answer.status} ${answer.text}`)
    }
    return wrong
  }
  const wrong = (await Promise.all([judge(lea, true), judge(sam, false)])).flat()
  assert.deepEqual(wrong, [])
})

test('K70 an invitation registers a passkey and opens nothing else', async () => {
  const secret = await invited('DEMO', 'ida', 'ADMIN')
  for (const operation of Object.keys(OPEN)) {
    if (operation.includes('passkeys/!')) continue
    expectError(await send(secret, operation, 'DEMO'), 401, 'TOKEN_INVALID')
  }
  const link = await send(secret, 'POST /operator/identities/!begin', 'DEMO')
  expectError(link, 403, 'OPERATION_NOT_PERMITTED')
})

test('K71 another merchant is answered exactly as one that there is not, whatever the route and the id', async () => {
  for (const [operation, bound] of Object.entries(OPEN)) {
    if (bound !== 'MERCHANT') continue
    const [theirs, nobodys] = [
      await send(lea.session, operation, 'OTHER'),
      await send(lea.session, operation, 'NOBODY'),
    ]
    expectError(theirs, 410, 'ENTITY_NOT_FOUND')
    assert.equal(theirs.status, nobodys.status, operation)
    assert.equal(
      textAt(theirs.body, 'message').replaceAll('OTHER', 'NOBODY'),
      textAt(nobodys.body, 'message'),
      operation,
    )
  }
  // The right merchant with ids of the other one: as ids that nobody has.
  for (const [path, none] of [
    [`payins/DEMO/${THEIRS}`, `payins/DEMO/${NOBODYS}`],
    [`payments/PAYIN/DEMO/${THEIRS}/history`, `payments/PAYIN/DEMO/${NOBODYS}/history`],
    ['customers/DEMO/C-OTHER', 'customers/DEMO/C-NONE'],
  ] as const) {
    const [theirs, nobodys] = [await lea.get(path), await lea.get(none)]
    expectError(theirs, 410, 'ENTITY_NOT_FOUND')
    assert.equal(nobodys.status, 410)
    const plain = (text: string) => text.replaceAll(/C-\w+|[0-9a-f-]{36}/g, '')
    assert.equal(plain(textAt(theirs.body, 'message')), plain(textAt(nobodys.body, 'message')))
  }
  // The same letters in another writing are another merchant.
  for (const code of ['demo', 'DEMO%20', 'Demo', '%44EMO2'])
    expectError(await lea.get(`merchants/${code}`), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await lea.get('merchants/%44EMO'), 200)
})

test('K72 no filter and no file shows a payment, callback or balance of another merchant', async () => {
  await callbackOf('OTHER')
  const reference = async (code: string, id: string): Promise<string> =>
    textAt(expectSuccess(await operators.get('olga', `payins/${code}/${id}`), 200), 'reference')
  const theirReference = await reference('OTHER', THEIRS)
  const from = 'createdFrom=2020-01-01T00:00:00Z'
  const soon = new Date(Date.now() - 86_400_000).toISOString().replace(/\.\d+Z/, 'Z')
  for (const query of [
    `idPayment=${THEIRS}`,
    `reference=${encodeURIComponent(theirReference)}`,
    'idCustomer=C-OTHER',
    `${from}&idPayment=${THEIRS}`,
  ])
    assert.deepEqual(listAt(expectSuccess(await lea.get(`payments?${query}`), 200), 'data'), [], query)
  const both = listAt(expectSuccess(await lea.get(`payments?idPayment=${BOTH}`), 200), 'data')
  assert.deepEqual(
    both.map((each) => at(each, 'merchantCode')),
    ['DEMO'],
  )
  const lists = [`payments?createdFrom=${soon}&limit=100`, 'callbacks?limit=100', 'balances?limit=100']
  for (const path of lists) {
    const codes = listAt(expectSuccess(await lea.get(path), 200), 'data').map((each) =>
      at(each, 'merchantCode'),
    )
    if (!path.startsWith('balances')) assert.ok(codes.length > 0, path)
    assert.deepEqual(new Set(codes), codes.length > 0 ? new Set(['DEMO']) : new Set(), path)
    // A filter for another one is refused, as for one that there is not; twice the name is no way around it.
    expectError(await lea.get(`${path}&merchantCode=OTHER`), 410, 'ENTITY_NOT_FOUND')
    expectError(await lea.get(`${path}&merchantCode=NOBODY`), 410, 'ENTITY_NOT_FOUND')
    for (const more of ['merchantCode=DEMO&merchantCode=OTHER', 'merchantCode=OTHER&merchantCode=DEMO'])
      assert.ok([400, 410].includes((await lea.get(`${path}&${more}`)).status), more)
    assert.equal((await lea.get(`${path}&merchantCode=DEMO`)).status, 200)
  }
  // A cursor of the other merchant's list is a place, and no key.
  const page = await otto.get(`payments?createdFrom=${soon}&limit=1`)
  const cursor = textAt(expectSuccess(page, 200), 'nextCursor')
  const behind = await lea.get(`payments?createdFrom=${soon}&limit=100&cursor=${encodeURIComponent(cursor)}`)
  for (const each of listAt(expectSuccess(behind, 200), 'data'))
    assert.equal(at(each, 'merchantCode'), 'DEMO')
  for (const format of ['csv', 'jsonl']) {
    const file = await lea.get(`payments/export?createdFrom=${soon}&format=${format}`)
    assert.equal(file.status, 200)
    assert.ok(file.text.includes(OWN), format)
    assert.ok(!file.text.includes('OTHER') && !file.text.includes(THEIRS), format)
    expectError(
      await lea.get(`payments/export?createdFrom=${soon}&format=${format}&merchantCode=OTHER`),
      410,
      'ENTITY_NOT_FOUND',
    )
  }
})

test('K72 a callback of another merchant is not sent again, and is answered as one that there is not', async () => {
  const [theirs, own, none] = [await callbackOf('OTHER'), await callbackOf('DEMO'), newId()]
  const state = () =>
    runSql(databaseUrl, 'select attempts_max, state from callback_events where event_id = $1', [theirs])
  const resend = (session: string, eventId: string) =>
    people.ask(session, { method: 'POST', path: `callbacks/${eventId}/!resend` })
  const before = await state()
  const [refused, unknown] = [await resend(lea.session, theirs), await resend(lea.session, none)]
  expectError(refused, 410, 'ENTITY_NOT_FOUND')
  assert.equal(
    textAt(refused.body, 'message').replace(theirs, ''),
    textAt(unknown.body, 'message').replace(none, ''),
  )
  assert.deepEqual((await state())[0]?.['attempts_max'], before[0]?.['attempts_max'])
  // An attempt may be under way at this moment.
  assert.ok([200, 409].includes((await resend(sam.session, own)).status))
})

test('K73 nothing of the house is in what they read: no operator, rail, reason, evidence or ledger', async () => {
  await fundBalance(gateway, demoToken, { id: newId(), amount: '100' })
  const id = newId()
  const rule = { amountFrom: '1', newBeneficiary: true }
  expectSuccess(await operators.put('adam', 'payout-rules/DEMO/EUR', rule), 200)
  await createPayout(gateway, demoToken, { id })
  const reason = 'looks like the fraud ring of May'
  expectSuccess(await operators.post('sue', `payments/PAYOUT/DEMO/${id}/!hold`, { reason }), 200)
  const house = await operators.get('olga', `payments/PAYOUT/DEMO/${id}/history`)
  const HOUSE = /sue|adam|anna|fraud|sandbox|evidence|CLEARING|BOOKING|DECISION|"HOLD"|actor|"by"|rail/
  assert.match(house.text, /sue/)
  assert.match(house.text, /fraud/)
  const paths = [
    `payouts/DEMO/${id}`,
    `payments/PAYOUT/DEMO/${id}/history`,
    `payins/DEMO/${OWN}`,
    `payments/PAYIN/DEMO/${OWN}/history`,
    `payments?idPayment=${id}`,
    'settlements/DEMO',
    'settlement-terms/DEMO',
    'customers/DEMO',
    'merchants/DEMO',
    'passkeys',
    'sessions',
    'me',
    'merchants/DEMO/people',
    'balances',
  ]
  for (const path of paths) {
    const answer = await lea.get(path)
    expectSuccess(answer, 200)
    const said = answer.text.replaceAll('sandbox.test', '').replaceAll('isHalf', '')
    assert.doesNotMatch(said, HOUSE, path)
  }
  const history = listAt(expectSuccess(await lea.get(`payments/PAYIN/DEMO/${OWN}/history`), 200), 'data')
  assert.ok(history.some((event) => at(event, 'what') === 'STATUS'))
  for (const event of history) assert.match(textAt(event, 'what'), /^(?:STATUS|CALLBACK|ATTEMPT|REFUND)$/)
})

test('K74 who is removed, and everybody of a merchant that is closed, is out from the next request on', async () => {
  const max = await personOf(await invited('DEMO', 'max', 'STAFF'))
  expectSuccess(await max.get('me'), 200)
  const late = await invited('DEMO', 'eva', 'STAFF')
  // A brake: no touch stands before it.
  const press = (code: string) =>
    people.ask(lea.session, { method: 'POST', path: `merchants/DEMO/people/${code}/!disable` })
  expectSuccess(await press('max@DEMO'), 200)
  expectSuccess(await press('eva@DEMO'), 200)
  expectError(await max.get('me'), 401, 'TOKEN_INVALID')
  expectError(await people.signIn(max.device), 401, 'PASSKEY_INVALID')
  expectError(await people.register(late, newDevice()), 401, 'TOKEN_INVALID')
  // Enabling brings no session back.
  expectSuccess(await lea.touched('POST', 'merchants/DEMO/people/max@DEMO/!enable'), 200)
  expectError(await max.get('me'), 401, 'TOKEN_INVALID')

  const closed = await addMerchant(gateway, 'CLOSED')
  assert.ok(closed)
  const cleo = await personOf(await invited('CLOSED', 'cleo', 'ADMIN'))
  const open = await invited('CLOSED', 'curt', 'STAFF')
  expectSuccess(await cleo.get('me'), 200)
  expectSuccess(await operators.post('adam', 'merchants/CLOSED/!disable'), 200)
  expectError(await cleo.get('me'), 401, 'TOKEN_INVALID')
  expectError(await people.register(open, newDevice()), 403, 'OPERATION_NOT_PERMITTED')
  const again = openedBy(await people.signIn(cleo.device))
  for (const path of ['me', 'merchants/CLOSED', 'payments?idPayment=X', 'sessions'])
    expectError(await people.ask(again.secret, { method: 'GET', path }), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await operators.post('adam', 'merchants/CLOSED/!enable'), 200)
  expectError(await cleo.get('me'), 401, 'TOKEN_INVALID')
})

test('K75 a merchant’s administrator gives no role of the house, invites nobody elsewhere, and raises nobody but colleagues', async () => {
  const count = async () =>
    (
      await runSql(databaseUrl, 'select count(*)::int as n, sum(cardinality(roles))::int as r from operators')
    )[0]
  const before = await count()
  for (const role of ['FINANCE', 'APPROVER', 'AUDITOR', 'MERCHANT_ADMIN', ['ADMIN']]) {
    const body = { person: 'puppet', name: 'Puppet', role }
    const answer = await lea.touched('POST', 'merchants/DEMO/people', body)
    expectError(answer, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.deepEqual(violatedFields(answer), ['role'])
  }
  for (const person of ['lea@OTHER', 'a@b', 'LEA', 'x/y', 'adam@'])
    expectError(
      await lea.touched('POST', 'merchants/DEMO/people', { person, name: 'P', role: 'STAFF' }),
      400,
      'ATTRIBUTE_VALUE_INVALID',
    )
  const wanted = { person: 'spy', name: 'Spy', role: 'STAFF' }
  expectError(await lea.touched('POST', 'merchants/OTHER/people', wanted), 410, 'ENTITY_NOT_FOUND')
  // Another merchant's person by the way of one's own merchant.
  for (const [method, act, body] of [
    ['POST', '!invite'],
    ['PUT', 'role', { role: 'ADMIN' }],
    ['POST', '!enable'],
    ['POST', '!disable'],
  ] as const) {
    const theirs = await lea.touched(method, `merchants/DEMO/people/otto@OTHER/${act}`, body)
    const nobodys = await lea.touched(method, `merchants/DEMO/people/nobody@OTHER/${act}`, body)
    expectError(theirs, 410, 'ENTITY_NOT_FOUND')
    assert.equal(textAt(theirs.body, 'message').replace('otto', 'nobody'), textAt(nobodys.body, 'message'))
    // Nobody changes their own account.
    expectError(
      await lea.touched(method, `merchants/DEMO/people/lea@DEMO/${act}`, body),
      403,
      'OPERATION_NOT_PERMITTED',
    )
    expectError(
      await sam.touched(method, `merchants/DEMO/people/sam@DEMO/${act}`, body),
      403,
      'OPERATION_NOT_PERMITTED',
    )
  }
  assert.deepEqual(await count(), before)
  expectSuccess(await otto.get('me'), 200)

  // Neither does the house make one of them its own.
  for (const path of ['operators/sam@DEMO/roles', 'operators/sam%40DEMO/roles'])
    assert.equal((await operators.put('adam', path, { roles: ['AUDITOR'] })).status, 400)
  await assert.rejects(gateway.cli('operators', 'add-key', 'sam@DEMO'))
  for (const change of [
    `roles = '{ADMIN}'`,
    `roles = '{AUDITOR}', merchant_code = null, member_role = null`,
    `merchant_code = 'OTHER'`,
  ])
    await assert.rejects(
      runSql(databaseUrl, `update operators set ${change} where operator_code = 'sam@DEMO'`),
      /check/,
    )
  // A key that somebody with the database makes for them opens nothing.
  const key = (await gateway.cli('operators', 'create', 'lender', '--role', 'ADMIN')).stdout.trim()
  await runSql(
    databaseUrl,
    `update operator_keys set operator_id = (select operator_id from operators where operator_code = 'sam@DEMO')
      where operator_id = (select operator_id from operators where operator_code = 'lender')`,
  )
  for (const path of ['me', 'merchants/DEMO', 'operators'])
    expectError(await people.ask(key, { method: 'GET', path }), 403, 'OPERATION_NOT_PERMITTED')
  // What may be done is done: a colleague becomes an administrator and staff again.
  for (const role of ['ADMIN', 'STAFF']) {
    expectSuccess(await lea.touched('PUT', 'merchants/DEMO/people/sam@DEMO/role', { role }), 200)
    assert.equal(at((await sam.get('me')).body, 'memberRole'), role)
  }
})

test('K76 a stolen session of a merchant’s administrator changes no key and invites nobody without a fresh touch', async () => {
  const { publicKey } = newKeyPair()
  const bare = (method: Method, path: string, body?: unknown) =>
    people.ask(lea.session, { method, path, ...(body !== undefined && { body }) })
  const added = { publicKey }
  for (const [method, path, body] of [
    ['POST', 'merchants/DEMO/keys', added],
    ['DELETE', 'merchants/DEMO/keys/key_NONE'],
    ['POST', 'merchants/DEMO/people', { person: 'thief', name: 'Thief', role: 'ADMIN' }],
    ['POST', 'merchants/DEMO/people/sam@DEMO/!invite'],
    ['PUT', 'merchants/DEMO/people/sam@DEMO/role', { role: 'ADMIN' }],
  ] as const)
    expectError(await bare(method, path, body), 403, 'STEP_UP_REQUIRED')
  const made = expectSuccess(await lea.touched('POST', 'merchants/DEMO/keys', added), 201)
  const keyId = textAt(made, 'keyId')
  expectError(await sam.touched('DELETE', `merchants/DEMO/keys/${keyId}`), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await otto.touched('DELETE', `merchants/OTHER/keys/${keyId}`), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await lea.touched('DELETE', `merchants/DEMO/keys/${keyId}`), 200)
})

test('K77 POST /operator/merchants/{merchantCode}/people → 409, GET /operator/merchants/{merchantCode}/people → 200: what they do is in the audit log with the person and the merchant', async () => {
  const wanted = { person: 'nora', name: 'Nora', role: 'STAFF' }
  expectSuccess(await lea.touched('POST', 'merchants/DEMO/people', wanted), 201)
  expectError(await lea.touched('POST', 'merchants/DEMO/people', wanted), 409, 'STATE_CONFLICT')
  const listed = listAt(expectSuccess(await lea.get('merchants/DEMO/people'), 200), 'data')
  const nora = listed.find((each) => at(each, 'operatorCode') === 'nora@DEMO')
  assert.equal(at(nora, 'passkeys'), 0)
  assert.ok(typeof at(nora, 'invitedUntil') === 'string')
  await people.ask(sam.session, { method: 'POST', path: `callbacks/${newId()}/!resend` })
  const acts = async (code: string) => {
    const query = `audit?limit=100&merchantCode=DEMO&operatorCode=${encodeURIComponent(code)}`
    return listAt(expectSuccess(await operators.get('olga', query), 200), 'data')
  }
  const [resent] = await acts('sam@DEMO')
  assert.equal(at(resent, 'act'), 'resendCallback')
  assert.equal(at(resent, 'merchantCode'), 'DEMO')
  const added = (await acts('lea@DEMO')).find(
    (each) => at(each, 'act') === 'addMember' && at(each, 'status') === 201,
  )
  assert.deepEqual(
    ['operatorCode', 'merchantCode', 'subject', 'means'].map((name) => at(added, name)),
    ['lea@DEMO', 'DEMO', 'nora', 'PASSKEY'],
  )
  assert.ok(JSON.stringify(at(added, 'changes')).includes('member_role'))
  assert.ok((await acts('lea@DEMO')).some((each) => at(each, 'act') === 'finishPasskeySession'))
})

test('GET /operator/merchants/{merchantCode}/people → 400, GET /operator/merchants/{merchantCode}/people → 410, POST /operator/merchants/{merchantCode}/people → 201, POST /operator/merchants/{merchantCode}/people → 400, POST /operator/merchants/{merchantCode}/people → 410, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite → 201, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite → 400, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite → 409, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!invite → 410, PUT /operator/merchants/{merchantCode}/people/{operatorCode}/role → 200, PUT /operator/merchants/{merchantCode}/people/{operatorCode}/role → 400, PUT /operator/merchants/{merchantCode}/people/{operatorCode}/role → 410, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!enable → 200, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!enable → 400, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!enable → 410, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!disable → 200, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!disable → 400, POST /operator/merchants/{merchantCode}/people/{operatorCode}/!disable → 410: an ADMIN of the house looks after the people of a merchant', async () => {
  const at410 = async (method: 'get' | 'post', path: string, body?: unknown) =>
    expectError(await operators[method]('adam', path, body), 410, 'ENTITY_NOT_FOUND')
  const pia = { person: 'pia', name: 'Pia', role: 'STAFF' }
  expectSuccess(await operators.post('adam', 'merchants/OTHER/people', pia), 201)
  await at410('get', 'merchants/NOBODY/people')
  await at410('post', 'merchants/NOBODY/people', pia)
  for (const path of ['merchants/no%20code/people', 'merchants/no%20code/people/x'])
    assert.ok([400, 404].includes((await operators.get('adam', path)).status), path)
  assert.equal((await operators.post('adam', 'merchants/OTHER/people', {})).status, 400)
  const acts = [
    ['!invite', 201],
    ['!disable', 200],
    ['!enable', 200],
  ] as const
  for (const [act, status] of acts) {
    const path = (code: string) => `merchants/OTHER/people/${code}/${act}`
    expectSuccess(await operators.post('adam', path('pia@OTHER')), status)
    await at410('post', path('nobody@OTHER'))
    await at410('post', path('lea@DEMO'))
    assert.equal((await operators.post('adam', path('adam'))).status, 400)
    if (act !== '!disable') continue
    const refused = await operators.post('adam', 'merchants/OTHER/people/pia@OTHER/!invite')
    expectError(refused, 409, 'STATE_CONFLICT')
  }
  const role = (code: string, body: unknown) =>
    operators.put('adam', `merchants/OTHER/people/${code}/role`, body)
  assert.equal(at(expectSuccess(await role('pia@OTHER', { role: 'ADMIN' }), 200), 'role'), 'ADMIN')
  assert.equal((await role('pia@OTHER', { role: 'FINANCE' })).status, 400)
  expectError(await role('lea@DEMO', { role: 'ADMIN' }), 410, 'ENTITY_NOT_FOUND')
  // The list of operators is that of the house.
  const house = expectSuccess(await operators.get('olga', 'operators'), 200)
  assert.ok(!listAt(house, 'data').some((each) => textAt(each, 'operatorCode').includes('@')))
})
