import assert from 'node:assert/strict'
import { createPublicKey, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackReceiver, testDatabase, waitUntil } from '@tollgate/testkit'
import { tollgate } from './support/cli.ts'
import { encode, goodClaims, hmacJws, type Json, jws, newKey, trustKey } from './support/forge.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { addMerchant, createBody, EVERYTHING, merchantOf, verdict } from './support/merchant.ts'
import { claimsOf, nowSeconds } from './support/token-request.ts'

const gateway = await startGateway({ after })
const second = await startGateway({ after }, { beside: gateway })
const shop = await addMerchant(gateway, 'SHOP')
const other = await addMerchant(gateway, 'OTHER')
const known = newKey('tg_known_to_the_test')
await trustKey(gateway, known)
const header: Json = { alg: 'EdDSA', kid: known.kid, typ: 'JWT' }

const probe = (token: string, at: Gateway = gateway) => at.call({ method: 'GET', path: '/segments', token })
const signed = (more: Json, headerMore: Json = {}): string =>
  jws({ ...header, ...headerMore }, goodClaims(shop, more), known.privateKey)

test('T1 the token that the others are forged from is good', async () => {
  await waitUntil(async () => (await probe(signed({}))).status === 200, {
    timeoutMs: 60_000,
    what: 'the key to be known',
  })
  assert.equal((await probe(await shop.token(EVERYTHING))).status, 200)
})

test('T1 no forged token opens anything', async (t) => {
  const bait = await callbackReceiver(t)
  const own = newKey('tg_attacker')
  const ownJwk = own.publicKey.export({ format: 'jwk' })
  const real = await shop.token(EVERYTHING)
  const [realHeader = '', realPayload = '', realSignature = ''] = real.split('.')
  const { kid } = JSON.parse(Buffer.from(realHeader, 'base64url').toString())
  const jwks: { keys: { kid: string; x: string }[] } = JSON.parse(
    (await gateway.call({ method: 'GET', path: '/.well-known/jwks.json' })).text,
  )
  const jwk = jwks.keys.find((key) => key.kid === kid)
  assert.ok(jwk !== undefined, 'the signing key is published')
  const pem = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: jwk.x } })
    .export({ type: 'spki', format: 'pem' })
    .toString()
  const claims = goodClaims(shop)
  const hs = { alg: 'HS256', kid, typ: 'JWT' }
  const asKnown = (headerMore: Json): string => jws({ ...header, ...headerMore }, claims, own.privateKey)
  const unsigned = (alg: string): string => `${encode({ alg, kid, typ: 'JWT' })}.${realPayload}.`

  const forged: Record<string, string> = {
    'no algorithm, no signature': unsigned('none'),
    None: unsigned('None'),
    'NONE with the real signature': `${unsigned('NONE')}${realSignature}`,
    'no algorithm at all': `${encode({ kid, typ: 'JWT' })}.${realPayload}.${realSignature}`,
    'HMAC by the public key as PEM': hmacJws(hs, claims, pem),
    'HMAC by the public key as JWK': hmacJws(hs, claims, JSON.stringify(jwk)),
    'HMAC by the bytes of the public key': hmacJws(hs, claims, Buffer.from(jwk.x, 'base64url')),
    'HMAC by nothing': hmacJws(hs, claims, ''),
    'a stranger’s key under the right id': jws({ ...header, kid }, claims, own.privateKey),
    'a stranger’s key under its own id': asKnown({ kid: own.kid }),
    'a key id that is a path': asKnown({ kid: '../../../../dev/null' }),
    'a key id that is SQL': asKnown({ kid: `' or 1=1 --` }),
    'a key id that is no text': asKnown({ kid: 1 }),
    'a key id of the prototype': asKnown({ kid: '__proto__' }),
    'no key id': asKnown({ kid: undefined }),
    'a key in the header': asKnown({ jwk: ownJwk, kid: own.kid }),
    'a key in the header under the right id': asKnown({ jwk: ownJwk }),
    'a set of keys elsewhere': asKnown({ jku: `${bait.url}/jwks.json`, kid: own.kid }),
    'a set of keys elsewhere under the right id': asKnown({ jku: `${bait.url}/jwks.json` }),
    'a certificate elsewhere': asKnown({ x5u: `${bait.url}/cert.pem` }),
    'a certificate inside': asKnown({ x5c: [Buffer.from('cert').toString('base64')] }),
    'a critical extension': signed({}, { crit: ['exp'], exp: 1 }),
    'an unknown critical extension': signed({}, { crit: ['x'], x: 1 }),
    'an unencoded payload': signed({}, { b64: false, crit: ['b64'] }),
    'another type': signed({}, { typ: 'at+jwt' }),
    'no type': signed({}, { typ: undefined }),
    'another algorithm in the header': signed({}, { alg: 'ES256' }),
    'changed claims': `${realHeader}.${encode({ ...claimsOf(real), sub: 'OTHER' })}.${realSignature}`,
    'a changed signature': `${realHeader}.${realPayload}.${randomBytes(64).toString('base64url')}`,
    'a shortened signature': `${realHeader}.${realPayload}.${realSignature.slice(0, -2)}`,
    'a signature of zeros': `${realHeader}.${realPayload}.${Buffer.alloc(64).toString('base64url')}`,
    'an encrypted token': `${encode({ alg: 'dir', enc: 'A256GCM', kid })}..${encode('iv')}.${realPayload}.${realSignature}`,
    'JSON serialisation': JSON.stringify({
      payload: realPayload,
      protected: realHeader,
      signature: realSignature,
    }),
    'two parts': `${realHeader}.${realPayload}`,
    'four parts': `${real}.${realSignature}`,
    'a header that is no JSON': `${encode('{"alg":')}.${realPayload}.${realSignature}`,
    'a payload that is no object': jws(header, [1], known.privateKey),
    'padded base64': `${realHeader}=.${realPayload}.${realSignature}`,
    'a huge token': `${realHeader}.${'A'.repeat(14_000)}.${realSignature}`,
  }
  assert.ok(Object.keys(forged).length >= 25)
  for (const [name, token] of Object.entries(forged)) {
    const answer = await gateway.call({
      method: 'GET',
      path: '/segments',
      headers: { Authorization: `Bearer ${token}` },
    })
    assert.ok([401, 400].includes(answer.status), `${name}: ${answer.status} ${answer.text}`)
    if (answer.status === 401) assert.match(verdict(answer), /^401 TOKEN_(INVALID|EXPIRED)$/, name)
  }
  assert.equal(bait.requests.length, 0, 'the gateway went to fetch a key')
  assert.equal((await probe(real)).status, 200)
})

