import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CallbackInvalid, callbackHandler, verifyCallback } from '@tollgate/sdk'
import { callbackReceiver, type ReceivedRequest, waitUntil } from '@tollgate/testkit'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// Specification section 6.

const INTERVAL_SECONDS = 4
const ATTEMPTS = 5
const CALL_TIMEOUT_MS = 60_000
/** How much later than due an attempt may be seen here, on a busy machine. */
const LATE_MS = 4_000
/** An attempt may be so late where other work stops the machine for seconds; one that is not made at all never comes. */
const LATE_MAX_MS = 10_000
/** Both ends of an interval are measured after a way through the network. */
const EARLY_MS = 500

const gateway = await startGateway(
  { after },
  { settings: { TOLLGATE_CALLBACK_INTERVAL_SECONDS: String(INTERVAL_SECONDS) } },
)
const token = await gateway.demo().token(...ALL_OPERATIONS)

async function publicKeys(): Promise<readonly string[]> {
  const body = expectSuccess(await gateway.send({ method: 'GET', path: '/merchant-info', token }), 200)
  return listAt(body, 'callbackPublicKeys').map(String)
}

async function paidPayin(callbackUrl: string, email = 'success@sandbox.test'): Promise<string> {
  const id = newId()
  await createPayin(gateway, token, { id, email, callbackUrl })
  return id
}

test('a status change is called back once, signed, with the id and nothing else', async (t) => {
  const receiver = await callbackReceiver(t)
  const id = await paidPayin(`${receiver.url}/callbacks?shop=1`)
  const [call] = await receiver.waitForCount(1, CALL_TIMEOUT_MS)
  assert.ok(call)
  assert.equal(call.method, 'POST')
  assert.equal(call.path, '/callbacks?shop=1')
  assert.equal(call.body, JSON.stringify({ idEntity: id }))
  assert.match(call.headers['content-type'] ?? '', /^application\/json/)
  assert.equal(call.headers['x-api-version'], '2')
  assert.match(String(call.headers['webhook-timestamp']), /^\d{10}$/)
  const event = await verify(call, await publicKeys())
  assert.equal(event.idEntity, id)
  assert.equal(event.kind, 'PAYIN')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await sleep(INTERVAL_SECONDS * 1000 + EARLY_MS)
  assert.equal(receiver.requests.length, 1, 'a callback that was answered with 200 is not repeated')
})

test('the payment has its new status when the callback comes', async (t) => {
  const statuses: string[] = []
  const receiver = await callbackReceiver(t, {
    answer: async ({ body }) => {
      const id = textAt(JSON.parse(body), 'idEntity')
      await payinWithStatus(gateway, token, { id, status: 'FAILED', timeoutMs: 0 })
      statuses.push('FAILED')
      return 200
    },
  })
  await paidPayin(receiver.url, 'declined@sandbox.test')
  await receiver.waitForCount(1, CALL_TIMEOUT_MS)
  await waitUntil(() => statuses.length === 1, { timeoutMs: CALL_TIMEOUT_MS, what: 'the status to be read' })
})

for (const email of ['declined@sandbox.test', 'cancelled@sandbox.test']) {
  test(`an unsuccessful end is called back, too: ${email}`, async (t) => {
    const receiver = await callbackReceiver(t)
    const id = await paidPayin(receiver.url, email)
    const [call] = await receiver.waitForCount(1, CALL_TIMEOUT_MS)
    assert.equal(call?.body, JSON.stringify({ idEntity: id }))
  })
}

test('an altered callback does not verify', async (t) => {
  const receiver = await callbackReceiver(t)
  await paidPayin(receiver.url)
  const [call] = await receiver.waitForCount(1, CALL_TIMEOUT_MS)
  assert.ok(call)
  const keys = await publicKeys()
  await assert.rejects(
    verify({ ...call, bodyBytes: Buffer.from('{"idEntity":"other"}') }, keys),
    CallbackInvalid,
  )
  const later = {
    ...call.headers,
    'webhook-timestamp': String(Number(call.headers['webhook-timestamp']) + 1),
  }
  await assert.rejects(verify({ ...call, headers: later }, keys), CallbackInvalid)
  const renamed = { ...call.headers, 'webhook-id': 'another' }
  await assert.rejects(verify({ ...call, headers: renamed }, keys), CallbackInvalid)
})

test('the handler of the SDK takes the callback in', async (t) => {
  const seen: string[] = []
  const handle = callbackHandler({ publicKeys, onPayment: ({ idEntity }) => void seen.push(idEntity) })
  const receiver = await callbackReceiver(t, {
    answer: async ({ method, headers, bodyBytes }) => {
      const response = { statusCode: 0, end: () => undefined }
      await handle({ method, headers, rawBody: bodyBytes }, response)
      return response.statusCode
    },
  })
  const id = await paidPayin(receiver.url)
  await waitUntil(() => seen.length > 0, { timeoutMs: CALL_TIMEOUT_MS, what: 'the payment' })
  assert.deepEqual(seen, [id])
})

/** Whether the libraries that merchants use take the callback in, and what the SDK says. */
async function verdicts(
  { headers, body, bodyBytes }: ReceivedRequest,
  secret: string,
): Promise<readonly boolean[]> {
  const given = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  const isTaken = (read: () => unknown): boolean => {
    try {
      read()
      return true
    } catch {
      return false
    }
  }
  return [
    isTaken(() => new StandardWebhook(secret).verify(body, given)),
    isTaken(() => new SvixWebhook(secret).verify(body, given)),
    await verifyCallback({ headers, body: bodyBytes, publicKeys: [secret] }).then(
      () => true,
      () => false,
    ),
  ]
}

