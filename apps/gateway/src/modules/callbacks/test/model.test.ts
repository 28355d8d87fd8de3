import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  CALLBACK_ATTEMPTS_MAX,
  type ClaimedCallback,
  callbackBody,
  callbackHeaders,
  judgeResult,
  receiverOf,
  signedContent,
} from '../model.ts'

test('C12 whatever was answered can be stored: at most 4 kB, no control characters, well formed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 5_000 }), (bodyStart) => {
      const { answerStart = '' } = judgeResult({ kind: 'answered', status: 500, tookMs: 1, bodyStart })
      assert.ok(Buffer.byteLength(answerStart) <= 4_096)
      assert.ok(answerStart.isWellFormed())
      assert.doesNotMatch(answerStart, /\p{Cc}/u)
    }),
  )
})

test('200 alone is a success, and its answer is not kept', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 999 }), (status) => {
      const { outcome } = judgeResult({ kind: 'answered', status, tookMs: 1, bodyStart: 'x' })
      assert.equal(outcome === 'OK', status === 200)
    }),
  )
  assert.deepEqual(judgeResult({ kind: 'answered', status: 200, tookMs: 1, bodyStart: 'x' }), {
    outcome: 'OK',
    httpStatus: 200,
    tookMs: 1,
    message: undefined,
    answerStart: undefined,
  })
})

test('the body is the id and nothing else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,250}$/), (idEntity) => {
      assert.equal(callbackBody(idEntity), `{"idEntity":"${idEntity}"}`)
    }),
  )
})

test('a receiver is scheme, host and port, however the URL is written', () => {
  assert.equal(receiverOf('https://Shop.example:443/a?b=c'), 'https://shop.example')
  assert.equal(receiverOf('https://shop.example:8443/a'), 'https://shop.example:8443')
  assert.notEqual(receiverOf('http://shop.example/'), receiverOf('https://shop.example/'))
})

const CLAIMED: ClaimedCallback = {
  eventId: '8f1c',
  merchantId: '1',
  kind: 'PAYIN',
  idEntity: 'order-1',
  isRefund: false,
  url: 'https://shop.example/hook',
  receiver: 'https://shop.example',
  attemptNo: 1,
  leaseToken: '',
  startedAtSeconds: 1_795_262_400,
}

test('there is one call and four repeats', () => assert.equal(CALLBACK_ATTEMPTS_MAX, 5))

test('a signature covers id, time and body, and the headers say what it covers', () => {
  assert.equal(signedContent(CLAIMED), '8f1c.1795262400.{"idEntity":"order-1"}')
  assert.deepEqual(callbackHeaders(CLAIMED, ['v1a,one', 'v1a,two'], '1.2.3'), {
    'content-type': 'application/json',
    'user-agent': 'Tollgate/1.2.3 (+callback)',
    'x-api-version': '2',
    'webhook-id': '8f1c',
    'webhook-timestamp': '1795262400',
    'webhook-signature': 'v1a,one v1a,two',
    'webhook-event-type': 'payin.status',
  })
  const typeOf = (kind: ClaimedCallback['kind']) =>
    callbackHeaders({ ...CLAIMED, kind }, [], '1')['webhook-event-type']
  assert.deepEqual([typeOf('PAYOUT'), typeOf('TOPUP')], ['payout.status', 'topup.status'])
})

test('each way to fail has its outcome, with a message and without a status', () => {
  const reasons = ['timeout', 'blocked', 'dns', 'refused', 'reset', 'tls', 'protocol', 'other'] as const
  for (const reason of reasons) {
    assert.deepEqual(judgeResult({ kind: 'failed', reason, message: 'It\nfailed.', tookMs: 7 }), {
      outcome: reason.toUpperCase(),
      httpStatus: undefined,
      tookMs: 7,
      message: 'It failed.',
      answerStart: undefined,
    })
  }
})

test('of another answer than 200 the start is kept, each run of control characters as one space, no character cut', () => {
  assert.deepEqual(judgeResult({ kind: 'answered', status: 503, tookMs: 9, bodyStart: 'busy\r\n\0now' }), {
    outcome: 'WRONG_STATUS',
    httpStatus: 503,
    tookMs: 9,
    message: undefined,
    answerStart: 'busy now',
  })
  const long = judgeResult({ kind: 'answered', status: 500, tookMs: 1, bodyStart: `${'a'.repeat(4_095)}é` })
  assert.equal(long.answerStart, 'a'.repeat(4_095))
  const full = judgeResult({ kind: 'answered', status: 500, tookMs: 1, bodyStart: 'a'.repeat(5_000) })
  assert.equal(full.answerStart, 'a'.repeat(4_096))
})
