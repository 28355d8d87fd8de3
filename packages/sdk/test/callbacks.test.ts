import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { CallbackInvalid, callbackHandler, fetchHandler, verifyCallback } from '../src/index.ts'
import { listening } from './fake-gateway.ts'

const NOW_MS = 1_795_255_200_000
const BODY = '{"idEntity":"ORD-1"}'
const current = keyPair()
const former = keyPair()

function keyPair(): { privateKey: KeyObject; publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return { privateKey, publicKey: `whpk_${raw.toString('base64')}` }
}

function signatureOf(body: string, { privateKey }: { privateKey: KeyObject }, ageSeconds = 0): string {
  const content = `evt_1.${String(NOW_MS / 1000 - ageSeconds)}.${body}`
  return `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`
}

function signedHeaders(body = BODY, ageSeconds = 0, keys = [current]): Record<string, string> {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(NOW_MS / 1000 - ageSeconds),
    'webhook-signature': keys.map((key) => signatureOf(body, key, ageSeconds)).join(' '),
    'webhook-event-type': 'payin.status',
  }
}

const invalid = (reason: string) => (error: unknown) =>
  error instanceof CallbackInvalid && error.reason === reason
const publicKeys = [current.publicKey]

test('a signed callback names its payment', async () => {
  const event = { idEntity: 'ORD-1', kind: 'PAYIN', eventId: 'evt_1' }
  const headers = signedHeaders()
  assert.deepEqual(await verifyCallback({ headers, body: BODY, publicKeys, nowMs: NOW_MS }), event)
  const fetched = { headers: new Headers(headers), body: Buffer.from(BODY), publicKeys, nowMs: NOW_MS }
  assert.deepEqual(await verifyCallback(fetched), event)
})

test('headers are read from any object with a function get, and from a record with a header of that name', async () => {
  const signed = new Headers(signedHeaders())
  const foreign = { get: (name: string) => signed.get(name) }
  const record = { ...signedHeaders(), get: 'a header' }
  for (const headers of [foreign, record]) {
    const event = await verifyCallback({ headers, body: BODY, publicKeys, nowMs: NOW_MS })
    assert.equal(event.idEntity, 'ORD-1')
  }
})

test('a forged callback is refused: other body, other key, other id, no signature', async () => {
  const check = (headers: Record<string, string>, body = BODY) =>
    verifyCallback({ headers, body, publicKeys, nowMs: NOW_MS })
  await assert.rejects(check(signedHeaders(), '{"idEntity":"ORD-2"}'), invalid('SIGNATURE_INVALID'))
  await assert.rejects(check(signedHeaders(BODY, 0, [former])), invalid('SIGNATURE_INVALID'))
  await assert.rejects(check({ ...signedHeaders(), 'webhook-id': 'evt_2' }), invalid('SIGNATURE_INVALID'))
  for (const signature of ['v1a,', 'v1a', 'v1,AAAA', `v1a,${'A'.repeat(88)}`])
    await assert.rejects(
      check({ ...signedHeaders(), 'webhook-signature': signature }),
      invalid('SIGNATURE_INVALID'),
    )
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    await assert.rejects(check({ ...signedHeaders(), [name]: '' }), invalid('HEADERS_MISSING'))
})

test('a callback is valid for five minutes around its time', async () => {
  const check = (ageSeconds: number) =>
    verifyCallback({ headers: signedHeaders(BODY, ageSeconds), body: BODY, publicKeys, nowMs: NOW_MS })
  for (const age of [300, -300]) assert.equal((await check(age)).idEntity, 'ORD-1')
  for (const age of [301, -301]) await assert.rejects(check(age), invalid('TIMESTAMP_OUT_OF_TOLERANCE'))
  const headers = { ...signedHeaders(), 'webhook-timestamp': 'soon' }
  await assert.rejects(
    verifyCallback({ headers, body: BODY, publicKeys }),
    invalid('TIMESTAMP_OUT_OF_TOLERANCE'),
  )
})

test('while keys change, one good signature by one known key is enough', async () => {
  const check = (keys: (typeof current)[], known: string[]) =>
    verifyCallback({ headers: signedHeaders(BODY, 0, keys), body: BODY, publicKeys: known, nowMs: NOW_MS })
  assert.equal((await check([current, former], [former.publicKey])).idEntity, 'ORD-1')
  assert.equal((await check([former], ['whpk2_x', current.publicKey, former.publicKey])).idEntity, 'ORD-1')
  await assert.rejects(check([former], [current.publicKey]), invalid('SIGNATURE_INVALID'))
  await assert.rejects(check([current], ['whpk_c2hvcnQ=', 'nonsense']), invalid('PUBLIC_KEYS_INVALID'))
})

test('a signed body without a payment id is refused', async () => {
  for (const body of ['', 'null', '[]', '{}', '{"idEntity":1}', '{"idEntity":"a/b"}', '{"idEntity":""}'])
    await assert.rejects(
      verifyCallback({ headers: signedHeaders(body), body, publicKeys, nowMs: NOW_MS }),
      invalid('BODY_INVALID'),
    )
})

/** A shop; what it was told, and what it complained about. */
function shop(extra: object = {}) {
  const told: string[] = []
  const problems: unknown[] = []
  const options = {
    publicKeys,
    nowMs: () => NOW_MS,
    onProblem: (problem: unknown) => void problems.push(problem),
    onPayment: ({ idEntity }: { idEntity: string }) => void told.push(idEntity),
    ...extra,
  }
  return { told, problems, options }
}

