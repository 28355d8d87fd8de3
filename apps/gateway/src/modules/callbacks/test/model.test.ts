import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { callbackBody, judgeResult, receiverOf } from '../model.ts'

test('whatever was answered can be stored: at most 4 kB, no control characters, well formed', () => {
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
  assert.equal(
    judgeResult({ kind: 'answered', status: 200, tookMs: 1, bodyStart: 'x' }).answerStart,
    undefined,
  )
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
