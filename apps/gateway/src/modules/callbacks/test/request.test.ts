import assert from 'node:assert/strict'
import { verify } from 'node:crypto'
import { test } from 'node:test'
import { callbackReceiver, type ReceivedRequest } from '@tollgate/testkit'
import { KEYS, notify, openRig, signTwice } from './rig.ts'

/** What a merchant does with a callback: Standard Webhooks, ed25519, over the bytes that came. */
function isSignedBy(key: 0 | 1, request: ReceivedRequest): boolean {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures,
  } = request.headers
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), request.bodyBytes])
  return String(signatures)
    .split(' ')
    .some((each) => {
      const [version, signature] = each.split(',')
      if (version !== 'v1a' || signature === undefined) return false
      return verify(null, content, KEYS[key].publicKey, Buffer.from(signature, 'base64'))
    })
}

test('the request is a POST of the id alone, signed, with the same id in every attempt', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: (_request, n) => (n < 3 ? 500 : 200) })
  rig.startWorker()
  const eventId = await notify(rig.db, `${receiver.url}/hook?shop=7`, { idEntity: 'Order_1-a' })
  const requests = await receiver.waitForCount(3, 10_000)
  for (const request of requests) {
    assert.equal(request.method, 'POST')
    assert.equal(request.path, '/hook?shop=7')
    assert.deepEqual(request.bodyBytes, Buffer.from('{"idEntity":"Order_1-a"}'))
    assert.equal(request.headers['content-type'], 'application/json')
    assert.equal(request.headers['content-length'], '24')
    assert.equal(request.headers['user-agent'], 'Tollgate/1.2.3 (+callback)')
    assert.equal(request.headers['x-api-version'], '2')
    assert.equal(request.headers['webhook-event-type'], 'payin.status')
    assert.equal(request.headers['webhook-id'], eventId)
    assert.match(String(request.headers['webhook-timestamp']), /^\d{10}$/)
    assert.ok(isSignedBy(0, request), 'the signature does not verify')
    assert.ok(!isSignedBy(1, request), 'the signature verifies with another key')
  }
  const [first, , third] = requests.map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.ok(third !== undefined && first !== undefined && third >= first + 2, 'each attempt has its own time')
})

test('each kind of payment has its event type', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  rig.startWorker()
  await notify(rig.db, receiver.url, { kind: 'PAYOUT' })
  await notify(rig.db, receiver.url, { kind: 'TOPUP' })
  const requests = await receiver.waitForCount(2, 5_000)
  assert.deepEqual(requests.map(({ headers }) => headers['webhook-event-type']).sort(), [
    'payout.status',
    'topup.status',
  ])
})

test('while keys rotate a callback verifies with either key', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  rig.startWorker({}, { sign: signTwice })
  await notify(rig.db, receiver.url)
  const [request] = await receiver.waitForCount(1, 5_000)
  assert.ok(request !== undefined)
  assert.ok(isSignedBy(0, request) && isSignedBy(1, request))
  const changed = { ...request, bodyBytes: Buffer.from('{"idEntity":"another"}') }
  assert.ok(!isSignedBy(0, changed), 'a signature covers the body')
})
