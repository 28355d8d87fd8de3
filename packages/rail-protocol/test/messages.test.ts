import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  HAND_OVER_EXAMPLE,
  notificationPath,
  paymentPath,
  readHandOver,
  readNotice,
  readProblem,
  readState,
  STATE_EXAMPLE,
} from '../src/index.ts'

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

test('the examples of the schemas are valid messages', () => {
  assert.deepEqual(readHandOver(bytes(HAND_OVER_EXAMPLE)), { ok: true, message: HAND_OVER_EXAMPLE })
  assert.deepEqual(readState(bytes(STATE_EXAMPLE)), { ok: true, message: STATE_EXAMPLE })
  const notice = { idNotification: 'N-1', payment: STATE_EXAMPLE }
  assert.deepEqual(readNotice(bytes(notice)), { ok: true, message: notice })
  const error = { code: 'NOT_FOUND', message: 'There is no such payment.' }
  assert.deepEqual(readProblem(bytes(error)), { ok: true, message: error })
})

test('a member that the protocol does not know does no harm', () => {
  assert.equal(readState(bytes({ ...STATE_EXAMPLE, note: 'new in a later version' })).ok, true)
})

test('what is wrong is named by its member, and its value is not repeated', () => {
  const wrong: readonly [object, RegExp][] = [
    [{ status: 'DONE' }, /^status /],
    [{ money: { amount: 149.9, currencyCode: 'EUR' } }, /^money\.amount /],
    [{ money: { amount: '-1', currencyCode: 'EUR' } }, /^money\.amount /],
    [{ money: { amount: '1e3', currencyCode: 'EUR' } }, /^money\.amount /],
    [{ money: { amount: '1', currencyCode: 'euro' } }, /^money\.currencyCode /],
    [{ reference: '../secrets' }, /^reference /],
    [{ payer: { accountName: 'Jana\u202eNováková', accountNumber: '1' } }, /^payer\.accountName /],
    [{ askAgainSeconds: 0 }, /^askAgainSeconds /],
    [{ updatedAt: 'yesterday' }, /^updatedAt /],
  ]
  for (const [change, why] of wrong) {
    const reading = readState(bytes({ ...STATE_EXAMPLE, ...change }))
    assert.equal(reading.ok, false, JSON.stringify(change))
    assert.match(reading.why, why)
    assert.doesNotMatch(reading.why, /Jana/)
  }
})

test('bytes that are no JSON, no UTF-8 or too many are refused', () => {
  assert.equal(readState(Buffer.from('{')).ok, false)
  assert.equal(readState(Buffer.from([0x22, 0xff, 0x22])).ok, false)
  assert.equal(readState(bytes({ ...STATE_EXAMPLE, note: 'x'.repeat(16_384) })).ok, false)
  assert.equal(readState(bytes(null)).ok, false)
})

test('reading never throws, whatever comes', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (body) => {
        assert.equal(typeof readNotice(body).ok, 'boolean')
      },
    ),
    { numRuns: 300 },
  )
})

test('paths keep to their place, whatever the reference holds', () => {
  assert.equal(paymentPath('', 'ABC'), '/payments/ABC')
  assert.equal(paymentPath('/adapter/', 'ABC', 'cancel'), '/adapter/payments/ABC/cancel')
  assert.equal(paymentPath('', '../x'), '/payments/..%2Fx')
  assert.equal(notificationPath('bank'), '/rails/bank/notifications')
})
