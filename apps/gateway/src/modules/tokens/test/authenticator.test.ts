import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { randomIds } from '../../../platform/ids.ts'
import { gate } from '../../../platform/test/gate.ts'
import { rsaPair } from '../../merchants/test/rig.ts'
import type { Keyring } from '../keyring.ts'
import { insertRevocation } from '../store.ts'
import {
  goodClaims,
  mint,
  mintBy,
  nowSeconds,
  refusal,
  startProcess,
  TOLERANCE_SECONDS,
  type TokenProcess,
  type TokenRig,
  tokenRig,
} from './rig.ts'

interface Shop extends TokenProcess {
  readonly rig: TokenRig
  readonly merchantId: string
}

async function openShop(t: TestLife, keyringOf?: (keyring: Keyring) => Keyring): Promise<Shop> {
  const rig = await tokenRig(t)
  const { merchantId } = await rig.merchants.create('SHOP', 'The shop')
  return { ...(await startProcess(t, rig, keyringOf)), rig, merchantId }
}

const enter = async ({ authenticator }: TokenProcess, token: string) => authenticator.authenticate(token)
const refuse = (shop: TokenProcess, token: string, code: string) =>
  assert.rejects(enter(shop, token), refusal(code))

/** The token once before it is remembered, and once from memory. */
async function enterTwice(shop: TokenProcess, token: string): Promise<void> {
  assert.equal((await enter(shop, token)).merchantCode, 'SHOP')
  assert.equal((await enter(shop, token)).merchantCode, 'SHOP')
}

test('a good token lets its merchant in, with its operations and its money', async (t) => {
  const shop = await openShop(t)
  const claims = { ...goodClaims(shop.rig), money: { amount: '10.50', currencyCode: 'EUR' } }
  const token = await mint(shop.keyring, claims)
  for (const caller of [await enter(shop, token), await enter(shop, token)]) {
    assert.equal(caller.merchantId, shop.merchantId)
    assert.equal(caller.merchantCode, 'SHOP')
    assert.equal(caller.allows('GET', '/payins/a'), true)
    assert.equal(caller.allows('POST', '/payins/a'), false)
    assert.equal(Number(caller.money?.amount), 10.5)
    assert.equal(caller.money?.currencyCode, 'EUR')
    assert.equal(caller.bucket.name, 'merchant')
  }
})

test('a token for one payment has a bucket of its own', async (t) => {
  const shop = await openShop(t)
  const bucketOf = async (...operations: string[]) =>
    (await enter(shop, await mint(shop.keyring, { ...goodClaims(shop.rig), operations }))).bucket
  const one = await bucketOf('GET /payins/a')
  assert.equal(one.name, 'payment')
  assert.deepEqual(await bucketOf('GET /payins/a', 'POST /payins/a'), one)
  const keys = [
    one,
    await bucketOf('GET /payins/b'),
    await bucketOf('GET /payouts/a'),
    await bucketOf('GET /.*'),
  ]
  assert.equal(new Set(keys.map(({ key }) => key)).size, 4)
})

test('a token ends in the second of its exp, remembered or not', async (t) => {
  const shop = await openShop(t)
  const { clock } = shop.rig
  const exp = nowSeconds(shop.rig) + 10
  const [remembered, fresh] = [
    await mint(shop.keyring, { ...goodClaims(shop.rig), exp }),
    await mint(shop.keyring, { ...goodClaims(shop.rig), exp }),
  ]
  clock.advance(9_999)
  await enterTwice(shop, remembered)
  clock.advance(1)
  await refuse(shop, remembered, 'TOKEN_EXPIRED')
  await refuse(shop, fresh, 'TOKEN_EXPIRED')
})

test('a token that is not valid yet is refused, and let in when its time has come', async (t) => {
  const shop = await openShop(t)
  const iat = nowSeconds(shop.rig) + TOLERANCE_SECONDS + 60
  const early = await mint(shop.keyring, { ...goodClaims(shop.rig), iat, exp: iat + 600 })
  const notBefore = await mint(shop.keyring, { ...goodClaims(shop.rig), nbf: nowSeconds(shop.rig) + 60 })
  await refuse(shop, early, 'TOKEN_INVALID')
  await refuse(shop, notBefore, 'TOKEN_INVALID')
  shop.rig.clock.advance(60_000)
  await enterTwice(shop, early)
  await enterTwice(shop, notBefore)
})

