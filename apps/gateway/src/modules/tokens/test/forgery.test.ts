import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { after, test } from 'node:test'
import { SignJWT } from 'jose'
import { insertRevocation } from '../index.ts'
import { claimsOf, nowSeconds, refusedWith, tokenBySecret, tokenRig } from './rig.ts'

const rig = await tokenRig({ after })
const good = claimsOf(await tokenBySecret(rig))
const { kid, privateKey } = rig.keyring.signingKey()

const authenticate = async (token: string) => rig.authenticator.authenticate(token)

function mint(claims: Record<string, unknown>, header = {}, key: KeyObject | Uint8Array = privateKey) {
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT', ...header }).sign(key)
}

async function refuse(token: string, what = token): Promise<void> {
  await assert.rejects(authenticate(token), refusedWith('TOKEN_INVALID'), what)
}

const fresh = (jti: string): Record<string, unknown> => ({ ...good, jti })

test('401 no spelling of the algorithm `none` is taken', async () => {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '']) {
    const unsigned = `${encode({ alg, kid, typ: 'JWT' })}.${encode(good)}.`
    await refuse(unsigned)
    await refuse(`${unsigned}AAAA`)
  }
})

test('401 no form of the public key is a shared secret', async () => {
  const publicKey = createPublicKey(privateKey)
  const forms = [
    publicKey.export({ type: 'spki', format: 'pem' }),
    publicKey.export({ type: 'spki', format: 'der' }),
    Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'),
    JSON.stringify(rig.keyring.publicJwks()[0]),
  ]
  for (const form of forms) await refuse(await mint(good, { alg: 'HS256' }, Buffer.from(form)))
})

test('401 a key of another kind, also one that a merchant registered', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { keyId } = await rig.merchants.addKey('SHOP', pem)
  await refuse(await mint(good, { alg: 'RS256' }, rsa.privateKey))
  await refuse(await mint(good, { alg: 'RS256', kid: keyId }, rsa.privateKey))
})

test('401 our own key without its id, or under the id of no key', async () => {
  for (const wrong of [undefined, '', 'tg_', `${kid} `, kid.toLowerCase(), 'tg_000000000000'])
    await refuse(await mint(good, { kid: wrong }), `kid ${String(wrong)}`)
})

test('401 each type, issuer and audience that is not ours', async () => {
  for (const typ of ['at+jwt', 'JOSE', '', undefined]) await refuse(await mint(good, { typ }), `typ ${typ}`)
  for (const iss of ['tollgate2', 'Tollgate', '', undefined]) await refuse(await mint({ ...good, iss }))
  for (const aud of ['tollgate-live', 'tollgate', '', [], undefined])
    await refuse(await mint({ ...good, aud }))
})

const WRONG_CLAIMS: Readonly<Record<string, readonly unknown[]>> = {
  operations: [undefined, null, 'GET /a', {}, [], [1], ['GET /('], ['GET a'], Array(51).fill('GET /a')],
  sub: [undefined, null, 1, ['SHOP'], 'NOBODY', 'shop', 'SHOP ', ''],
  iat: [undefined, null, '1', 1.5],
  exp: [undefined, null, '1', nowSeconds(rig.clock) + 100.5],
  jti: [undefined, null, 1],
  money: [null, 'EUR', {}, { amount: 1, currencyCode: 'EUR' }, { amount: 'x', currencyCode: 'EUR' }],
  idPayment: [null, 1, ['a']],
}

test('401 each claim that is missing or of the wrong kind', async () => {
  for (const [claim, values] of Object.entries(WRONG_CLAIMS)) {
    for (const value of values)
      await refuse(await mint({ ...good, [claim]: value }), `${claim} ${JSON.stringify(value)}`)
  }
  await authenticate(await mint(good))
})

test('401 until `nbf`, or as long as `iat` is further ahead than a signature may be', async () => {
  const now = nowSeconds(rig.clock)
  const times = { iat: now, exp: now + 10_000 }
  await authenticate(await mint({ ...fresh('signed-ahead'), ...times, iat: now + 300 }))
  const early = [
    await mint({ ...fresh('early-1'), ...times, nbf: now + 60 }),
    await mint({ ...fresh('early-2'), ...times, iat: now + 360 }),
  ]
  for (const token of early) await refuse(token)
  rig.clock.advance(60_000)
  for (const token of early) await authenticate(token)
})

test('a revocation of one merchant leaves a token of another with the same id', async () => {
  const { merchantId } = await rig.merchants.create('OTHER', 'Another shop')
  const claims = fresh('shared-id')
  await insertRevocation(rig.db, { merchantId, jti: 'shared-id', expSeconds: nowSeconds(rig.clock) + 600 })
  await rig.changes.announce('REVOCATIONS', merchantId)
  await authenticate(await mint(claims))
  await refuse(await mint({ ...claims, sub: 'OTHER' }))
})

test('401 a token of the very second in which all were revoked, not one of the next', async () => {
  const iat = nowSeconds(rig.clock)
  await rig.outside.query(
    `update merchants set tokens_not_before = to_timestamp($1::numeric + 0.001) where merchant_code = 'SHOP'`,
    [iat],
  )
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  await refuse(await mint({ ...fresh('same-second'), iat, exp: iat + 600 }))
  await authenticate(await mint({ ...fresh('next-second'), iat: iat + 1, exp: iat + 600 }))
})
