import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort, waitUntil } from '@tollgate/testkit'
import { type Outcome, runProgram, type Settings } from '../support/process.ts'
import { tollgate } from './support/cli.ts'
import { startGateway } from './support/gateway.ts'
import { limitTo } from './support/limits.ts'
import { addMerchant, type Merchant, verdict } from './support/merchant.ts'
import { askToken, nowSeconds, signatureOver, tokenOf } from './support/token-request.ts'

const OWN_ADDRESS = '127.0.0.2'

const operatorPort = await freePort()
const gateway = await startGateway(
  { after },
  { env: { TOLLGATE_OPERATOR_HOST: OWN_ADDRESS, TOLLGATE_OPERATOR_PORT: String(operatorPort) } },
)

interface Timed {
  readonly sentMs: number
  readonly receivedMs: number
  readonly answer: string
}

/** The n-th admission is not before the n-th earliest sending and not after the n-th earliest answer. */
function assertWindowsHold(answers: readonly Timed[], limit: number): void {
  const admitted = answers.filter(({ answer }) => !answer.startsWith('429'))
  const sent = admitted.map(({ sentMs }) => sentMs).sort((a, b) => a - b)
  const received = admitted.map(({ receivedMs }) => receivedMs).sort((a, b) => a - b)
  for (const [index, sentMs] of sent.entries()) {
    const later = received[index + limit]
    if (later === undefined) continue
    assert.ok(later - sentMs >= 1_000, `${limit + 1} requests were admitted within ${later - sentMs} ms`)
  }
}

test('G14 many tokens of single payments do not multiply options, lists and creates', async () => {
  const shop = await addMerchant(gateway, 'CROWD')
  const ids = Array.from({ length: 25 }, (_, n) => `crowd-${n}`)
  const tokens = await Promise.all(
    ids.map((idPayment) => shop.actionToken({ action: 'PAYIN_CREATE', idPayment })),
  )
  // Ten times two: the limit of all of its customers' tokens together.
  await limitTo(gateway, shop, 2)
  const ask = async (n: number): Promise<Timed> => {
    const sentMs = performance.now()
    const response = await gateway.call({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token: tokens[n % tokens.length] ?? '',
      body: { money: { amount: 25, currencyCode: 'EUR' } },
    })
    return { sentMs, receivedMs: performance.now(), answer: verdict(response) }
  }
  const answers = await Promise.all(Array.from({ length: 250 }, (_, n) => ask(n)))
  assertWindowsHold(answers, 20)
  assert.deepEqual([...new Set(answers.map(({ answer }) => answer))].sort(), [
    '200',
    '429 RATE_LIMIT_EXCEEDED',
  ])
  // What customers wait for, and the shop itself, have shares of their own.
  const reads = await Promise.all(
    ids.map((id, n) => gateway.call({ method: 'GET', path: `/payins/${id}`, token: tokens[n] ?? '' })),
  )
  for (const read of reads) assert.notEqual(read.headers.get('ratelimit-policy'), '"customers";q=20;w=1')
})

/** A signed request for a token, as JSON text with its signature. */
function signedRequest(merchant: Merchant, members: Record<string, unknown> = {}) {
  const body = JSON.stringify({
    merchantCode: merchant.merchantCode,
    operations: ['GET /segments'],
    validitySecs: 600,
    timestamp: nowSeconds(),
    ...members,
  })
  return { body, signature: signatureOver(body, merchant.privateKey) }
}

const isOpenTo = async (token: string): Promise<boolean> =>
  (await gateway.call({ method: 'GET', path: '/segments', token })).status === 200

test('A18 a signed request that was seen before a revocation is no token after it, at no process and after no restart', async (t) => {
  const shop = await addMerchant(gateway, 'REVOKED')
  // By the clock, and ahead of it within the tolerance: the time alone would spare the second.
  const requests = [0, 250].map((ahead) => signedRequest(shop, { timestamp: nowSeconds() + ahead }))
  const tokens: string[] = []
  for (const request of requests) {
    const token = tokenOf(await askToken(gateway, request))
    assert.equal(tokenOf(await askToken(gateway, request)), token)
    assert.equal(await isOpenTo(token), true)
    tokens.push(token)
  }
  await tollgate(gateway, 'merchants', 'revoke-tokens', 'REVOKED')
  for (const token of tokens)
    await waitUntil(async () => !(await isOpenTo(token)), { timeoutMs: 60_000, what: 'the token to end' })
  const restarted = await startGateway(t, { beside: gateway })
  for (const at of [gateway, restarted])
    for (const request of requests)
      assert.equal(verdict(await askToken(at, request)), '401 SIGNATURE_INVALID')
  await waitUntil(
    async () => (await askToken(gateway, signedRequest(shop, { validitySecs: 700 }))).status === 200,
    { timeoutMs: 60_000, what: 'a new request to be a token' },
  )
})

test('A19 the tokens of a key end when it is removed, and those of another go on', async () => {
  const shop = await addMerchant(gateway, 'REKEYED')
  const token = await shop.token(['GET /segments'])
  const secret = (await tollgate(gateway, 'merchants', 'add-secret', 'REKEYED')).trim()
  const bySecret = JSON.stringify({ merchantCode: 'REKEYED', secret, operations: ['GET /segments'] })
  await waitUntil(async () => (await askToken(gateway, { body: bySecret })).status === 200, {
    timeoutMs: 60_000,
    what: 'the secret to be known',
  })
  const other = tokenOf(await askToken(gateway, { body: bySecret }))
  assert.equal(await isOpenTo(token), true)
  await tollgate(gateway, 'merchants', 'remove-key', 'REKEYED', 'key_of_REKEYED')
  await waitUntil(async () => !(await isOpenTo(token)), { timeoutMs: 60_000, what: 'the token to end' })
  const refused = await gateway.call({ method: 'GET', path: '/segments', token })
  assert.equal(verdict(refused), '401 TOKEN_INVALID')
  assert.equal(await isOpenTo(other), true)
})