test('a request signed ahead of our clock gives a token that works at once', async (t) => {
  const shop = await openShop(t)
  const iat = nowSeconds(shop.rig) + TOLERANCE_SECONDS
  await enterTwice(shop, await mint(shop.keyring, { ...goodClaims(shop.rig), iat, exp: iat + 600 }))
})

test('a token that was revoked by its id is refused, remembered or not, and no other', async (t) => {
  const shop = await openShop(t)
  const claims = goodClaims(shop.rig)
  const [remembered, fresh, other] = [
    await mint(shop.keyring, claims),
    await mint(shop.keyring, { ...claims, operations: ['GET /payouts/.*'] }),
    await mint(shop.keyring, goodClaims(shop.rig)),
  ]
  await enterTwice(shop, remembered)
  await insertRevocation(shop.db, { merchantId: shop.merchantId, jti: claims.jti, expSeconds: claims.exp })
  await shop.changes.announce('REVOCATIONS', shop.merchantId)
  await refuse(shop, remembered, 'TOKEN_INVALID')
  await refuse(shop, fresh, 'TOKEN_INVALID')
  await enterTwice(shop, other)
})

test('a revocation concerns one merchant alone', async (t) => {
  const shop = await openShop(t)
  const other = await shop.rig.merchants.create('OTHER', 'Another shop')
  const claims = goodClaims(shop.rig)
  await insertRevocation(shop.db, { merchantId: other.merchantId, jti: claims.jti, expSeconds: claims.exp })
  await shop.changes.announce('REVOCATIONS', other.merchantId)
  await enterTwice(shop, await mint(shop.keyring, claims))
  await refuse(shop, await mint(shop.keyring, { ...claims, sub: 'OTHER' }), 'TOKEN_INVALID')
})

test('a process that starts after a revocation knows of it', async (t) => {
  const shop = await openShop(t)
  const claims = goodClaims(shop.rig)
  await insertRevocation(shop.db, { merchantId: shop.merchantId, jti: claims.jti, expSeconds: claims.exp })
  const later = await startProcess(t, shop.rig)
  await refuse(later, await mint(shop.keyring, claims), 'TOKEN_INVALID')
})

test('old revocations are deleted at a start, those that still count are not', async (t) => {
  const shop = await openShop(t)
  const { outside } = shop.rig
  await outside.query(
    `insert into revoked_tokens (merchant_id, jti, expires_at) values
      ($1, 'old', clock_timestamp() - interval '25 hours'), ($1, 'recent', clock_timestamp() - interval '23 hours')`,
    [shop.merchantId],
  )
  const later = await startProcess(t, shop.rig)
  const { rows } = await outside.query('select jti from revoked_tokens')
  assert.deepEqual(rows, [{ jti: 'recent' }])
  await refuse(later, await mint(shop.keyring, { ...goodClaims(shop.rig), jti: 'recent' }), 'TOKEN_INVALID')
})

test('revoking all tokens of a merchant ends those from before and none from after', async (t) => {
  const shop = await openShop(t)
  const iat = nowSeconds(shop.rig) - 5
  const before = await mint(shop.keyring, { ...goodClaims(shop.rig), iat })
  await enterTwice(shop, before)
  await shop.rig.merchants.revokeTokens('SHOP')
  await shop.changes.announce('MERCHANT', shop.merchantId)
  await refuse(shop, before, 'TOKEN_INVALID')
  const { merchant } = await shop.rig.merchants.show('SHOP')
  const since = merchant.tokensNotBeforeSeconds
  assert.ok(since !== undefined)
  const around = (seconds: number) => mint(shop.keyring, { ...goodClaims(shop.rig), iat: since + seconds })
  await refuse(shop, await around(-1), 'TOKEN_INVALID')
  await enterTwice(shop, await around(0))
})

test('a token of the second in which all were revoked is refused', async (t) => {
  const shop = await openShop(t)
  const iat = nowSeconds(shop.rig)
  await shop.rig.outside.query(`update merchants set tokens_not_before = to_timestamp($1::numeric + 0.001)`, [
    iat,
  ])
  await refuse(shop, await mint(shop.keyring, { ...goodClaims(shop.rig), iat }), 'TOKEN_INVALID')
  await enterTwice(shop, await mint(shop.keyring, { ...goodClaims(shop.rig), iat: iat + 1 }))
})

