import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { NumberText } from '../../../platform/json/index.ts'
import { rsaPair } from '../../../platform/test/index.ts'
import { createTokenAdministration, insertRevocation } from '../index.ts'
import {
  claimsOf,
  nowSeconds,
  refusedWith,
  signText,
  type TokenProcess,
  type TokenRig,
  tokenBySecret,
  tokenRig,
} from './rig.ts'

const authenticate = async (process: TokenProcess, token: string) => process.authenticator.authenticate(token)

const segment = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a token tells who calls, what it permits and which bucket counts', async (t) => {
  const rig = await tokenRig(t)
  const money = { amount: new NumberText('10.50'), currencyCode: 'EUR' }
  const caller = await authenticate(rig, await tokenBySecret(rig, { operations: ['GET /payins/.*'], money }))
  assert.equal(caller.merchantId, rig.merchant.merchantId)
  assert.equal(caller.merchantCode, 'SHOP')
  assert.deepEqual(caller.money, { amount: '10.5', currencyCode: 'EUR' })
  assert.deepEqual(
    [
      caller.allows('GET', '/payins/A'),
      caller.allows('POST', '/payins/A'),
      caller.allows('GET', '/balances'),
    ],
    [true, false, false],
  )
  assert.deepEqual(caller.bucket, {
    key: `merchant ${rig.merchant.merchantId}`,
    limitPerSecond: 10,
    name: 'merchant',
  })
})

test('a token for one payment has a bucket of its own: ten, or the merchant’s limit where that is higher', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.change('SHOP', { rateLimitPerSecond: 1000 })
  const { merchantId } = rig.merchant
  const forOne = await authenticate(rig, await tokenBySecret(rig, { operations: ['GET /payins/A'] }))
  assert.deepEqual(forOne.bucket, {
    key: `payment ${merchantId} payins A`,
    limitPerSecond: 1000,
    name: 'payment',
  })
  assert.deepEqual(forOne.sharedBucket, {
    key: `customers ${merchantId}`,
    limitPerSecond: 10_000,
    name: 'customers',
  })
  const forAll = await authenticate(rig, await tokenBySecret(rig))
  assert.equal(forAll.bucket.limitPerSecond, 1000)
  assert.equal(forAll.sharedBucket, undefined)
})

test('a merchant with a lower limit leaves ten to each of its payments', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.change('SHOP', { rateLimitPerSecond: 2 })
  const forOne = await authenticate(rig, await tokenBySecret(rig, { operations: ['GET /payins/A'] }))
  assert.equal(forOne.bucket.limitPerSecond, 10)
})

test('401 at the second of `exp`, also for a token that was verified before', async (t) => {
  const rig = await tokenRig(t)
  const token = await tokenBySecret(rig, { validitySecs: 60 })
  const leftMs = Number(claimsOf(token)['exp']) * 1000 - rig.clock.nowMs()
  await authenticate(rig, token)
  rig.clock.advance(leftMs - 1)
  await authenticate(rig, token)
  rig.clock.advance(1)
  await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_EXPIRED'))
  const other = await rig.another()
  other.clock.advance(leftMs + 1_000)
  await assert.rejects(authenticate(other, token), refusedWith('TOKEN_EXPIRED'))
})

