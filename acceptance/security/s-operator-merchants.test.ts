import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'

// Setting up merchants, our own accounts and operators by the operator API: who may, and what is told.

const gateway = await startGateway({ after })

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const keys = {
  auditor: await addOperator('olga', 'AUDITOR'),
  support: await addOperator('susi', 'SUPPORT'),
  finance: await addOperator('fred', 'FINANCE'),
  approver: await addOperator('anna', 'APPROVER'),
  catalogue: await addOperator('carl', 'CATALOGUE'),
  admin: await addOperator('adam', 'ADMIN'),
} as const
type Role = keyof typeof keys

/** An operator may ask twenty times a second; these tests ask faster. */
async function ask(role: Role, method: RawRequest['method'], path: string, body?: unknown) {
  for (;;) {
    const request = { method, path: `/operator/${path}`, token: keys[role] }
    const answer = await gateway.sendToOperators(
      typeof body === 'string'
        ? { ...request, rawBody: body, headers: { 'Content-Type': 'application/octet-stream' } }
        : { ...request, body },
    )
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}

const get = (role: Role, path: string): Promise<RawResponse> => ask(role, 'GET', path)
const post = (role: Role, path: string, body?: unknown): Promise<RawResponse> => ask(role, 'POST', path, body)
const put = (role: Role, path: string, body: unknown): Promise<RawResponse> => ask(role, 'PUT', path, body)
const remove = (role: Role, path: string): Promise<RawResponse> => ask(role, 'DELETE', path)

const publicKey = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#123456"/></svg>'

/** What an operator asked for, the newest first. */
async function trace(operatorCode: string, limit: number): Promise<readonly unknown[]> {
  const found = await get('auditor', `requests?operatorCode=${operatorCode}&limit=${limit}`)
  return listAt(expectSuccess(found, 200), 'data').map((each) => at(each, 'operation'))
}

expectSuccess(await post('admin', 'merchants', { merchantCode: 'SHOP', name: 'My Shop' }), 201)

test('POST /operator/merchants → 201, POST /operator/merchants → 400, POST /operator/merchants → 409, GET /operator/merchants → 200, GET /operator/merchants/{merchantCode} → 200: a merchant is made once', async () => {
  const made = expectSuccess(await post('admin', 'merchants', { merchantCode: 'FRESH' }), 201)
  assert.deepEqual([at(made, 'channel', 'name'), at(made, 'status')], ['FRESH', 'ACTIVE'])
  expectError(await post('admin', 'merchants', { merchantCode: 'FRESH' }), 409, 'STATE_CONFLICT')
  expectError(await post('admin', 'merchants', { merchantCode: 'a b' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await post('admin', 'merchants', { merchantCode: 'house' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  const codes = listAt(expectSuccess(await get('support', 'merchants'), 200), 'data')
  for (const code of ['DEMO', 'FRESH', 'SHOP'])
    assert.ok(codes.some((each) => at(each, 'merchantCode') === code))
  const shown = expectSuccess(await get('catalogue', 'merchants/FRESH'), 200)
  assert.deepEqual(at(shown, 'methods'), { PAYIN: [], PAYOUT: [], TOPUP: [] })
  assert.equal(listAt(shown, 'callbackPublicKeys').length, 1)
})

test('POST /operator/merchants/{merchantCode}/!change → 200, POST /operator/merchants/{merchantCode}/!disable → 200, POST /operator/merchants/{merchantCode}/!enable → 200: what is left out stays', async () => {
  const change = {
    rateLimitPerSecond: 77,
    secretEnabled: true,
    requireMoneyInTokens: true,
    callbackOrigins: [],
    returnOrigins: ['https://shop.example'],
    browserOrigins: ['https://shop.example'],
    segments: ['TRUSTED'],
    name: 'Their Shop',
    primaryColor: '#0b57d0',
  }
  expectSuccess(await post('admin', 'merchants/SHOP/!change', change), 200)
  const changed = expectSuccess(
    await post('admin', 'merchants/SHOP/!change', { callbackOrigins: null, segments: null }),
    200,
  )
  assert.deepEqual(
    ['rateLimitPerSecond', 'secretEnabled', 'callbackOrigins', 'returnOrigins', 'segments', 'channel'].map(
      (name) => at(changed, name),
    ),
    [
      77,
      true,
      undefined,
      ['https://shop.example'],
      undefined,
      { name: 'Their Shop', primaryColor: '#0b57d0' },
    ],
  )
  assert.equal(at(expectSuccess(await post('admin', 'merchants/SHOP/!disable'), 200), 'status'), 'DISABLED')
  assert.equal(at(expectSuccess(await post('admin', 'merchants/SHOP/!enable'), 200), 'status'), 'ACTIVE')
})

test('PUT /operator/merchants/{merchantCode}/logo → 200, DELETE /operator/merchants/{merchantCode}/logo → 200, PUT /operator/merchants/{merchantCode}/logo → 400, DELETE /operator/merchants/{merchantCode}/logo → 410, DELETE /operator/merchants/{merchantCode}/logo → 400: a picture that is one', async () => {
  const set = expectSuccess(await put('admin', 'merchants/SHOP/logo', SVG), 200)
  assert.deepEqual([at(set, 'mediaType'), at(set, 'width')], ['image/svg+xml', 64])
  expectError(await put('admin', 'merchants/SHOP/logo', 'no picture'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await put('admin', 'merchants/SHOP/logo', {}), 400, 'BODY_INVALID')
  expectSuccess(await remove('admin', 'merchants/SHOP/logo'), 200)
  expectError(await remove('admin', 'merchants/SHOP/logo'), 410, 'ENTITY_NOT_FOUND')
  expectError(await remove('admin', 'merchants/a.b/logo'), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /operator/merchants/{merchantCode}/keys → 201, POST /operator/merchants/{merchantCode}/keys → 400, POST /operator/merchants/{merchantCode}/keys → 409, DELETE /operator/merchants/{merchantCode}/keys/{keyId} → 200, DELETE /operator/merchants/{merchantCode}/keys/{keyId} → 410, POST /operator/merchants/{merchantCode}/secrets → 409, DELETE /operator/merchants/{merchantCode}/secrets/{secretId} → 200, DELETE /operator/merchants/{merchantCode}/secrets/{secretId} → 410: credentials come and go', async () => {
  const pem = publicKey()
  const key = expectSuccess(await post('admin', 'merchants/SHOP/keys', { publicKey: pem }), 201)
  expectError(await post('admin', 'merchants/DEMO/keys', { publicKey: pem }), 409, 'STATE_CONFLICT')
  expectError(await post('admin', 'merchants/SHOP/keys', { publicKey: 'x' }), 400, 'ATTRIBUTE_VALUE_INVALID')
  const path = `merchants/SHOP/keys/${textAt(key, 'keyId')}`
  expectSuccess(await remove('admin', path), 200)
  expectError(await remove('admin', path), 410, 'ENTITY_NOT_FOUND')
  const first = expectSuccess(await post('admin', 'merchants/SHOP/secrets'), 201)
  expectSuccess(await post('admin', 'merchants/SHOP/secrets'), 201)
  expectError(await post('admin', 'merchants/SHOP/secrets'), 409, 'STATE_CONFLICT')
  const secret = `merchants/SHOP/secrets/${textAt(first, 'secretId')}`
  expectSuccess(await remove('admin', secret), 200)
  expectError(await remove('admin', secret), 410, 'ENTITY_NOT_FOUND')
})

test('S107 POST /operator/tokens/!revoke → 200, POST /operator/tokens/!revoke → 400: only a whole token of ours is revoked, and it is kept nowhere', async () => {
  const token = await gateway.demo().token('GET /segments')
  const read = (): Promise<RawResponse> => gateway.send({ method: 'GET', path: '/segments', token })
  const cut = token.lastIndexOf('.') + 1
  const forged = `${token.slice(0, cut)}${token[cut] === 'A' ? 'B' : 'A'}${token.slice(cut + 1)}`
  for (const wrong of [forged, 'a.b.c', 'x'.repeat(40_000)]) {
    const refused = await post('admin', 'tokens/!revoke', { token: wrong })
    expectError(refused, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.equal(at(refused.body, 'violations', 0, 'field'), 'token')
    assert.ok(!refused.text.includes(wrong))
  }
  expectError(await post('support', 'tokens/!revoke', { token }), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await read(), 200)
  const revoked = expectSuccess(await post('admin', 'tokens/!revoke', { token }), 200)
  assert.deepEqual([at(revoked, 'merchantCode'), at(revoked, 'expired')], ['DEMO', false])
  await waitUntil(async () => (await read()).status === 401, { timeoutMs: 60_000, what: 'the token to end' })
  // Twice changes nothing.
  expectSuccess(await post('admin', 'tokens/!revoke', { token }), 200)
  const noted = await get('admin', 'requests?limit=100')
  assert.match(noted.text, /revokeToken/)
  assert.ok(!noted.text.includes(token))
  assert.ok(!readFileSync(join(gateway.dataDir, 'gateway.log'), 'utf8').includes(token.slice(cut)))
})

test('S100 POST /operator/merchants/{merchantCode}/secrets → 201, POST /operator/merchants/{merchantCode}/!rotate-callback-secret → 200, POST /operator/merchants/{merchantCode}/!rotate-callback-key → 200, POST /operator/operators → 201, POST /operator/operators/{operatorCode}/keys → 201, GET /operator/operators/{operatorCode} → 200: what was told once is told nowhere again', async () => {
  expectSuccess(await post('admin', 'merchants', { merchantCode: 'KEEPER' }), 201)
  const told = [
    textAt(expectSuccess(await post('admin', 'merchants/KEEPER/secrets'), 201), 'secret'),
    textAt(
      expectSuccess(await post('admin', 'merchants/KEEPER/!rotate-callback-secret'), 200),
      'callbackSecret',
    ),
    textAt(
      expectSuccess(await post('admin', 'operators', { operatorCode: 'kim', roles: ['AUDITOR'] }), 201),
      'key',
    ),
    textAt(expectSuccess(await post('admin', 'operators/kim/keys', { days: 30 }), 201), 'key'),
  ]
  const rotated = expectSuccess(await post('admin', 'merchants/KEEPER/!rotate-callback-key'), 200)
  assert.equal(listAt(rotated, 'callbackPublicKeys').length, 2)
  const places = ['merchants', 'merchants/KEEPER', 'operators', 'operators/kim', 'requests?limit=100']
  for (const path of places) {
    const answer = await get('admin', path)
    assert.equal(answer.status, 200, path)
    for (const secret of told)
      assert.ok(!answer.text.includes(secret), `${path} tells ${secret.slice(0, 6)}… again`)
  }
  // They are what they are said to be.
  const kim = await gateway.sendToOperators({ method: 'GET', path: '/operator/me', token: told[2] })
  assert.equal(at(expectSuccess(kim, 200), 'operatorCode'), 'kim')
})

test('POST /operator/merchants/{merchantCode}/!revoke-tokens → 200, POST /operator/merchants/{merchantCode}/!remove-callback-secret → 200, POST /operator/merchants/{merchantCode}/!remove-callback-secret → 410: what a merchant holds ends', async () => {
  const revoked = expectSuccess(await post('admin', 'merchants/SHOP/!revoke-tokens'), 200)
  assert.match(textAt(revoked, 'tokensNotBefore'), /^20/)
  expectSuccess(await post('admin', 'merchants/SHOP/!rotate-callback-secret'), 200)
  const without = expectSuccess(await post('admin', 'merchants/SHOP/!remove-callback-secret'), 200)
  assert.equal(at(without, 'callbackSecrets'), 0)
  expectError(await post('admin', 'merchants/SHOP/!remove-callback-secret'), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/merchants/{merchantCode} → 400, GET /operator/merchants/{merchantCode} → 410, POST /operator/merchants/{merchantCode}/!change → 400, POST /operator/merchants/{merchantCode}/!change → 410, POST /operator/merchants/{merchantCode}/!enable → 400, POST /operator/merchants/{merchantCode}/!enable → 410, POST /operator/merchants/{merchantCode}/!disable → 400, POST /operator/merchants/{merchantCode}/!disable → 410, PUT /operator/merchants/{merchantCode}/logo → 410, POST /operator/merchants/{merchantCode}/keys → 410, DELETE /operator/merchants/{merchantCode}/keys/{keyId} → 400, POST /operator/merchants/{merchantCode}/secrets → 400, POST /operator/merchants/{merchantCode}/secrets → 410, DELETE /operator/merchants/{merchantCode}/secrets/{secretId} → 400, POST /operator/merchants/{merchantCode}/!revoke-tokens → 400, POST /operator/merchants/{merchantCode}/!revoke-tokens → 410, POST /operator/merchants/{merchantCode}/!rotate-callback-key → 400, POST /operator/merchants/{merchantCode}/!rotate-callback-key → 410, POST /operator/merchants/{merchantCode}/!rotate-callback-secret → 400, POST /operator/merchants/{merchantCode}/!rotate-callback-secret → 410, POST /operator/merchants/{merchantCode}/!remove-callback-secret → 400: nobody and nothing', async () => {
  const verbs = [
    '!enable',
    '!disable',
    'secrets',
    '!revoke-tokens',
    '!rotate-callback-key',
    '!rotate-callback-secret',
    '!remove-callback-secret',
  ]
  for (const [merchant, status, code] of [
    ['a.b', 400, 'ATTRIBUTE_VALUE_INVALID'],
    ['NOBODY', 410, 'ENTITY_NOT_FOUND'],
  ] as const) {
    expectError(await get('admin', `merchants/${merchant}`), status, code)
    for (const verb of verbs) expectError(await post('admin', `merchants/${merchant}/${verb}`), status, code)
    const change = { rateLimitPerSecond: 5 }
    expectError(await post('admin', `merchants/${merchant}/!change`, change), status, code)
    expectError(await put('admin', `merchants/${merchant}/logo`, SVG), status, code)
    expectError(await post('admin', `merchants/${merchant}/keys`, { publicKey: publicKey() }), status, code)
  }
  expectError(await remove('admin', 'merchants/SHOP/keys/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await remove('admin', 'merchants/SHOP/secrets/a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const change = (body: unknown) => post('admin', 'merchants/SHOP/!change', body)
  expectError(await change({}), 400, 'BODY_INVALID')
  expectError(await change({ allowedOrigins: ['shop.example'] }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await change({ segments: ['NOBODY'] }), 410, 'ENTITY_NOT_FOUND')
  expectError(await change({ primaryColor: 'red' }), 400, 'ATTRIBUTE_VALUE_INVALID')
})

// Terms

test('POST /operator/merchants/{merchantCode}/methods/!enable → 200, POST /operator/merchants/{merchantCode}/methods/!disable → 200, PUT /operator/merchants/{merchantCode}/limits/{direction}/{methodCode}/{currencyCode} → 200, PUT /operator/fees → 200: what was agreed with a merchant', async () => {
  const methods = (action: string, body: unknown) =>
    post('catalogue', `merchants/SHOP/methods/!${action}`, body)
  const all = expectSuccess(await methods('enable', { methodCode: 'ALL' }), 200)
  assert.ok(listAt(all, 'methods', 'PAYOUT').includes('BANK_TRANSFER'))
  const without = expectSuccess(await methods('disable', { methodCode: 'ALL', direction: 'PAYOUT' }), 200)
  assert.deepEqual(at(without, 'methods', 'PAYOUT'), [])
  assert.deepEqual(at(without, 'methods', 'PAYIN'), at(all, 'methods', 'PAYIN'))
  const one = { methodCode: 'BANK_TRANSFER', direction: 'PAYOUT' }
  assert.deepEqual(at(expectSuccess(await methods('enable', one), 200), 'methods', 'PAYOUT'), [
    'BANK_TRANSFER',
  ])
  const payouts = expectSuccess(await methods('enable', { methodCode: 'ALL', direction: 'PAYOUT' }), 200)
  assert.deepEqual(at(payouts, 'methods', 'PAYOUT'), at(all, 'methods', 'PAYOUT'))
  const limit = 'merchants/SHOP/limits/PAYIN/BANK_TRANSFER/EUR'
  const set = expectSuccess(await put('catalogue', limit, { max: 100.5, dailyCountMax: 3 }), 200)
  assert.deepEqual([at(set, 'max'), at(set, 'dailyCountMax'), at(set, 'min')], ['100.5', 3, undefined])
  const fee = { methodCode: 'BANK_TRANSFER', currencyCode: 'EUR', fixed: 0.25 }
  expectSuccess(await put('catalogue', 'fees', { merchantCode: 'SHOP', ...fee }), 200)
  assert.equal(at(expectSuccess(await put('catalogue', 'fees', fee), 200), 'merchantCode'), undefined)
})

test('POST /operator/merchants/{merchantCode}/methods/!enable → 400, POST /operator/merchants/{merchantCode}/methods/!enable → 410, POST /operator/merchants/{merchantCode}/methods/!disable → 400, POST /operator/merchants/{merchantCode}/methods/!disable → 410, PUT /operator/merchants/{merchantCode}/limits/{direction}/{methodCode}/{currencyCode} → 400, PUT /operator/merchants/{merchantCode}/limits/{direction}/{methodCode}/{currencyCode} → 410, PUT /operator/fees → 400, PUT /operator/fees → 410: terms that cannot be', async () => {
  const one = { methodCode: 'BANK_TRANSFER' }
  for (const action of ['!enable', '!disable']) {
    const nothing = await post('catalogue', `merchants/SHOP/methods/${action}`, { methodCode: 'BARTER' })
    expectError(nothing, 400, 'ATTRIBUTE_VALUE_INVALID')
    expectError(await post('catalogue', `merchants/NOBODY/methods/${action}`, one), 410, 'ENTITY_NOT_FOUND')
  }
  const limit = (merchant: string, body: unknown) =>
    put('catalogue', `merchants/${merchant}/limits/PAYIN/BANK_TRANSFER/EUR`, body)
  expectError(await limit('SHOP', { max: 1.001 }), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await limit('NOBODY', { max: 1 }), 410, 'ENTITY_NOT_FOUND')
  const fee = { ...one, currencyCode: 'EUR', fixed: -1 }
  expectError(await put('catalogue', 'fees', fee), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await put('catalogue', 'fees', { ...fee, merchantCode: 'NOBODY' }), 410, 'ENTITY_NOT_FOUND')
})

test('S102 a merchant is changed by ADMIN and its terms by CATALOGUE alone; nothing changes by others, and what does has a trace', async () => {
  const before = (await get('auditor', 'merchants/SHOP')).text
  const fee = { methodCode: 'BANK_TRANSFER', currencyCode: 'EUR' }
  const forAdmin = (role: Role) => [
    () => post(role, 'merchants/SHOP/!disable'),
    () => post(role, 'merchants/SHOP/!change', { callbackOrigins: ['https://evil.example'] }),
    () => post(role, 'merchants/SHOP/keys', { publicKey: publicKey() }),
    () => post(role, 'merchants/SHOP/!rotate-callback-secret'),
  ]
  const forCatalogue = (role: Role) => [
    () => post(role, 'merchants/SHOP/methods/!disable', { methodCode: 'ALL' }),
    () => put(role, 'merchants/SHOP/limits/PAYIN/BANK_TRANSFER/EUR', {}),
    () => put(role, 'fees', { merchantCode: 'SHOP', ...fee }),
  ]
  for (const role of ['auditor', 'support', 'finance', 'approver', 'catalogue', 'admin'] as const) {
    const denied = [
      ...(role === 'admin' ? [] : forAdmin(role)),
      ...(role === 'catalogue' ? [] : forCatalogue(role)),
    ]
    for (const act of denied) expectError(await act(), 403, 'OPERATION_NOT_PERMITTED')
  }
  assert.equal((await get('auditor', 'merchants/SHOP')).text, before)
  expectSuccess(await post('admin', 'merchants/SHOP/!change', { rateLimitPerSecond: 5 }), 200)
  expectSuccess(await put('catalogue', 'fees', { merchantCode: 'SHOP', ...fee }), 200)
  assert.deepEqual(await trace('adam', 1), ['changeMerchant'])
  assert.deepEqual(await trace('carl', 1), ['setFee'])
})

// Our own accounts

const ACCOUNT = {
  code: 'HOUSE_EUR',
  currencyCode: 'EUR',
  holder: 'Shop GmbH',
  bankName: 'Bank of Example',
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'TGSBDE99',
}

test('S103 GET /operator/bank-accounts → 200, POST /operator/bank-accounts → 201, POST /operator/bank-accounts/{code}/!change → 200, POST /operator/bank-accounts/{code}/!retire → 200, POST /operator/bank-accounts/{code}/!change → 409, POST /operator/bank-accounts/{code}/!retire → 409: where customers pay to is changed by ADMIN alone, with a trace, and nothing is removed', async () => {
  for (const role of ['auditor', 'support', 'finance', 'approver', 'catalogue'] as const) {
    expectError(await post(role, 'bank-accounts', ACCOUNT), 403, 'OPERATION_NOT_PERMITTED')
    for (const act of ['!change', '!retire'])
      expectError(
        await post(role, `bank-accounts/SANDBOX_EUR/${act}`, { isDefault: true }),
        403,
        'OPERATION_NOT_PERMITTED',
      )
  }
  const added = expectSuccess(await post('admin', 'bank-accounts', { ...ACCOUNT, isDefault: true }), 201)
  assert.deepEqual(
    [at(added, 'iban'), at(added, 'isDefault'), at(added, 'payoutFormat')],
    ['DE89370400440532013000', true, 'pain.001.001.09'],
  )
  expectError(await post('admin', 'bank-accounts/HOUSE_EUR/!retire'), 409, 'STATE_CONFLICT')
  const back = expectSuccess(
    await post('admin', 'bank-accounts/SANDBOX_EUR/!change', { isDefault: true }),
    200,
  )
  assert.equal(at(back, 'isDefault'), true)
  const changed = expectSuccess(
    await post('admin', 'bank-accounts/HOUSE_EUR/!change', { payoutFormat: 'none' }),
    200,
  )
  assert.deepEqual([at(changed, 'isDefault'), at(changed, 'payoutFormat')], [false, undefined])
  expectSuccess(await post('admin', 'bank-accounts/HOUSE_EUR/!retire'), 200)
  const again = await post('admin', 'bank-accounts/HOUSE_EUR/!change', { isDefault: true })
  expectError(again, 409, 'STATE_CONFLICT')
  const codesOf = async (query: string) =>
    listAt(expectSuccess(await get('finance', `bank-accounts${query}`), 200), 'data').map((each) =>
      at(each, 'code'),
    )
  assert.ok(!(await codesOf('')).includes('HOUSE_EUR'))
  assert.ok((await codesOf('?all=true')).includes('HOUSE_EUR'))
  assert.deepEqual(await trace('adam', 3), ['changeBankAccount', 'retireBankAccount', 'changeBankAccount'])
})

test('GET /operator/bank-accounts → 400, POST /operator/bank-accounts → 400, POST /operator/bank-accounts → 409, POST /operator/bank-accounts → 410, POST /operator/bank-accounts/{code}/!change → 400, POST /operator/bank-accounts/{code}/!change → 410, POST /operator/bank-accounts/{code}/!retire → 400, POST /operator/bank-accounts/{code}/!retire → 410: accounts that cannot be', async () => {
  expectError(await get('finance', 'bank-accounts?all=yes'), 400, 'ATTRIBUTE_VALUE_INVALID')
  const wrong = { ...ACCOUNT, code: 'WRONG', iban: 'DE89370400440532013001' }
  expectError(await post('admin', 'bank-accounts', wrong), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await post('admin', 'bank-accounts', ACCOUNT), 409, 'STATE_CONFLICT')
  const nowhere = { ...ACCOUNT, code: 'NOWHERE', currencyCode: 'ZZZ' }
  expectError(await post('admin', 'bank-accounts', nowhere), 410, 'ENTITY_NOT_FOUND')
  for (const act of ['!change', '!retire']) {
    const body = { isDefault: true }
    expectError(await post('admin', `bank-accounts/no-code/${act}`, body), 400, 'ATTRIBUTE_VALUE_INVALID')
    expectError(await post('admin', `bank-accounts/NONE/${act}`, body), 410, 'ENTITY_NOT_FOUND')
  }
})

// Operators

test('S101 PUT /operator/operators/{operatorCode}/roles → 400, POST /operator/operators → 400: nobody changes their own roles, keys or status, and no ADMIN approves', async () => {
  const me = expectSuccess(await get('admin', 'operators/adam'), 200)
  const keyId = textAt(me, 'keys', 0, 'keyId')
  for (const act of [
    () => put('admin', 'operators/adam/roles', { roles: ['ADMIN', 'CATALOGUE'] }),
    () => put('admin', 'operators/adam/roles', { roles: ['APPROVER'] }),
    () => post('admin', 'operators/adam/keys', {}),
    () => remove('admin', `operators/adam/keys/${keyId}`),
    () => post('admin', 'operators/adam/!disable'),
    () => post('admin', 'operators/adam/!enable'),
  ])
    expectError(await act(), 403, 'OPERATION_NOT_PERMITTED')
  assert.deepEqual((await get('admin', 'operators/adam')).body, me)
  const both = { roles: ['ADMIN', 'APPROVER'] }
  expectError(await put('admin', 'operators/susi/roles', both), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(
    await post('admin', 'operators', { operatorCode: 'both', ...both }),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
  for (const role of ['auditor', 'support', 'finance', 'approver', 'catalogue'] as const) {
    const one = { operatorCode: 'friend', roles: ['APPROVER'] }
    expectError(await post(role, 'operators', one), 403, 'OPERATION_NOT_PERMITTED')
  }
})

test('GET /operator/operators → 200, PUT /operator/operators/{operatorCode}/roles → 200, POST /operator/operators/{operatorCode}/!disable → 200, POST /operator/operators/{operatorCode}/!enable → 200, DELETE /operator/operators/{operatorCode}/keys/{keyId} → 200, POST /operator/operators → 409, POST /operator/operators/{operatorCode}/keys → 409: an operator comes, changes and goes', async () => {
  const lena = { operatorCode: 'lena', name: 'Lena', roles: ['SUPPORT'] }
  const made = expectSuccess(await post('admin', 'operators', lena), 201)
  expectError(await post('admin', 'operators', lena), 409, 'STATE_CONFLICT')
  const me = () =>
    gateway.sendToOperators({ method: 'GET', path: '/operator/me', token: textAt(made, 'key') })
  expectSuccess(await put('admin', 'operators/lena/roles', { roles: ['FINANCE', 'SUPPORT'] }), 200)
  // One ADMIN made the key: it does not carry FINANCE.
  assert.deepEqual(at(expectSuccess(await me(), 200), 'roles'), ['SUPPORT'])
  assert.deepEqual(at(expectSuccess(await get('auditor', 'operators/lena'), 200), 'roles'), [
    'SUPPORT',
    'FINANCE',
  ])
  expectSuccess(await post('admin', 'operators/lena/!disable'), 200)
  expectError(await me(), 401, 'TOKEN_INVALID')
  expectSuccess(await post('admin', 'operators/lena/!enable'), 200)
  expectSuccess(await me(), 200)
  const further = expectSuccess(await post('admin', 'operators/lena/keys', {}), 201)
  assert.equal(at(further, 'expiresAt'), undefined)
  expectError(await post('admin', 'operators/lena/keys', {}), 409, 'STATE_CONFLICT')
  expectSuccess(await remove('admin', `operators/lena/keys/${textAt(made, 'keyId')}`), 200)
  expectError(await me(), 401, 'TOKEN_INVALID')
  const listed = listAt(expectSuccess(await get('auditor', 'operators'), 200), 'data')
  assert.equal(
    at(
      listed.find((each) => at(each, 'operatorCode') === 'lena'),
      'keys',
    ),
    1,
  )
})

test('GET /operator/operators/{operatorCode} → 400, GET /operator/operators/{operatorCode} → 410, POST /operator/operators/{operatorCode}/!enable → 400, POST /operator/operators/{operatorCode}/!enable → 410, POST /operator/operators/{operatorCode}/!disable → 400, POST /operator/operators/{operatorCode}/!disable → 410, PUT /operator/operators/{operatorCode}/roles → 410, POST /operator/operators/{operatorCode}/keys → 400, POST /operator/operators/{operatorCode}/keys → 410, DELETE /operator/operators/{operatorCode}/keys/{keyId} → 400, DELETE /operator/operators/{operatorCode}/keys/{keyId} → 410: operators that are not there', async () => {
  for (const [code, status, error] of [
    ['NO', 400, 'ATTRIBUTE_VALUE_INVALID'],
    ['nobody', 410, 'ENTITY_NOT_FOUND'],
  ] as const) {
    expectError(await get('admin', `operators/${code}`), status, error)
    for (const act of ['!enable', '!disable', 'keys'])
      expectError(await post('admin', `operators/${code}/${act}`, {}), status, error)
    expectError(await put('admin', `operators/${code}/roles`, { roles: ['AUDITOR'] }), status, error)
    expectError(await remove('admin', `operators/${code}/keys/key_X`), status, error)
  }
  expectError(await remove('admin', 'operators/susi/keys/key_X'), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/merchants → 200, GET /operator/merchants → 400: merchants by their codes, after one of them', async () => {
  const codes = async (query: string): Promise<readonly string[]> =>
    listAt(expectSuccess(await get('auditor', `merchants${query}`), 200), 'data').map((each) =>
      textAt(each, 'merchantCode'),
    )
  const all = await codes('')
  const [first = ''] = all
  assert.deepEqual(await codes(`?cursor=${Buffer.from(first).toString('base64url')}`), all.slice(1))
  const page = expectSuccess(await get('auditor', 'merchants?limit=1'), 200)
  assert.deepEqual([listAt(page, 'data').length, textAt(page, 'data', 0, 'merchantCode')], [1, first])
  assert.deepEqual(await codes(`?cursor=${textAt(page, 'nextCursor')}`), all.slice(1))
  const named = first.slice(1).toLowerCase()
  assert.deepEqual(
    await codes(`?name=${named}`),
    all.filter((code) => code.toLowerCase().includes(named)),
  )
  assert.deepEqual(await codes('?name=%25'), [])
  const [active, disabled] = [await codes('?status=ACTIVE'), await codes('?status=DISABLED')]
  assert.deepEqual([...active, ...disabled].toSorted(), [...all].toSorted())
  for (const wrong of ['limit=0', 'limit=10001', 'status=GONE', 'name=', 'name=%00'])
    expectError(await get('auditor', `merchants?${wrong}`), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await get('auditor', 'merchants?cursor=%3D'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(
    await get('auditor', `merchants?cursor=${Buffer.from("x' or 1").toString('base64url')}`),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
})