test('the node handler answers exactly 200 to a valid callback and 400 to a forged one', async (t) => {
  const { told, problems, options } = shop()
  const handler = callbackHandler(options)
  const url = await listening(
    t,
    createServer((request, response) => void handler(request, response)),
  )
  const post = async (headers: Record<string, string>, body = BODY) =>
    (await fetch(url, { method: 'POST', headers, body })).status
  assert.equal(await post(signedHeaders()), 200)
  assert.equal(await post(signedHeaders(BODY, 0, [former])), 400)
  const huge = `{"idEntity":"ORD-1","pad":"${'x'.repeat(70_000)}"}`
  assert.equal(await post(signedHeaders(huge), huge), 400)
  assert.equal((await fetch(url)).status, 405)
  assert.deepEqual(told, ['ORD-1'])
  assert.equal(problems.length, 2)
})

test('the handler works after a body parser, as in Express and Fastify', async () => {
  const { told, options } = shop()
  const handler = callbackHandler(options)
  let sent = 0
  const send = () => {
    sent += 1
  }
  const answer = { statusCode: 0, send }
  const parsed = { method: 'POST', headers: signedHeaders(), body: { idEntity: 'ORD-1' } }
  await handler(parsed, answer)
  assert.deepEqual([answer.statusCode, sent], [200, 1])
  await handler({ ...parsed, body: Buffer.from(BODY) }, answer)
  await handler({ ...parsed, rawBody: BODY }, answer)
  assert.deepEqual(told, ['ORD-1', 'ORD-1', 'ORD-1'])
  await handler({ ...parsed, body: { idEntity: 'ORD-2' } }, answer)
  assert.equal(answer.statusCode, 400)
})

test('an unsigned callback passes only after a body parser and only if the shop allows it', async () => {
  const { told, options } = shop({ signatureOptionalAfterParser: true })
  const handler = callbackHandler(options)
  const answer = { statusCode: 0, end: () => undefined }
  const headers = { 'webhook-event-type': 'payin.status' }
  await handler({ method: 'POST', headers, body: { idEntity: 'ORD-3' } }, answer)
  assert.equal(answer.statusCode, 200)
  for (const refused of [{ body: { idEntity: '../x' } }, { rawBody: BODY }, { body: BODY }]) {
    await handler({ method: 'POST', headers, ...refused }, answer)
    assert.equal(answer.statusCode, 400)
  }
  assert.deepEqual(told, ['ORD-3'])
})

test('when the shop fails, the answer is 500, so that the callback is repeated', async () => {
  const broken = new Error('database away')
  const { problems, options } = shop({ onPayment: () => Promise.reject(broken) })
  const answer = { statusCode: 0, end: () => undefined }
  await callbackHandler(options)({ method: 'POST', headers: signedHeaders(), rawBody: BODY }, answer)
  assert.equal(answer.statusCode, 500)
  assert.deepEqual(problems, [broken])
})

test('the shop is told whether a payin, a payout, a top-up or a refund changed, and a callback must say it', async () => {
  const kinds: unknown[] = []
  const { options } = shop({ onPayment: ({ kind }: { kind: unknown }) => void kinds.push(kind) })
  const handler = fetchHandler(options)
  const post = async (eventType: string) => {
    const headers = { ...signedHeaders(), 'webhook-event-type': eventType }
    return (await handler(new Request('http://shop.example/', { method: 'POST', headers, body: BODY })))
      .status
  }
  for (const type of ['payin', 'payout', 'topup', 'refund']) assert.equal(await post(`${type}.status`), 200)
  assert.deepEqual(kinds, ['PAYIN', 'PAYOUT', 'TOPUP', 'REFUND'])
  assert.equal(await post(''), 400)
})

test('events of a type that did not exist yet are answered 200 and ignored', async () => {
  const { told, options } = shop()
  const headers = { ...signedHeaders(), 'webhook-event-type': 'dispute.opened' }
  const request = new Request('http://shop.example/', { method: 'POST', headers, body: BODY })
  assert.equal((await fetchHandler(options)(request)).status, 200)
  assert.deepEqual(told, [])
})

test('the fetch handler answers exactly 200, and refuses what is not signed or not there', async () => {
  const { told, options } = shop()
  const post = async (init: RequestInit) =>
    (await fetchHandler(options)(new Request('http://shop.example/', { method: 'POST', ...init }))).status
  assert.equal(await post({ headers: signedHeaders(), body: BODY }), 200)
  assert.equal(await post({ body: BODY }), 400)
  assert.equal(await post({ headers: signedHeaders() }), 400)
  assert.deepEqual(told, ['ORD-1'])
})

test('keys that are asked for are asked for once a minute, and again after a failure', async () => {
  let asked = 0
  let nowMs = NOW_MS
  const answers = [() => Promise.reject(new Error('away')), async () => publicKeys, async () => publicKeys]
  const source = () => (answers[asked++] ?? answers[2] ?? (async () => []))()
  const { options } = shop({ publicKeys: source, nowMs: () => nowMs })
  const handler = callbackHandler(options)
  const statusOf = async () => {
    const answer = { statusCode: 0, end: () => undefined }
    await handler({ method: 'POST', headers: signedHeaders(), rawBody: BODY }, answer)
    return answer.statusCode
  }
  assert.equal(await statusOf(), 500)
  assert.deepEqual(await Promise.all([statusOf(), statusOf()]), [200, 200])
  assert.equal(asked, 2)
  nowMs += 60_000
  assert.equal(await statusOf(), 200)
  assert.equal(asked, 3)
})