test('a disabled merchant is told so, with tokens that are remembered as well', async (t) => {
  const shop = await openShop(t)
  const [remembered, fresh] = [
    await mint(shop.keyring, goodClaims(shop.rig)),
    await mint(shop.keyring, goodClaims(shop.rig)),
  ]
  await enterTwice(shop, remembered)
  await shop.rig.merchants.change('SHOP', { status: 'DISABLED' })
  await shop.changes.announce('MERCHANT', shop.merchantId)
  await refuse(shop, remembered, 'MERCHANT_UNAVAILABLE')
  await refuse(shop, fresh, 'MERCHANT_UNAVAILABLE')
  await shop.rig.merchants.change('SHOP', { status: 'ACTIVE' })
  await shop.changes.announce('MERCHANT', shop.merchantId)
  await enterTwice(shop, remembered)
})

test('a token of a merchant that does not exist is refused', async (t) => {
  const shop = await openShop(t)
  for (const sub of ['NOBODY', 'shop', 'SHOP ', ''])
    await refuse(shop, await mint(shop.keyring, goodClaims(shop.rig, sub)), 'TOKEN_INVALID')
})

test('nobody is let in when changes were not seen for more than 30 seconds', async (t) => {
  const shop = await openShop(t)
  const [remembered, fresh] = [
    await mint(shop.keyring, goodClaims(shop.rig)),
    await mint(shop.keyring, goodClaims(shop.rig)),
  ]
  shop.changes.setStaleMs(30_000)
  await enterTwice(shop, remembered)
  shop.changes.setStaleMs(30_001)
  await refuse(shop, remembered, 'SYSTEM')
  await refuse(shop, fresh, 'SYSTEM')
  shop.changes.setStaleMs(0)
  await enterTwice(shop, remembered)
  await enterTwice(shop, fresh)
})

test('a remembered token ends with the key that signed it', async (t) => {
  const shop = await openShop(t)
  const token = await mint(shop.keyring, goodClaims(shop.rig))
  await enterTwice(shop, token)
  await shop.keyring.rotate()
  await shop.changes.announce('SIGNING_KEYS')
  await enterTwice(shop, token)
  await shop.rig.outside.query(
    `update token_signing_keys set status = 'RETIRED' where status = 'VERIFY_ONLY'`,
  )
  await shop.changes.announce('SIGNING_KEYS')
  await refuse(shop, token, 'TOKEN_INVALID')
})

test('a token that was verified while keys changed is not remembered', async (t) => {
  const [asked, answered] = [gate(), gate()]
  let questions = 0
  const shop = await openShop(t, (keyring) => ({
    ...keyring,
    async verificationKey(kid) {
      questions += 1
      const key = await keyring.verificationKey(kid)
      asked.open()
      await answered.promise
      return key
    },
  }))
  const token = await mint(shop.keyring, goodClaims(shop.rig))
  const entering = enter(shop, token)
  await asked.promise
  await shop.changes.announce('SIGNING_KEYS')
  answered.open()
  assert.equal((await entering).merchantCode, 'SHOP')
  await enterTwice(shop, token)
  assert.equal(questions, 2)
})

test('a token whose signature, header or bytes were altered is refused', async (t) => {
  const shop = await openShop(t)
  const token = await mint(shop.keyring, goodClaims(shop.rig))
  const [header = '', claims = '', signature = ''] = token.split('.')
  const stolen = Buffer.from(JSON.stringify({ ...goodClaims(shop.rig), operations: ['POST /.*'] }))
  const flipped = Buffer.from(signature, 'base64url')
  flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0)
  const altered = [
    `${header}.${stolen.toString('base64url')}.${signature}`,
    `${header}.${claims}.${flipped.toString('base64url')}`,
    `${header}.${claims}.`,
    `${header}.${claims}`,
    `${header}..${signature}`,
    `.${claims}.${signature}`,
    `${header}.${claims}.${signature}.${signature}`,
    `${token}A`,
    'a.b.c',
    '..',
    '',
  ]
  for (const text of altered) await refuse(shop, text, 'TOKEN_INVALID')
  await enterTwice(shop, token)
})

