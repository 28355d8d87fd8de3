import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuthTokenByActionRequest, AuthTokenRequest } from '@tollgate/contract'
import { waitUntil } from '@tollgate/testkit'
import { NumberText } from '../../../platform/json/index.ts'
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

/** A signed request as it came over the wire. */
function signedRequest(rig: TokenRig, extra: Partial<AuthTokenRequest> = {}) {
  const body: AuthTokenRequest = {
    merchantCode: 'SHOP',
    operations: ['POST /payins/.*', 'GET /payins/.*'],
    validitySecs: 600,
    timestamp: nowSeconds(rig.clock),
    ...extra,
  }
  const text = JSON.stringify(body)
  return { body, rawBody: Buffer.from(text), signatureHeader: signText(text, rig.pair.privateKey) }
}

async function send(to: TokenProcess, request: ReturnType<typeof signedRequest>): Promise<string> {
  return (await to.tokens.issue(request.body, await to.tokens.prove(request.body, request))).token
}

test('a token says what was asked for, and nothing else', async (t) => {
  const rig = await tokenRig(t)
  const token = await tokenBySecret(rig, {
    operations: ['GET /payins/.*'],
    validitySecs: 60,
    money: { amount: new NumberText('10.50'), currencyCode: 'EUR' },
  })
  const { jti, ...claims } = claimsOf(token)
  const iat = nowSeconds(rig.clock)
  assert.deepEqual(claims, {
    operations: ['GET /payins/.*'],
    sub: 'SHOP',
    iat,
    exp: iat + 60,
    money: { amount: '10.5', currencyCode: 'EUR' },
    iss: 'tollgate',
    aud: 'tollgate-sandbox',
    credential: rig.merchant.secretIds[0],
  })
  assert.match(String(jti), /^[A-Za-z0-9_-]{32}$/)
  assert.notEqual(claimsOf(await tokenBySecret(rig))['jti'], jti)
  assert.equal(Number(claimsOf(await tokenBySecret(rig))['exp']) - iat, 3600)
})

test('a signed request always gets the same token: repeated, later, and from another process', async (t) => {
  const rig = await tokenRig(t)
  const request = signedRequest(rig)
  const token = await send(rig, request)
  assert.equal(await send(rig, request), token)
  rig.clock.advance(120_000)
  assert.equal(await send(rig, request), token)
  assert.equal(await send(await rig.another(), request), token)
  const { iat, exp } = claimsOf(token)
  assert.deepEqual([iat, exp], [request.body.timestamp, (request.body.timestamp ?? 0) + 600])
})

test('two different signed requests of one second get different tokens', async (t) => {
  const rig = await tokenRig(t)
  const one = claimsOf(await send(rig, signedRequest(rig)))
  const two = claimsOf(await send(rig, signedRequest(rig, { validitySecs: 601 })))
  assert.notEqual(one['jti'], two['jti'])
})

test('400 operations that do not compile, each with its place', async (t) => {
  const rig = await tokenRig(t)
  await assert.rejects(
    tokenBySecret(rig, { operations: ['GET /a', 'GET /(', 'nonsense'] }),
    (error: unknown) => {
      assert(refusedWith('ATTRIBUTE_VALUE_INVALID')(error))
      assert(error instanceof Error && 'details' in error)
      assert.match(error.message, /^operations\.1: /)
      const { violations } = Object(error.details)
      assert.deepEqual(
        violations.map((violation: { field: string }) => violation.field),
        ['operations.1', 'operations.2'],
      )
      return true
    },
  )
})

test('400 operations so long that no request could carry the token', async (t) => {
  const rig = await tokenRig(t)
  const path = (index: number, length: number): string => `GET /payins/${String(index).padEnd(length, 'x')}`
  const operations = (length: number): string[] =>
    Array.from({ length: 50 }, (_unused, index) => path(index, length))
  assert.ok((await tokenBySecret(rig, { operations: operations(150) })).length < 14_000)
  await assert.rejects(
    tokenBySecret(rig, { operations: operations(250) }),
    refusedWith('ATTRIBUTE_VALUE_INVALID'),
  )
})

test('400 money that is no amount', async (t) => {
  const rig = await tokenRig(t)
  for (const text of ['0', '-1', '1e60', `0.${'0'.repeat(45)}1`])
    await assert.rejects(
      tokenBySecret(rig, { money: { amount: new NumberText(text), currencyCode: 'EUR' } }),
      refusedWith('ATTRIBUTE_VALUE_INVALID'),
      text,
    )
})