test('C15 with a shared secret the usual libraries verify callbacks, while it changes, too, and never by another one', async (t) => {
  const merchants = async (command: string): Promise<string> => {
    const { stdout } = await gateway.cli('merchants', command, 'DEMO', '--json')
    return String(at(JSON.parse(stdout), 'callbackSecret'))
  }
  const callBy = async (signatures: RegExp): Promise<ReceivedRequest> => {
    for (;;) {
      const receiver = await callbackReceiver(t)
      await paidPayin(receiver.url)
      const [call] = await receiver.waitForCount(1, CALL_TIMEOUT_MS)
      assert.ok(call)
      // A worker hears of the change within a second.
      if (signatures.test(String(call.headers['webhook-signature']))) return call
    }
  }
  const [YES, NO] = [
    [true, true, true],
    [false, false, false],
  ]
  const first = await merchants('rotate-callback-secret')
  assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/)
  const call = await callBy(/^v1a,\S+ v1,\S+$/)
  assert.deepEqual(await verdicts(call, first), YES)
  assert.equal((await verify(call, await publicKeys())).kind, 'PAYIN')
  assert.deepEqual(
    await verdicts({ ...call, body: `${call.body} `, bodyBytes: Buffer.from(`${call.body} `) }, first),
    NO,
  )

  const second = await merchants('rotate-callback-secret')
  const during = await callBy(/^v1a,\S+ v1,\S+ v1,\S+$/)
  for (const secret of [first, second]) assert.deepEqual(await verdicts(during, secret), YES)
  assert.deepEqual(await verdicts(call, second), NO)

  await merchants('remove-callback-secret')
  const without = await callBy(/^v1a,\S+$/)
  for (const secret of [first, second]) assert.deepEqual(await verdicts(without, secret), NO)
  const third = await merchants('rotate-callback-secret')
  const again = await callBy(/^v1a,\S+ v1,\S+$/)
  assert.deepEqual(await verdicts(again, third), YES)
  for (const secret of [first, second]) assert.deepEqual(await verdicts(again, secret), NO)
  await merchants('remove-callback-secret')
  const { stdout } = await gateway.cli('merchants', 'show', 'DEMO', '--json')
  for (const secret of [first, second, third]) assert.ok(!stdout.includes(secret))
})

test('only 200 counts as received: other successes and redirects are repeated, and redirects are not followed', async (t) => {
  const elsewhere = await callbackReceiver(t)
  const answers = [
    { kind: 'reply', status: 204 },
    { kind: 'redirect', location: elsewhere.url, status: 307 },
    { kind: 'reply', status: 200 },
  ] as const
  const receiver = await callbackReceiver(t, { answer: (_, n) => answers[n - 1] ?? 200 })
  await paidPayin(receiver.url)
  const calls = await receiver.waitForCount(
    answers.length,
    answers.length * INTERVAL_SECONDS * 1000 + LATE_MAX_MS,
  )
  expectInterval(calls)
  assert.equal(elsewhere.requests.length, 0)
})

test('a receiver that never answers delays nobody else', async (t) => {
  const deaf = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  const alert = await callbackReceiver(t)
  await Promise.all(Array.from({ length: 20 }, () => paidPayin(deaf.url)))
  await deaf.waitForCount(1, CALL_TIMEOUT_MS)
  const startedMs = performance.now()
  await paidPayin(alert.url)
  await alert.waitForCount(1, CALL_TIMEOUT_MS)
  assert.ok(performance.now() - startedMs < INTERVAL_SECONDS * 1000)
})

test('an unanswered callback is repeated 4 times at the interval, across a kill of the gateway', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => 500 })
  const id = await paidPayin(receiver.url)
  await receiver.waitForCount(2, (INTERVAL_SECONDS + 1) * 1000 + LATE_MAX_MS)
  await sleep(EARLY_MS)
  await gateway.kill()
  await gateway.start()
  const backAtMs = performance.now()
  const calls = await receiver.waitForCount(ATTEMPTS, ATTEMPTS * INTERVAL_SECONDS * 1000 + LATE_MAX_MS)
  expectInterval(calls, backAtMs)
  assert.equal(new Set(calls.map((call) => call.headers['webhook-id'])).size, 1)
  const keys = await publicKeys()
  for (const call of calls) assert.equal((await verify(call, keys)).idEntity, id)
  await sleep(INTERVAL_SECONDS * 1000 + LATE_MS)
  assert.equal(receiver.requests.length, ATTEMPTS, 'there is no sixth attempt')
})

function verify({ headers, bodyBytes }: ReceivedRequest, keys: readonly string[]) {
  return verifyCallback({ headers, body: bodyBytes, publicKeys: keys })
}

/**
 * Every attempt starts one interval after the one before it started; one that was due while the gateway was away, as soon
 * as it is back at `backAtMs`.
 */
function expectInterval(calls: readonly ReceivedRequest[], backAtMs = 0): void {
  const times = calls.map((call) => call.receivedAtMs)
  for (const [index, startedMs] of times.slice(1).entries()) {
    const dueMs = (times[index] ?? 0) + INTERVAL_SECONDS * 1000
    assert.ok(startedMs > dueMs - EARLY_MS, `${times.join(', ')} ms`)
    assert.ok(
      startedMs < Math.max(dueMs, backAtMs) + LATE_MAX_MS,
      `${times.join(', ')} ms, back at ${backAtMs}`,
    )
  }
}
