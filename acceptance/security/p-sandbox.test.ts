import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { at, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { CLI, startGateway, temporaryFolder } from '../support/gateway.ts'
import { listAt, textAt } from '../support/json.ts'
import {
  ALL_OPERATIONS,
  addLiveMerchant,
  addMerchant,
  type Merchant,
  signedRequest,
} from '../support/merchant.ts'
import { createPayin, createRequest, newId, readPayin } from '../support/payins.ts'
import { runProgram, startProgram } from '../support/process.ts'

// What merchants' developers have in a sandbox by their own keys, and what it must not give them.

const gateway = await startGateway({ after })
const shop = gateway.demo()
const other = await addMerchant(gateway, 'OTHER')
const token = await shop.token(...ALL_OPERATIONS, 'GET /sandbox/requests', 'POST /sandbox/.*')
const folder = temporaryFolder()
const keyFile = join(folder, 'shop-key.pem')
writeFileSync(keyFile, shop.privateKey, { mode: 0o600 })

/** As a developer far away has it: no installation, no operator. */
const FAR_AWAY = { TOLLGATE_DATA_DIR: join(folder, 'nowhere') }
const asShop = ['--merchant', 'DEMO', '--private-key-file', keyFile, '--api-url', gateway.url]

const requestsOf = async (bearer: string, query = ''): Promise<readonly unknown[]> =>
  listAt(
    expectSuccess(
      await gateway.send({ method: 'GET', path: `/sandbox/requests${query}`, token: bearer }),
      200,
    ),
    'data',
  )

/** The request that was recorded of a path, when it has been. */
async function recorded(bearer: string, path: string, status: number): Promise<unknown> {
  let found: unknown
  await waitUntil(
    async () => {
      const requests = await requestsOf(bearer)
      found = requests.find((each) => at(each, 'path') === path && at(each, 'status') === status)
      return found !== undefined
    },
    { timeoutMs: 60_000, what: `${path} with ${status} to be recorded` },
  )
  return found
}

async function tokenOf(merchant: Merchant): Promise<string> {
  return merchant.token('GET /sandbox/requests')
}

test('P25 GET /sandbox/requests → 200: a merchant sees its own requests with what was wrong, without bodies, and nobody else’s', async () => {
  const id = newId()
  const refused = await gateway.send({
    ...createRequest(token, `${id}?note=in-the-query`, { amount: '0' }),
  })
  assert.equal(refused.status, 400, refused.text)
  const shown = await recorded(token, `/payins/${id}`, 400)
  assert.deepEqual(
    [at(shown, 'method'), at(shown, 'isProven'), at(shown, 'code')],
    ['POST', true, textAt(refused.body, 'code')],
  )
  assert.match(JSON.stringify(at(shown, 'says')), /paymentRequested\.money\.amount/)
  assert.doesNotMatch(JSON.stringify(shown), /in-the-query|BANK_TRANSFER/)
  const requestNo = textAt(shown, 'requestNo')
  assert.deepEqual(
    (await requestsOf(token, `?after=${Number(requestNo) - 1}&limit=1`)).map((each) => at(each, 'requestNo')),
    [requestNo],
  )
  const others = await requestsOf(await tokenOf(other))
  assert.ok(others.every((each) => at(each, 'path') !== `/payins/${id}`))
})

test('P25 GET /sandbox/requests → 403: a token for payments shows no requests', async () => {
  const path = '/sandbox/requests'
  expectError(
    await gateway.send({ method: 'GET', path, token: await shop.token('POST /payins/.*') }),
    403,
    'OPERATION_NOT_PERMITTED',
  )
  const bad = await gateway.send({ method: 'GET', path: `${path}?after=x`, token })
  expectError(bad, 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('P25 whoever claims to be the merchant is shown as that, with what the signature covers; the caller is not told', async () => {
  const body = {
    merchantCode: 'DEMO',
    operations: ['GET /segments'],
    timestamp: Math.floor(Date.now() / 1000),
  }
  const signed = signedRequest('/auth-tokens', body, shop.privateKey)
  const answer = await gateway.send({ ...signed, rawBody: JSON.stringify({ ...body, validitySecs: 60 }) })
  expectError(answer, 401, 'SIGNATURE_INVALID')
  assert.doesNotMatch(answer.text, /another body/)
  const shown = await recorded(token, '/auth-tokens', 401)
  assert.equal(at(shown, 'isProven'), false)
  assert.match(JSON.stringify(at(shown, 'says')), /of another key pair or another body/)
})

test('P26 POST /sandbox/payins/{idPayment}/!trigger → 200, POST /sandbox/payins/{idPayment}/!trigger → 406: a merchant makes things happen to its own payments alone', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'slow@sandbox.test' })
  const trigger = (bearer: string, outcome: string) =>
    gateway.send({
      method: 'POST',
      path: `/sandbox/payins/${id}/!trigger`,
      token: bearer,
      body: { outcome },
    })
  const stranger = await other.token('POST /sandbox/.*')
  expectError(await trigger(stranger, 'paid'), 410, 'ENTITY_NOT_FOUND')
  expectError(await trigger(await shop.token('POST /payins/.*'), 'paid'), 403, 'OPERATION_NOT_PERMITTED')
  const paid = expectSuccess(await trigger(token, 'paid'), 200)
  assert.deepEqual([at(paid, 'merchantCode'), at(paid, 'status')], ['DEMO', 'SUCCESS'])
  assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'SUCCESS')
  assert.equal((await trigger(token, 'unknown')).status, 406)
})

