import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VolumesSchema } from '@tollgate/contract'
import { readerOf } from '../src/wire.ts'

const NONE = '{"payments":0,"amount":0}'

/** An answer of the operator API with one amount as it is written, and with this text as a code. */
function answer(amount: string, code = '"M"'): string {
  const others = ['succeeded', 'late', 'failed', 'cancelled', 'expired', 'reversed', 'refunded']
  const members = others.map((name) => `"${name}":${NONE}`).join(',')
  return `{"step":"DAY","countedUntil":"2026-01-01T00:00:00Z","data":[{"from":"2026-01-01T00:00:00Z","kind":"PAYIN","currencyCode":"EUR","paymentMethodCode":${code},"created":{"payments":12,"amount":${amount}},${members}}]}`
}

test('amounts keep every digit that was written, and other numbers are numbers', () => {
  for (const amount of ['0.10', '149.90', '-3', '12345678901234567890.123456789012345678', '1e-7', '1E+30']) {
    const read = readerOf(VolumesSchema)(answer(amount))
    assert.deepEqual(read?.data[0]?.created, { payments: 12, amount })
  }
  assert.equal(readerOf(VolumesSchema)(answer(' \n7'))?.data[0]?.created.amount, '7')
})

test('what looks like an amount inside of a text stays text', () => {
  for (const code of ['\\"amount\\":5', '{\\"amount\\": 5}', 'amount\\":5', '\\u0022amount\\u0022:5']) {
    const read = readerOf(VolumesSchema)(answer('1', `"${code}"`))
    assert.equal(read?.data[0]?.paymentMethodCode, JSON.parse(`"${code}"`))
  }
})

test('an answer that is broken off, or of another shape, is none', () => {
  for (const text of ['', '{"data":', answer('1.2.3').slice(0, -1), answer('true'), '[]', 'null'])
    assert.equal(readerOf(VolumesSchema)(text), undefined, text)
})