test('T2 every claim is there, of the right type, and within its time', async () => {
  const now = nowSeconds()
  const table: readonly (readonly [what: string, claims: Json, expected: string])[] = [
    ['nothing changed', {}, '200'],
    ['expired', { exp: now - 60, iat: now - 120 }, '401 TOKEN_EXPIRED'],
    ['expired this second', { exp: now, iat: now - 60 }, '401 TOKEN_EXPIRED'],
    ['no exp', { exp: undefined }, '401 TOKEN_INVALID'],
    ['exp as text', { exp: String(now + 600) }, '401 TOKEN_INVALID'],
    ['exp as a fraction', { exp: now + 600.5 }, '401 TOKEN_INVALID'],
    ['exp beyond all numbers', { exp: 1e300 }, '401 TOKEN_INVALID'],
    ['exp null', { exp: null }, '401 TOKEN_INVALID'],
    ['no iat', { iat: undefined }, '401 TOKEN_INVALID'],
    ['iat as text', { iat: String(now) }, '401 TOKEN_INVALID'],
    ['iat far in the future', { iat: now + 3_600, exp: now + 7_200 }, '401 TOKEN_INVALID'],
    ['nbf in the future', { nbf: now + 3_600 }, '401 TOKEN_INVALID'],
    ['no jti', { jti: undefined }, '401 TOKEN_INVALID'],
    ['jti as a number', { jti: 7 }, '401 TOKEN_INVALID'],
    ['no sub', { sub: undefined }, '401 TOKEN_INVALID'],
    ['sub of nobody', { sub: 'NOBODY' }, '401 TOKEN_INVALID'],
    ['sub in lower case', { sub: 'shop' }, '401 TOKEN_INVALID'],
    ['no operations', { operations: undefined }, '401 TOKEN_INVALID'],
    ['operations as text', { operations: 'GET /.*' }, '401 TOKEN_INVALID'],
    ['operations empty', { operations: [] }, '401 TOKEN_INVALID'],
    ['operations with a bomb', { operations: ['GET /(a{0,30}){0,30}'] }, '401 TOKEN_INVALID'],
    ['operations with a number', { operations: ['GET /.*', 1] }, '401 TOKEN_INVALID'],
    ['money without currency', { money: { amount: '1' } }, '401 TOKEN_INVALID'],
    ['money as a number', { money: { amount: 1, currencyCode: 'EUR' } }, '401 TOKEN_INVALID'],
    ['another issuer', { iss: 'somebody' }, '401 TOKEN_INVALID'],
    ['no issuer', { iss: undefined }, '401 TOKEN_INVALID'],
    ['another audience', { aud: 'tollgate-live' }, '401 TOKEN_INVALID'],
    ['no audience', { aud: undefined }, '401 TOKEN_INVALID'],
  ]
  for (const [what, claims, expected] of table)
    assert.equal(verdict(await probe(signed(claims))), expected, what)
})

