import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rsaPair } from '../../../platform/test/index.ts'
import { MerchantProblem, secretIdOf } from '../index.ts'
import { merchantRig } from './rig.ts'

const problem =
  (kind: MerchantProblem['kind'], message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof MerchantProblem && error.kind === kind && message.test(error.message)

test('a merchant is made once and shown as it is', async (t) => {
  const { merchants } = await merchantRig(t)
  const made = await merchants.create('SHOP-1', 'The shop')
  assert.equal(made.rateLimitPerSecond, 10)
  assert.equal(made.secretEnabled, true)
  assert.equal(made.tokensNotBeforeSeconds, undefined)
  assert.deepEqual((await merchants.show('SHOP-1')).merchant, made)
  assert.deepEqual(await merchants.list(), [made])
  await assert.rejects(merchants.create('SHOP-1', 'Another'), problem('CONFLICT', /taken/))
  await assert.rejects(merchants.show('shop-1'), problem('NOT_FOUND', /no merchant shop-1/))
})

test('merchants are listed by their codes, page by page', async (t) => {
  const { merchants } = await merchantRig(t)
  for (const code of ['C', 'a', 'A-1', 'B']) await merchants.create(code, code)
  const codes = (await merchants.list()).map(({ merchantCode }) => merchantCode)
  const paged: string[] = []
  for (let after: string | undefined; paged.length < codes.length; after = paged.at(-1))
    paged.push(...(await merchants.list({ after, limit: 1 })).map(({ merchantCode }) => merchantCode))
  assert.deepEqual(paged, codes)
  assert.deepEqual(codes.toSorted(), ['A-1', 'B', 'C', 'a'])
  assert.deepEqual(await merchants.list({ after: codes.at(-1) }), [])
})

test('merchants are found by a part of their code or name, and by their status', async (t) => {
  const { merchants } = await merchantRig(t)
  for (const [code, name] of [
    ['A-1', 'Tea shop'],
    ['B', 'Books 100%'],
    ['SHOP', 'Coffee'],
  ] as const)
    await merchants.create(code, name)
  await merchants.change('SHOP', { status: 'DISABLED' })
  const codes = async (wish: Parameters<typeof merchants.list>[0]): Promise<readonly string[]> =>
    (await merchants.list(wish)).map(({ merchantCode }) => merchantCode)
  assert.deepEqual(await codes({ name: 'sHop' }), ['A-1', 'SHOP'])
  assert.deepEqual(await codes({ name: 'sHop', limit: 1 }), ['A-1'])
  assert.deepEqual(await codes({ name: 'shop', after: 'A-1', status: 'DISABLED' }), ['SHOP'])
  assert.deepEqual(await codes({ name: '%' }), ['B'])
  assert.deepEqual(await codes({ name: '_' }), [])
  assert.deepEqual(await codes({ status: 'ACTIVE' }), ['A-1', 'B'])
})

test('what a merchant cannot be is refused with a sentence', async (t) => {
  const { merchants } = await merchantRig(t)
  await merchants.create('SHOP', 'The shop')
  for (const code of ['', 'a b', 'ä', 'x'.repeat(65), "';--"])
    await assert.rejects(merchants.create(code, 'A name'), problem('INVALID', /merchant code/))
  for (const name of ['', '  ', 'x'.repeat(141)])
    await assert.rejects(merchants.create('OTHER', name), problem('INVALID', /name/))
  for (const rateLimitPerSecond of [0, -1, 1.5, 100_001, Number.NaN])
    await assert.rejects(merchants.change('SHOP', { rateLimitPerSecond }), problem('INVALID', /rate limit/))
  for (const origin of [
    'shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    '*',
    'https://SHOP.example',
  ])
    await assert.rejects(merchants.change('SHOP', { allowedOrigins: [origin] }), problem('INVALID', /origin/))
})

test('a change touches what it names and nothing else', async (t) => {
  const { merchants } = await merchantRig(t)
  const before = await merchants.create('SHOP', 'The shop')
  assert.deepEqual(await merchants.change('SHOP', {}), before)
  const after = await merchants.change('SHOP', {
    status: 'DISABLED',
    rateLimitPerSecond: 100,
    secretEnabled: false,
    allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
  })
  assert.deepEqual(after, {
    ...before,
    status: 'DISABLED',
    rateLimitPerSecond: 100,
    secretEnabled: false,
    allowedOrigins: ['https://shop.example', 'http://localhost:3000'],
    callbackOrigins: ['https://shop.example', 'http://localhost:3000'],
    returnOrigins: ['https://shop.example', 'http://localhost:3000'],
  })
  assert.deepEqual((await merchants.change('SHOP', { allowedOrigins: [] })).allowedOrigins, [])
})

test('a key belongs to one merchant, until it is removed', async (t) => {
  const { merchants } = await merchantRig(t)
  await merchants.create('A', 'A')
  await merchants.create('B', 'B')
  const pem = rsaPair().publicKey
  const { keyId, fingerprint } = await merchants.addKey('A', pem)
  await assert.rejects(merchants.addKey('A', pem), problem('CONFLICT', /registered already/))
  await assert.rejects(merchants.addKey('B', pem), problem('CONFLICT', /registered already/))
  const { merchant, credentials } = await merchants.show('A')
  assert.equal(merchant.keys[0]?.keyId, keyId)
  assert.deepEqual(
    credentials.map((credential) => [credential.type, credential.id, credential.fingerprint]),
    [['KEY', keyId, fingerprint]],
  )
  await assert.rejects(merchants.removeKey('B', keyId), problem('NOT_FOUND', /no active key/))
  await merchants.removeKey('A', keyId)
  await assert.rejects(merchants.removeKey('A', keyId), problem('NOT_FOUND', /no active key/))
  assert.deepEqual((await merchants.show('A')).merchant.keys, [])
  await merchants.addKey('B', pem)
})

test('A9 a merchant has at most five keys, also when they are added at once', async (t) => {
  const { merchants } = await merchantRig(t)
  await merchants.create('SHOP', 'The shop')
  const pems = Array.from({ length: 7 }, () => rsaPair().publicKey)
  const outcomes = await Promise.allSettled(pems.map((pem) => merchants.addKey('SHOP', pem)))
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 5)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(problem('CONFLICT', /5 active keys/)(outcome.reason))
  assert.equal((await merchants.show('SHOP')).merchant.keys.length, 5)
})