test('401 every forgery: algorithm, key, type, issuer, audience, claims', async (t) => {
  const rig = await tokenRig(t)
  const good = await tokenBySecret(rig)
  const [header = '', payload = '', signature = ''] = good.split('.')
  const { kid, privateKey } = rig.keyring.signingKey()
  const claims = claimsOf(good)
  const make = (extra: Record<string, unknown>, head: Record<string, unknown> = {}): Promise<string> =>
    new SignJWT({ ...claims, ...extra })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT', ...head })
      .sign(privateKey)
  const stranger = generateKeyPairSync('ed25519')
  const jwk = stranger.publicKey.export({ format: 'jwk' })
  const byStranger = (head: Record<string, unknown>): Promise<string> =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT', ...head })
      .sign(stranger.privateKey)
  const publicX = rig.keyring.publicJwks()[0]?.x ?? ''
  const hs = `${segment({ alg: 'HS256', kid, typ: 'JWT' })}.${payload}`
  const forgeries = [
    `${segment({ alg: 'none', kid, typ: 'JWT' })}.${payload}.`,
    `${segment({ alg: 'none', kid, typ: 'JWT' })}.${payload}.${signature}`,
    `${hs}.${createHmac('sha256', Buffer.from(publicX, 'base64url')).update(hs).digest('base64url')}`,
    `${header}.${segment({ ...claims, operations: ['POST /payouts/.*'] })}.${signature}`,
    `${header}.${payload}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    await byStranger({}),
    await byStranger({ jwk }),
    await byStranger({ kid: 'tg_000000000000' }),
    await make({}, { typ: 'at+jwt' }),
    await make({}, { crit: ['exp'] }).catch(() => 'a.b.c'),
    await make({ iss: 'someone' }),
    await make({ aud: 'tollgate-live' }),
    await make({ sub: 'NOBODY' }),
    await make({ operations: ['GET /('] }),
    await make({ operations: [] }),
    await make({ money: 'all' }),
    await make({ jti: undefined }),
    await make({ iat: undefined }),
    await make({ exp: undefined }),
    await make({ iat: nowSeconds(rig.clock) + 306, exp: nowSeconds(rig.clock) + 1000 }),
    'a.b.c',
    '..',
  ]
  for (const forgery of forgeries)
    await assert.rejects(authenticate(rig, forgery), refusedWith('TOKEN_INVALID'), forgery)
  await authenticate(rig, good)
  await authenticate(rig, await make({}))
})

test('401 a token of the sandbox in live, and the reverse', async (t) => {
  const rig = await tokenRig(t)
  const live = await rig.another('live')
  const token = await tokenBySecret(rig)
  await assert.rejects(authenticate(live, token), refusedWith('TOKEN_INVALID'))
})

/** What makes a token invalid that was verified and cached before. */
const withdrawals: readonly (readonly [string, string, (rig: TokenRig, token: string) => Promise<void>])[] = [
  [
    'revoked by its id',
    'TOKEN_INVALID',
    async (rig, token) => {
      const { jti, exp } = claimsOf(token)
      const { merchantId } = rig.merchant
      await insertRevocation(rig.db, { merchantId, jti: String(jti), expSeconds: Number(exp) })
      await rig.changes.announce('REVOCATIONS', merchantId)
    },
  ],
  [
    'revoked with all of the merchant’s',
    'TOKEN_INVALID',
    async (rig) => {
      await rig.merchants.revokeTokens('SHOP')
      await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
    },
  ],
  [
    'of a merchant that was disabled',
    'MERCHANT_UNAVAILABLE',
    async (rig) => {
      await rig.merchants.change('SHOP', { status: 'DISABLED' })
      await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
    },
  ],
  [
    'of a key that was withdrawn',
    'TOKEN_INVALID',
    async (rig) => {
      const { kid } = rig.keyring.signingKey()
      await rig.keyring.rotate('NOW')
      await rig.outside.query(`update token_signing_keys set status = 'RETIRED' where kid = $1`, [kid])
      await rig.changes.announce('SIGNING_KEYS')
    },
  ],
]

for (const [name, code, withdraw] of withdrawals) {
  test(`a token ${name} is refused though it was verified before`, async (t) => {
    const rig = await tokenRig(t)
    const token = await tokenBySecret(rig)
    await authenticate(rig, token)
    await withdraw(rig, token)
    await assert.rejects(authenticate(rig, token), refusedWith(code))
    await assert.rejects(authenticate(await rig.another(), token), refusedWith(code))
  })
}

test('after all tokens were revoked, new ones work', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.revokeTokens('SHOP')
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  rig.clock.advance(2_000)
  await authenticate(rig, await tokenBySecret(rig))
})

test('the revocation of all tokens reaches those signed ahead of our clock, and old requests sent again', async (t) => {
  const rig = await tokenRig(t)
  const send = async (offsetSeconds: number): Promise<string> => {
    const body = {
      merchantCode: 'SHOP',
      operations: ['GET /balances'],
      timestamp: nowSeconds(rig.clock) + offsetSeconds,
    }
    const text = JSON.stringify(body)
    const parts = { rawBody: Buffer.from(text), signatureHeader: signText(text, rig.pair.privateKey) }
    return (await rig.tokens.issue(body, await rig.tokens.prove(body, parts))).token
  }
  const [ahead, old] = [await send(250), await send(-100)]
  for (const token of [ahead, old]) await authenticate(rig, token)
  await rig.merchants.revokeTokens('SHOP')
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  for (const token of [ahead, old])
    await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_INVALID'))
  await assert.rejects(send(-100), refusedWith('SIGNATURE_INVALID'))
})

test('a token made after the revocation of all works in a process that has not heard of it yet', async (t) => {
  const rig = await tokenRig(t)
  const unaware = await rig.another()
  await unaware.directory.find('SHOP')
  await rig.merchants.revokeTokens('SHOP')
  rig.clock.advance(2_000)
  await authenticate(unaware, await tokenBySecret(rig))
})

test('a token that is being verified while its key is withdrawn does not stay', async (t) => {
  const rig = await tokenRig(t)
  const token = await tokenBySecret(rig)
  const { kid } = rig.keyring.signingKey()
  await rig.keyring.rotate('NOW')
  await rig.outside.query(`update token_signing_keys set status = 'RETIRED' where kid = $1`, [kid])
  const verifying = authenticate(rig, token)
  await rig.changes.announce('SIGNING_KEYS')
  await verifying.catch(() => undefined)
  await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_INVALID'))
})

test('T4 500 nobody is let in once revocations could not be read for more than 30 seconds', async (t) => {
  const rig = await tokenRig(t)
  const token = await tokenBySecret(rig)
  rig.changes.goStale(30_000)
  await authenticate(rig, token)
  rig.changes.goStale(30_001)
  await assert.rejects(authenticate(rig, token), refusedWith('SYSTEM'))
  rig.changes.goStale(0)
  await authenticate(rig, token)
})

test('a revocation outlives the token by the time that the page may look, and a day for clocks that are slow', async (t) => {
  const rig = await tokenRig(t)
  const { merchantId } = rig.merchant
  const token = await tokenBySecret(rig)
  const { jti } = claimsOf(token)
  await insertRevocation(rig.db, { merchantId, jti: String(jti), expSeconds: nowSeconds(rig.clock) - 3_600 })
  await rig.changes.announce('REVOCATIONS', merchantId)
  await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_INVALID'))
  await rig.outside.query(`update revoked_tokens set expires_at = now() - interval '16 days'`)
  await rig.another()
  assert.equal((await rig.outside.query('select 1 from revoked_tokens')).rowCount, 0)
})

test('an operator can tell whose token it is and whether it was revoked', async (t) => {
  const rig = await tokenRig(t)
  const administration = createTokenAdministration(rig)
  const token = await tokenBySecret(rig)
  assert.equal(await administration.judgeSignature(token), 'VALID')
  assert.equal(await administration.judgeSignature(`${token.slice(0, -4)}AAAA`), 'INVALID')
  assert.equal(await administration.judgeSignature('a.b.c'), 'UNKNOWN_KEY')
})

const GRACE_SECONDS = 14 * 86_400
const withGrace = async (process: TokenProcess, token: string) =>
  process.authenticator.authenticate(token, GRACE_SECONDS)

test('where it is given grace, a token for one payment counts for so long after its end, and elsewhere it does not', async (t) => {
  const rig = await tokenRig(t)
  const token = await tokenBySecret(rig, { operations: ['GET /payins/A'], validitySecs: 60 })
  const leftMs = Number(claimsOf(token)['exp']) * 1000 - rig.clock.nowMs()
  rig.clock.advance(leftMs)
  await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_EXPIRED'))
  assert.equal((await withGrace(rig, token)).allows('GET', '/payins/A'), true)
  // It is remembered as a genuine one now, and still as one that has ended.
  await assert.rejects(authenticate(rig, token), refusedWith('TOKEN_EXPIRED'))
  rig.clock.advance(GRACE_SECONDS * 1000 - 1)
  assert.equal((await withGrace(rig, token)).allows('GET', '/payins/B'), false)
  rig.clock.advance(1)
  await assert.rejects(withGrace(rig, token), refusedWith('TOKEN_EXPIRED'))
  const other = await rig.another()
  other.clock.advance(leftMs + GRACE_SECONDS * 1000 + 1_000)
  await assert.rejects(withGrace(other, token), refusedWith('TOKEN_EXPIRED'))
})

test('grace is for no token of several payments, none that is forged, and none that was revoked', async (t) => {
  const rig = await tokenRig(t)
  const general = await tokenBySecret(rig, { operations: ['GET /payins/.*'], validitySecs: 60 })
  const one = await tokenBySecret(rig, { operations: ['GET /payins/A'], validitySecs: 60 })
  rig.clock.advance(61_000)
  await assert.rejects(withGrace(rig, general), refusedWith('TOKEN_EXPIRED'))
  await assert.rejects(withGrace(rig, `${one.slice(0, -6)}AAAAAA`), refusedWith('TOKEN_INVALID'))
  assert.equal((await withGrace(rig, one)).merchantCode, 'SHOP')
  const { jti, exp } = claimsOf(one)
  await insertRevocation(rig.db, {
    merchantId: rig.merchant.merchantId,
    jti: String(jti),
    expSeconds: Number(exp),
  })
  await rig.changes.announce('REVOCATIONS', rig.merchant.merchantId)
  await assert.rejects(withGrace(rig, one), refusedWith('TOKEN_INVALID'))
})

test('401 the tokens of a key or a secret end when it is removed, the others do not', async (t) => {
  const rig = await tokenRig(t)
  const { secret, secretId } = await rig.merchants.addSecret('SHOP')
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  const bySecond = await tokenBySecret(rig, { secret })
  const byFirst = await tokenBySecret(rig)
  const text = JSON.stringify({
    merchantCode: 'SHOP',
    operations: ['GET /balances'],
    timestamp: nowSeconds(rig.clock),
  })
  const parts = { rawBody: Buffer.from(text), signatureHeader: signText(text, rig.pair.privateKey) }
  const body = { merchantCode: 'SHOP', operations: ['GET /balances'], timestamp: nowSeconds(rig.clock) }
  const byKey = (await rig.tokens.issue(body, await rig.tokens.prove(body, parts))).token
  for (const token of [bySecond, byFirst, byKey]) await authenticate(rig, token)
  await rig.merchants.removeSecret('SHOP', secretId)
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  await assert.rejects(authenticate(rig, bySecond), refusedWith('TOKEN_INVALID'))
  for (const token of [byFirst, byKey]) await authenticate(rig, token)
  await rig.merchants.removeKey('SHOP', rig.merchant.keys[0]?.keyId ?? '')
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  await assert.rejects(authenticate(rig, byKey), refusedWith('TOKEN_INVALID'))
  await authenticate(rig, byFirst)
})

test('S163 a caller knows that the credential is half, also in a process that has not heard of it, until the key is confirmed', async (t) => {
  const rig = await tokenRig(t)
  const unaware = await rig.another()
  await unaware.directory.find('SHOP')
  const maker = { madeBy: 'adam', isHalf: true }
  const { secret } = await rig.merchants.addSecret('SHOP', maker)
  const pair = rsaPair()
  const { keyId, fingerprint } = await rig.merchants.addKey('SHOP', pair.publicKey, maker)
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  const body = { merchantCode: 'SHOP', operations: ['GET /balances'], timestamp: nowSeconds(rig.clock) }
  const text = JSON.stringify(body)
  const parts = { rawBody: Buffer.from(text), signatureHeader: signText(text, pair.privateKey) }
  const byKey = (await rig.tokens.issue(body, await rig.tokens.prove(body, parts))).token
  const bySecret = await tokenBySecret(rig, { secret })
  const isHalf = async (process: Pick<TokenRig, 'authenticator'>, token: string) =>
    (await process.authenticator.authenticate(token)).isCredentialHalf
  for (const token of [byKey, bySecret])
    assert.deepEqual([await isHalf(rig, token), await isHalf(unaware, token)], [true, true])
  assert.equal(await isHalf(rig, await tokenBySecret(rig)), undefined)
  await rig.merchants.confirmKey('SHOP', keyId, { by: 'eve', fingerprint })
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  assert.deepEqual([await isHalf(rig, byKey), await isHalf(rig, bySecret)], [undefined, true])
})

test('a token of a key that was added just now works in a process that has not heard of it yet', async (t) => {
  const rig = await tokenRig(t)
  const unaware = await rig.another()
  await unaware.directory.find('SHOP')
  const { secret, secretId } = await rig.merchants.addSecret('SHOP')
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  const token = await tokenBySecret(rig, { secret })
  await authenticate(unaware, token)
  await rig.merchants.removeSecret('SHOP', secretId)
  await unaware.changes.announce('MERCHANT', rig.merchant.merchantId)
  for (let time = 0; time < 2; time += 1)
    await assert.rejects(authenticate(unaware, token), refusedWith('TOKEN_INVALID'))
})