test('T2 a token ends at its exp, also one that has been used before', async () => {
  const token = await shop.token(EVERYTHING, { validitySecs: 2 })
  assert.equal((await probe(token)).status, 200)
  const exp = Number(claimsOf(token)['exp'])
  await sleep(Math.max(0, exp * 1000 - Date.now()) + 20)
  assert.equal(verdict(await probe(token)), '401 TOKEN_EXPIRED')
})

test('T3 a token of one installation opens nothing at another', async (t) => {
  const stranger = await startGateway(t)
  const there = await addMerchant(stranger, 'SHOP')
  assert.equal(verdict(await probe(await there.token(EVERYTHING))), '401 TOKEN_INVALID')
  assert.equal(verdict(await probe(await shop.token(EVERYTHING), stranger)), '401 TOKEN_INVALID')
  assert.equal(verdict(await probe(signed({}), stranger)), '401 TOKEN_INVALID')
})

test('T3 a sandbox token opens nothing in live, even under the same key', async (t) => {
  const live = await startGateway(t, {
    databaseUrl: (await testDatabase(t)).url,
    env: {
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://api.gateway.test',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.gateway.test',
    },
  })
  await addMerchant(live, 'SHOP')
  await trustKey(live, known)
  await waitUntil(async () => (await probe(signed({ aud: 'tollgate-live' }), live)).status === 200, {
    timeoutMs: 60_000,
    what: 'the key to be known in live',
  })
  assert.equal(verdict(await probe(signed({}), live)), '401 TOKEN_INVALID')
  assert.equal(verdict(await probe(signed({ aud: ['tollgate-sandbox', 'x'] }), live)), '401 TOKEN_INVALID')
  const answer = await probe(signed({ aud: 'tollgate-live' }), live)
  assert.match(String(answer.headers.get('strict-transport-security')), /max-age=\d{8}/)
})

/** The moment at which a token stopped working, counted from now. */
async function secondsUntilRefused(token: string, at: Gateway): Promise<number> {
  const startedMs = performance.now()
  await waitUntil(async () => (await probe(token, at)).status === 401, {
    timeoutMs: 60_000,
    what: 'the token to be refused',
  })
  return (performance.now() - startedMs) / 1000
}

test('T4 a revoked token is refused at every process within five seconds', async () => {
  for (const isNotifyCut of [false, true]) {
    // Another lifetime each time: the same request within a second would give the token that was just revoked.
    const token = await shop.token(EVERYTHING, { validitySecs: isNotifyCut ? 701 : 702 })
    const bystander = await shop.token(['GET /segments'])
    for (const at of [gateway, second]) assert.equal((await probe(token, at)).status, 200)
    if (isNotifyCut) await gateway.sql(WITHOUT_NOTIFY)
    try {
      if (isNotifyCut) {
        await gateway.sql(
          `insert into revoked_tokens (merchant_id, jti, expires_at) values ($1, $2, now() + interval '1 hour')`,
          [shop.merchantId, claimsOf(token)['jti']],
        )
      } else await tollgate(gateway, 'token', 'revoke', token)
      const seconds = await Promise.all([
        secondsUntilRefused(token, gateway),
        secondsUntilRefused(token, second),
      ])
      assert.ok(Math.max(...seconds) <= 5, `${seconds.join(' and ')} s`)
      for (const at of [gateway, second]) {
        assert.equal(verdict(await probe(token, at)), '401 TOKEN_INVALID')
        assert.equal((await probe(bystander, at)).status, 200)
      }
    } finally {
      if (isNotifyCut) await gateway.sql(WITH_NOTIFY)
    }
  }
})

const trigger = (notify: string): string => `
  create or replace function note_configuration_change() returns trigger language plpgsql as $$
  declare the_merchant bigint;
  begin
    if tg_argv[1] = 'by_merchant' then
      if tg_op = 'DELETE' then the_merchant := old.merchant_id; else the_merchant := new.merchant_id; end if;
    end if;
    insert into configuration_changes (scope, merchant_id) values (tg_argv[0], the_merchant);
    ${notify}
    return null;
  end $$`
const WITH_NOTIFY = trigger(`perform pg_notify('tollgate_configuration', tg_argv[0]);`)
const WITHOUT_NOTIFY = trigger('')

test('T4 all tokens of a merchant end at once, and a new one works', async () => {
  const old = await other.token(EVERYTHING)
  await waitUntil(async () => (await probe(old, second)).status === 200, {
    timeoutMs: 3_000,
    what: 'the token',
  })
  // Tokens know whole seconds: one made in the second of the revocation is refused with the others.
  await sleep(1_100)
  await gateway.sql(
    `update merchants set tokens_not_before = clock_timestamp() where merchant_code = 'OTHER'`,
  )
  const seconds = await Promise.all([secondsUntilRefused(old, gateway), secondsUntilRefused(old, second)])
  assert.ok(Math.max(...seconds) <= 5, `${seconds.join(' and ')} s`)
  await sleep(1_100)
  assert.equal((await probe(await other.token(EVERYTHING))).status, 200)
})