test('a token by another key is refused, whatever key id it names', async (t) => {
  const shop = await openShop(t)
  const { privateKey } = generateKeyPairSync('ed25519')
  const { kid } = shop.keyring.signingKey()
  const claims = goodClaims(shop.rig)
  await refuse(shop, await mintBy(privateKey, claims, { kid }), 'TOKEN_INVALID')
  await refuse(shop, await mintBy(privateKey, claims, { kid: 'tg_000000000000' }), 'TOKEN_INVALID')
  await refuse(shop, await mintBy(privateKey, claims, {}), 'TOKEN_INVALID')
  const own = createPublicKey(privateKey).export({ format: 'jwk' })
  await refuse(
    shop,
    await mintBy(privateKey, claims, { kid, jwk: { kty: 'OKP', crv: 'Ed25519', x: own.x ?? '' } }),
    'TOKEN_INVALID',
  )
  const { privateKey: right } = shop.keyring.signingKey()
  await refuse(shop, await mintBy(right, claims, {}), 'TOKEN_INVALID')
})

test('one algorithm is accepted: neither none, nor HS256 with the public key, nor RS256', async (t) => {
  const shop = await openShop(t)
  const { kid, privateKey } = shop.keyring.signingKey()
  const claims = goodClaims(shop.rig)
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'None', 'NONE', '']) {
    const header = { alg, kid, typ: 'JWT' }
    await refuse(shop, `${encoded(header)}.${encoded(claims)}.`, 'TOKEN_INVALID')
    await refuse(shop, `${encoded(header)}.${encoded(claims)}.AAAA`, 'TOKEN_INVALID')
  }
  const publicKey = createPublicKey(privateKey)
  const spki = { type: 'spki' } as const
  const forms = [
    publicKey.export({ ...spki, format: 'pem' }),
    publicKey.export({ ...spki, format: 'der' }),
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    JSON.stringify(shop.keyring.publicJwks()[0]),
  ]
  for (const secret of forms)
    await refuse(shop, await mintBy(Buffer.from(secret), claims, { alg: 'HS256', kid }), 'TOKEN_INVALID')
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  await refuse(shop, await mintBy(rsa, claims, { alg: 'RS256', kid }), 'TOKEN_INVALID')
})

test('a token of another type, issuer, audience or environment is refused', async (t) => {
  const shop = await openShop(t)
  const claims = goodClaims(shop.rig)
  for (const typ of ['at+jwt', 'JOSE', ''])
    await refuse(shop, await mint(shop.keyring, claims, { typ }), 'TOKEN_INVALID')
  for (const iss of ['tollgate2', 'Tollgate', '', undefined])
    await refuse(shop, await mint(shop.keyring, { ...claims, iss }), 'TOKEN_INVALID')
  for (const aud of ['tollgate-live', 'tollgate', '', [], undefined])
    await refuse(shop, await mint(shop.keyring, { ...claims, aud }), 'TOKEN_INVALID')
  await refuse(
    shop,
    await mint(shop.keyring, claims, { crit: ['x'], x: 1 }).catch(() => 'a.b.c'),
    'TOKEN_INVALID',
  )
})

test('a token that lacks a claim, or has one of the wrong kind, is refused', async (t) => {
  const shop = await openShop(t)
  const wrong: Record<string, readonly unknown[]> = {
    operations: [undefined, 'GET /payins/.*', [1], [], {}, null, ['GET /payins/('], Array(51).fill('GET /a')],
    sub: [undefined, 1, null, ['SHOP']],
    iat: [undefined, 'x', 1.5, null],
    exp: [undefined, 'x', null, nowSeconds(shop.rig) + 0.5],
    jti: [undefined, 1, null],
    money: [null, 'EUR', {}, { amount: 1, currencyCode: 'EUR' }, { amount: 'x', currencyCode: 'EUR' }],
    idPayment: [null, 1],
  }
  for (const [claim, values] of Object.entries(wrong)) {
    for (const value of values) {
      const token = await mint(shop.keyring, { ...goodClaims(shop.rig), [claim]: value })
      await assert.rejects(enter(shop, token), refusal('TOKEN_INVALID'), `${claim}: ${JSON.stringify(value)}`)
    }
  }
})

test("a merchant's own key cannot make tokens", async (t) => {
  const shop = await openShop(t)
  const pair = rsaPair()
  await shop.rig.merchants.addKey('SHOP', pair.publicKey)
  const { keys } = (await shop.rig.merchants.show('SHOP')).merchant
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  const kid = keys[0]?.keyId ?? randomIds.readable(12)
  await refuse(shop, await mintBy(rsa, goodClaims(shop.rig), { alg: 'RS256', kid }), 'TOKEN_INVALID')
})
