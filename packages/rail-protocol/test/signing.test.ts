import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  deriveKeys,
  PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS,
  type RequestToSign,
  type RequestToVerify,
  type SignatureHeaders,
  signAnswer,
  signatureOf,
  signRequest,
  verifyAnswer,
  verifyRequest,
} from '../src/index.ts'

const SECRET = Buffer.alloc(32, 7)
const KEYS = deriveKeys(SECRET)
const NOW_SECONDS = 1_790_000_000
const REQUEST: RequestToSign = {
  keyId: 'bank-1',
  method: 'PUT',
  path: '/payments/7KQ2M8X4TJ5N',
  timestampSeconds: NOW_SECONDS,
  body: '{"reference":"7KQ2M8X4TJ5N"}',
}

/** Headers as the receiving side has them. */
const received = (headers: SignatureHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const arrived = (changes: Partial<RequestToVerify> = {}): RequestToVerify => ({
  ...REQUEST,
  headers: received(signRequest(KEYS.gateway, REQUEST)),
  nowMs: NOW_SECONDS * 1000,
  ...changes,
})

test('the signature is what the protocol says, computed here by hand', () => {
  const key = createHmac('sha256', SECRET).update('tollgate gateway').digest()
  const digest = createHash('sha256').update(REQUEST.body).digest('hex')
  const expected = createHmac('sha256', key)
    .update(`v1\nPUT\n/payments/7KQ2M8X4TJ5N\n${String(NOW_SECONDS)}\n${digest}`)
    .digest('hex')
  assert.deepEqual(signRequest(KEYS.gateway, REQUEST), {
    'Tollgate-Key': 'bank-1',
    'Tollgate-Timestamp': String(NOW_SECONDS),
    'Tollgate-Signature': `v1=${expected}`,
  })
})

test('a request is believed as it was signed, and its signature is told', () => {
  const verdict = verifyRequest(KEYS.gateway, arrived())
  assert.deepEqual(verdict, { ok: true, signature: signatureOf(signRequest(KEYS.gateway, REQUEST)) })
})

test('a request is not believed once anything of it has changed', () => {
  const changes: readonly [Partial<RequestToVerify>, RegExp][] = [
    [{ method: 'POST' }, /signature is not valid/],
    [{ path: '/payments/7KQ2M8X4TJ5P' }, /signature is not valid/],
    [{ path: '/payments/7KQ2M8X4TJ5N?x=1' }, /signature is not valid/],
    [{ body: '{"reference":"7KQ2M8X4TJ5N" }' }, /signature is not valid/],
    [{ keyId: 'bank-2' }, /another key/],
    [{ headers: {} }, /no Tollgate-Key/],
  ]
  for (const [change, why] of changes) {
    const verdict = verifyRequest(KEYS.gateway, arrived(change))
    assert.equal(verdict.ok, false, JSON.stringify(change))
    assert.match(verdict.why, why)
  }
})

test('headers that are missing, doubled or of another form are refused without an exception', () => {
  const good = received(signRequest(KEYS.gateway, REQUEST))
  const { 'tollgate-timestamp': _, ...timeless } = good
  const bad: readonly RequestToVerify['headers'][] = [
    timeless,
    { ...good, 'tollgate-timestamp': '1e9' },
    { ...good, 'tollgate-timestamp': `0${String(NOW_SECONDS)}` },
    { ...good, 'tollgate-timestamp': [String(NOW_SECONDS), String(NOW_SECONDS)] },
    { ...good, 'tollgate-signature': '' },
    { ...good, 'tollgate-signature': `v2=${'0'.repeat(64)}` },
    { ...good, 'tollgate-signature': `${good['tollgate-signature'] ?? ''}0` },
    { ...good, 'tollgate-signature': (good['tollgate-signature'] ?? '').toUpperCase() },
    { ...good, 'tollgate-key': ['bank-1', 'bank-1'] },
  ]
  for (const headers of bad)
    assert.equal(verifyRequest(KEYS.gateway, arrived({ headers })).ok, false, JSON.stringify(headers))
})

test('a message counts for 300 seconds either way and no longer', () => {
  const at = (seconds: number) =>
    verifyRequest(KEYS.gateway, arrived({ nowMs: (NOW_SECONDS + seconds) * 1000 }))
  assert.equal(at(PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS).ok, true)
  assert.equal(at(-PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS).ok, true)
  assert.equal(at(PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS + 1).ok, false)
  assert.equal(at(-PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS - 1).ok, false)
})

test('what one side signed is not believed when it is sent back as the other’s', () => {
  assert.equal(verifyRequest(KEYS.institution, arrived()).ok, false)
})

test('an answer fits its own request, status and body only', () => {
  const answer = { status: 200, requestSignature: 'a'.repeat(64), body: '{}' }
  const headers = received(signAnswer(KEYS.institution, { ...answer, timestampSeconds: NOW_SECONDS }))
  const verdict = (changes: object) =>
    verifyAnswer(KEYS.institution, { ...answer, headers, nowMs: NOW_SECONDS * 1000, ...changes }).ok
  assert.equal(verdict({}), true)
  assert.equal(verdict({ status: 400 }), false)
  assert.equal(verdict({ requestSignature: 'b'.repeat(64) }), false)
  assert.equal(verdict({ body: '{ }' }), false)
  assert.equal(verdict({ nowMs: (NOW_SECONDS + 301) * 1000 }), false)
  assert.equal(verdict({ headers: {} }), false)
})

test('no bytes, times and paths make a signature that verification does not accept', () => {
  const request = fc.record({
    method: fc.constantFrom('GET', 'PUT', 'POST'),
    path: fc.webPath(),
    timestampSeconds: fc.integer({ min: 1, max: 999_999_999_999 }),
    body: fc.uint8Array(),
  })
  fc.assert(
    fc.property(request, (given) => {
      const headers = received(signRequest(KEYS.institution, { keyId: 'k', ...given }))
      const nowMs = given.timestampSeconds * 1000
      assert.equal(verifyRequest(KEYS.institution, { keyId: 'k', ...given, headers, nowMs }).ok, true)
    }),
    { numRuns: 200 },
  )
})

test('a secret of fewer than 32 bytes is refused, and headers without a signature have none', () => {
  assert.throws(() => deriveKeys(Buffer.alloc(31)), RangeError)
  assert.throws(() => signatureOf({}), TypeError)
})