test('403 the merchant is disabled', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.change('SHOP', { status: 'DISABLED' })
  await assert.rejects(tokenBySecret(rig), refusedWith('MERCHANT_UNAVAILABLE'))
})

test('an action becomes the operations of its one payment, for as long as the action may last', async (t) => {
  const rig = await tokenRig(t)
  const byAction = async (request: Pick<AuthTokenByActionRequest, 'action' | 'validitySecs'>) => {
    const body = { merchantCode: 'SHOP', secret: rig.secret, idPayment: 'ORD-1', ...request }
    const credential = await rig.tokens.prove(body, { signatureHeader: undefined, rawBody: Buffer.alloc(0) })
    return claimsOf((await rig.tokens.issueByAction(body, credential)).token)
  }
  const created = await byAction({ action: 'PAYIN_CREATE' })
  assert.deepEqual(created['operations'], [
    'POST /payins/!availablePaymentOptions',
    'POST /payins/ORD-1',
    'GET /payins/ORD-1',
  ])
  assert.equal(created['idPayment'], 'ORD-1')
  const month = 2_592_000
  assert.deepEqual((await byAction({ action: 'PAYIN_INFO', validitySecs: month }))['operations'], [
    'GET /payins/ORD-1',
  ])
  await byAction({ action: 'PAYOUT_CREATE', validitySecs: 86_400 })
  for (const action of ['PAYIN_CREATE', 'PAYOUT_CREATE', 'TOPUP_CREATE'] as const)
    await assert.rejects(byAction({ action, validitySecs: 86_401 }), refusedWith('ATTRIBUTE_VALUE_INVALID'))
})

test('401 a request that was signed ahead of the clock is no token after a revocation, also at a process that starts anew', async (t) => {
  const rig = await tokenRig(t)
  for (const secondsAhead of [0, 200]) {
    const request = signedRequest(rig, { timestamp: nowSeconds(rig.clock) + secondsAhead })
    const token = await send(rig, request)
    assert.equal(await send(rig, request), token)
    await rig.merchants.revokeTokens('SHOP')
    const other = await rig.another()
    await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
    for (const process of [rig, other])
      await assert.rejects(send(process, request), refusedWith('SIGNATURE_INVALID'))
    // The revocation has the time of the database, whose clock went on while this one was held.
    rig.clock.advance(60_000)
    const fresh = signedRequest(rig, { validitySecs: 700 + secondsAhead })
    await rig.authenticator.authenticate(await send(rig, fresh))
  }
})

test('401 a process that has not heard of the revocation gives the token of before, which opens nothing', async (t) => {
  const rig = await tokenRig(t)
  const request = signedRequest(rig, { timestamp: nowSeconds(rig.clock) + 200 })
  const token = await send(rig, request)
  await rig.merchants.revokeTokens('SHOP')
  assert.equal(await send(rig, request), token)
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  await assert.rejects(async () => rig.authenticator.authenticate(token), refusedWith('TOKEN_INVALID'))
})

test('401 a request whose token would have expired', async (t) => {
  const rig = await tokenRig(t)
  const request = signedRequest(rig, { validitySecs: 60 })
  await send(rig, request)
  rig.clock.advance(59_000)
  await send(rig, request)
  rig.clock.advance(2_000)
  await assert.rejects(send(rig, request), refusedWith('SIGNATURE_INVALID'))
})

test('requests at the same moment are remembered once each, and forgotten when their time is over', async (t) => {
  const rig = await tokenRig(t)
  const requests = Array.from({ length: 5 }, (_, n) => signedRequest(rig, { validitySecs: 600 + n }))
  const tokens = await Promise.all([...requests, ...requests].map((request) => send(rig, request)))
  assert.equal(new Set(tokens).size, requests.length)
  const count = async (): Promise<number | null> =>
    (await rig.outside.query('select 1 from signed_token_requests')).rowCount
  assert.equal(await count(), requests.length)
  await rig.outside.query(`update signed_token_requests set expires_at = now() - interval '1 second'`)
  rig.clock.advance(60_000)
  await send(rig, signedRequest(rig))
  await waitUntil(async () => (await count()) === 1, { timeoutMs: 5_000, what: 'the old ones to go' })
})