test('T5 keys rotate twice under load, and nobody gets a 401', async () => {
  const before = await shop.token(EVERYTHING)
  const firstKid = kidOf(before)
  let isRunning = true
  const refused: string[] = []
  let calls = 0
  const kids = new Set<string>()
  async function work(at: Gateway, verifier: Gateway): Promise<void> {
    const here = merchantOf(at, shop)
    for (let n = 0; isRunning; n += 1) {
      const token = await here.token(EVERYTHING, { validitySecs: 600 + (n % 1000) })
      kids.add(kidOf(token))
      // The other process has to know the new key, too.
      for (const [answer, what] of [
        [await probe(token, verifier), 'a new token'],
        [await probe(before, at), 'an old token'],
      ] as const) {
        calls += 1
        if (answer.status !== 200) refused.push(`${what}: ${verdict(answer)}`)
      }
    }
  }
  const load = [work(gateway, second), work(second, gateway)]
  await sleep(300)
  await tollgate(gateway, 'keys', 'rotate', '--now')
  await sleep(1_500)
  await tollgate(gateway, 'keys', 'rotate', '--now')
  await sleep(1_500)
  isRunning = false
  await Promise.all(load)
  assert.deepEqual([...new Set(refused)], [])
  assert.ok(calls > 100, `${calls} calls`)
  assert.equal(kids.size, 3, `keys seen: ${[...kids].join(', ')}`)
  assert.notEqual(kidOf(await shop.token(EVERYTHING)), firstKid)
  const jwks: { keys: unknown[] } = JSON.parse(
    (await second.call({ method: 'GET', path: '/.well-known/jwks.json' })).text,
  )
  assert.ok(jwks.keys.length >= 3)
  assert.doesNotMatch(JSON.stringify(jwks), /"d"|PRIVATE/)
})

function kidOf(token: string): string {
  const parsed: { kid: string } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())
  return parsed.kid
}

test('T6 the tokens of a disabled merchant open nothing, and do again when it is enabled', async () => {
  const token = await other.token(EVERYTHING)
  assert.equal((await probe(token)).status, 200)
  await gateway.sql(`update merchants set status = 'DISABLED' where merchant_code = 'OTHER'`)
  for (const at of [gateway, second]) {
    await waitUntil(async () => (await probe(token, at)).status === 403, {
      timeoutMs: 60_000,
      what: 'the disabling',
    })
    assert.equal(verdict(await probe(token, at)), '403 MERCHANT_UNAVAILABLE')
    const create = await at.call({ method: 'POST', path: '/payins/t6', token, rawBody: createBody() })
    assert.equal(verdict(create), '403 MERCHANT_UNAVAILABLE')
  }
  await gateway.sql(`update merchants set status = 'ACTIVE' where merchant_code = 'OTHER'`)
  await waitUntil(async () => (await probe(token)).status === 200, {
    timeoutMs: 60_000,
    what: 'the enabling',
  })
})

test('T7 a token counts in its header only', async () => {
  const token = await shop.token(EVERYTHING)
  const attempts = [
    { path: `/segments?access_token=${token}` },
    { path: `/segments?token=${token}&authorization=Bearer%20${token}` },
    {
      path: '/segments',
      headers: { Cookie: `token=${token}; access_token=${token}; Authorization=Bearer ${token}` },
    },
    {
      path: '/segments',
      headers: { 'X-Authorization': `Bearer ${token}`, 'Proxy-Authorization': `Bearer ${token}` },
    },
    { path: '/segments', headers: { 'X-Access-Token': token, 'X-Auth-Token': token, Token: token } },
    { path: '/segments', headers: { Authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` } },
    { path: '/segments', headers: { Authorization: token } },
  ]
  for (const attempt of attempts) {
    const answer = await gateway.call({ method: 'GET', ...attempt })
    assert.equal(verdict(answer), '401 TOKEN_MISSING', JSON.stringify(attempt).slice(0, 80))
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
  }
  const inBody = await gateway.call({
    method: 'POST',
    path: '/payins/t7',
    rawBody: createBody({ access_token: token, token, authorization: `Bearer ${token}` }),
  })
  assert.equal(verdict(inBody), '401 TOKEN_MISSING')
})

test('T8 what needs no token tells nothing of anybody', async () => {
  for (const path of ['/livez', '/readyz', '/openapi.json', '/.well-known/jwks.json']) {
    const answer = await fetch(`${gateway.url}${path}`)
    assert.equal(answer.status, 200, path)
    assert.doesNotMatch(await answer.text(), /SHOP|t8-there|postgres:|password|PRIVATE KEY/, path)
  }
})