test('P25 P26 in live there is neither: nothing is shown and nothing happens', async (t) => {
  const live = await startGateway(t, {
    settings: {
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
    },
  })
  const merchant = await addLiveMerchant(live, 'SHOP')
  const bearer = await merchant.token('GET /sandbox/.*', 'POST /sandbox/.*')
  for (const request of [
    { method: 'GET', path: '/sandbox/requests' },
    { method: 'POST', path: '/sandbox/payins/A/!trigger', body: { outcome: 'paid' } },
  ])
    expectError(await live.send({ ...request, token: bearer }), 404, 'ROUTE_NOT_FOUND')
  const file = join(folder, 'live-key.pem')
  writeFileSync(file, merchant.privateKey, { mode: 0o600 })
  const asMerchant = ['--merchant', 'SHOP', '--private-key-file', file, '--api-url', live.url]
  const { code, stderr } = await runProgram([CLI, 'tail', ...asMerchant], FAR_AWAY)
  assert.deepEqual([code, stderr], [6, 'This works only in the sandbox.\n'])
})

test('tollgate tail shows each request as it comes, and what was wrong in sentences', async () => {
  const follower = startProgram([CLI, 'tail', '--failed', ...asShop], FAR_AWAY)
  after(() => {
    follower.kill('SIGTERM')
  })
  const within = { timeoutMs: 60_000, what: 'the first word of tail' }
  await waitUntil(() => follower.stderr().includes('Requests of DEMO'), within)
  const [good, bad] = [newId(), newId()]
  await createPayin(gateway, token, { id: good })
  await gateway.send(createRequest(token, bad, { amount: '0' }))
  await waitUntil(() => follower.stdout().includes(bad), { ...within, what: 'the refused request' })
  assert.match(
    follower.stdout(),
    /^\d\d:\d\d:\d\d POST \/payins\/\S+ -> 400 ATTRIBUTE_\w+ in \d+ ms \(\S+\)\n {9}paymentRequested\.money\.amount: /m,
  )
  assert.doesNotMatch(follower.stdout(), new RegExp(good))
  follower.kill('SIGTERM')
  assert.equal(await follower.end, 0)
})

test('tollgate trigger by the merchant’s key needs no operator, and says what it cannot do', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'slow@sandbox.test' })
  const paid = await runProgram([CLI, 'trigger', 'payin', 'paid', id, ...asShop], FAR_AWAY)
  assert.equal(paid.code, 0, paid.stderr)
  assert.equal(paid.stdout, `The payin ${id} is SUCCESS (CONFIRMED).\n`)
  const missing = await runProgram([CLI, 'trigger', 'payin', 'paid', newId(), ...asShop], FAR_AWAY)
  assert.equal(missing.code, 4, missing.stderr)
  const keyless = await runProgram([CLI, 'trigger', 'payin', 'paid', id, '--api-url', gateway.url], FAR_AWAY)
  assert.deepEqual([keyless.code, keyless.stderr], [2, '--api-url needs --private-key-file.\n'])
})