test('A20 a signed request whose token would have expired is refused, however often it came before', async () => {
  const shop = await addMerchant(gateway, 'LATE')
  const late = signedRequest(shop, { timestamp: nowSeconds() - 200, validitySecs: 100 })
  for (let time = 0; time < 2; time += 1)
    assert.equal(verdict(await askToken(gateway, late)), '401 SIGNATURE_INVALID')
  assert.equal(
    verdict(await askToken(gateway, signedRequest(shop, { timestamp: nowSeconds() - 200 }))),
    '200',
  )
})

test('A21 a whole number is one however it is written, and nothing else is', async () => {
  const shop = await addMerchant(gateway, 'DECIMAL')
  const ask = async (validity: string): Promise<string> => {
    const { body } = signedRequest(shop)
    const text = body.replace('"validitySecs":600', `"validitySecs":${validity}`)
    return verdict(await askToken(gateway, { body: text, signature: signatureOver(text, shop.privateKey) }))
  }
  for (const whole of ['3600.0', '36e2', '3.6e3', '3600']) assert.equal(await ask(whole), '200', whole)
  for (const other of ['3600.5', '3600.00000000000000000001', '1e40', '"3600"', '0.0', '-1.0', '86401.0'])
    assert.match(await ask(other), /^400 ATTRIBUTE_/, other)
})

test('G15 live refuses address ranges that mean every address', async () => {
  for (const [name, range] of [
    ['TOLLGATE_CALLBACK_ALLOW_CIDR', '10.0.0.0/8,::/0'],
    ['TOLLGATE_TRUST_PROXY', 'loopback,0.0.0.0/0'],
  ] as const) {
    const outcome = await liveStart({ [name]: range })
    assert.match(outcome.stderr, new RegExp(`^${name} must not hold \\S+/0 in live: it means every address`))
  }
})

test('G16 live does not start by itself on a folder: it needs its own database and master key', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const key = join(folder, 'key')
  writeFileSync(key, randomBytes(32).toString('base64'))
  const noDatabase = await liveStart({ TOLLGATE_MASTER_KEY_FILE: key })
  assert.match(noDatabase.stderr, /^TOLLGATE_DATABASE_URL must be set in live/)
  const noKey = await liveStart({ TOLLGATE_DATABASE_URL: gateway.databaseUrl })
  assert.match(noKey.stderr, /^TOLLGATE_MASTER_KEY_FILE must be set in live/)
})

/** A start in live that must end with one sentence. */
async function liveStart(settings: Settings): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-live-'))
  const outcome = await runProgram(['apps/gateway/src/main.ts'], {
    TOLLGATE_DATA_DIR: join(folder, 'data'),
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
    TOLLGATE_CHECKOUT_PORT: '0',
    TOLLGATE_API_PORT: '0',
    TOLLGATE_OPERATOR_PORT: '0',
    TOLLGATE_METRICS_PORT: '0',
    ...settings,
  })
  rmSync(folder, { recursive: true, force: true })
  assert.equal(outcome.code, 2, outcome.stderr)
  assert.equal(outcome.stderr.trim().split('\n').length, 1, outcome.stderr)
  return outcome
}

test('G17 the operator API listens at its own address and nowhere else', async () => {
  const isOpen = (host: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(operatorPort, host)
      socket.once('connect', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
  assert.equal(await isOpen(OWN_ADDRESS), true)
  assert.equal(await isOpen('127.0.0.1'), false)
  assert.equal(verdict(await gateway.call({ method: 'GET', path: '/balances' })), '401 TOKEN_MISSING')
})

test('G18 a refused request is in the log with its code and the merchant that it claims; the page’s own question is not', async () => {
  const lines = () =>
    gateway
      .logged()
      .split('\n')
      .filter((line) => line.includes('"status":401'))
      .map((line): Record<string, unknown> => JSON.parse(line))
  const body = JSON.stringify({ merchantCode: 'CLAIMED', secret: 'sec_x', operations: ['GET /segments'] })
  assert.equal(verdict(await askToken(gateway, { body })), '401 CREDENTIALS_INVALID')
  const forged = `e30.${Buffer.from(JSON.stringify({ sub: 'FORGED' })).toString('base64url')}.AAAA`
  const hostile = `e30.${Buffer.from(JSON.stringify({ sub: 'x"\n{"' })).toString('base64url')}.AAAA`
  for (const token of [forged, hostile])
    assert.equal(
      verdict(await gateway.call({ method: 'GET', path: '/segments', token })),
      '401 TOKEN_INVALID',
    )
  const told = (code: string, merchantClaimed: string | undefined): boolean =>
    lines().some((line) => line['code'] === code && line['merchantClaimed'] === merchantClaimed)
  await waitUntil(
    () =>
      told('CREDENTIALS_INVALID', 'CLAIMED') &&
      told('TOKEN_INVALID', 'FORGED') &&
      told('TOKEN_INVALID', undefined),
    { timeoutMs: 60_000, what: 'the lines of the log' },
  )
  for (const line of lines()) assert.equal(line['merchant'], undefined)
})