test('one key that two merchants register at once becomes the key of one', async (t) => {
  const { merchants } = await merchantRig(t)
  await merchants.create('A', 'A')
  await merchants.create('B', 'B')
  const pem = rsaPair().publicKey
  const outcomes = await Promise.allSettled([merchants.addKey('A', pem), merchants.addKey('B', pem)])
  assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected'])
})

test('a secret is shown once, matches until it is removed, and is not in the database', async (t) => {
  const { merchants, secrets, outside } = await merchantRig(t)
  await merchants.create('SHOP', 'The shop')
  const first = await merchants.addSecret('SHOP')
  const second = await merchants.addSecret('SHOP')
  assert.match(first.secret, /^sec_[A-Za-z0-9_-]{43}$/)
  await assert.rejects(merchants.addSecret('SHOP'), problem('CONFLICT', /2 active secrets/))
  const idOf = async (secret: string): Promise<string | undefined> =>
    secretIdOf(secrets, (await merchants.show('SHOP')).merchant, secret)
  assert.deepEqual([await idOf(first.secret), await idOf(second.secret)], [first.secretId, second.secretId])
  assert.equal(await idOf(`${first.secret}x`), undefined)
  assert.equal(await idOf(''), undefined)
  assert.equal(secretIdOf(secrets, undefined, first.secret), undefined)
  await merchants.removeSecret('SHOP', first.secretId)
  assert.deepEqual([await idOf(first.secret), await idOf(second.secret)], [undefined, second.secretId])
  await assert.rejects(
    merchants.removeSecret('SHOP', first.secretId),
    problem('NOT_FOUND', /no active secret/),
  )
  const { rows } = await outside.query('select m::text as text from merchant_secrets m')
  for (const { text } of rows) {
    assert.doesNotMatch(text, new RegExp(first.secret))
    assert.doesNotMatch(text, new RegExp(Buffer.from(first.secret).toString('hex')))
  }
})

test('tokens are revoked from now on, to the second above', async (t) => {
  const { merchants, outside } = await merchantRig(t)
  await merchants.create('SHOP', 'The shop')
  await merchants.revokeTokens('SHOP')
  const { rows } = await outside.query(
    'select extract(epoch from tokens_not_before)::float8 as seconds from merchants',
  )
  assert.equal((await merchants.show('SHOP')).merchant.tokensNotBeforeSeconds, Math.ceil(rows[0].seconds))
})
