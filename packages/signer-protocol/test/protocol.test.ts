import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  isSealOf,
  readSignAnswer,
  readSignRequest,
  readTransferCall,
  sealOf,
  transferCall,
} from '../src/index.ts'

const SECRET = Buffer.alloc(32, 1)
const CONTENT = {
  chainId: '8453',
  reference: 'REF',
  token: `0x${'a0'.repeat(20)}`,
  payee: `0x${'cd'.repeat(20)}`,
  units: '5',
}

test('a transfer that is written is read again', () => {
  const hex = fc.stringMatching(/^[0-9a-f]{40}$/)
  fc.assert(
    fc.property(hex, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (digits, units) => {
      assert.deepEqual(readTransferCall(transferCall({ payee: `0x${digits}`, units })), {
        payee: `0x${digits}`,
        units,
      })
    }),
  )
  assert.throws(() => transferCall({ payee: CONTENT.payee, units: 2n ** 256n }), RangeError)
  assert.throws(() => transferCall({ payee: CONTENT.payee, units: -1n }), RangeError)
  for (const other of ['0x', '0x095ea7b3', `${transferCall({ payee: CONTENT.payee, units: 1n })}00`])
    assert.equal(readTransferCall(other), undefined)
})

test('the call is the one of ERC-20, written out', () => {
  assert.equal(
    transferCall({ payee: '0xCDcDcdCdcdCdCdcDCdCdcdCdCdcDcDCdCdcDCdcD', units: 255n }),
    `0xa9059cbb${'0'.repeat(24)}${'cd'.repeat(20)}${'0'.repeat(62)}ff`,
  )
})

test('a seal is over every member, and over the secret', () => {
  const seal = sealOf(SECRET, CONTENT)
  assert.equal(isSealOf(SECRET, CONTENT, seal), true)
  for (const changed of [
    { chainId: '1' },
    { reference: 'R' },
    { token: CONTENT.payee },
    { payee: CONTENT.token },
    { units: '6' },
  ])
    assert.equal(isSealOf(SECRET, { ...CONTENT, ...changed }, seal), false)
  assert.equal(isSealOf(Buffer.alloc(32, 2), CONTENT, seal), false)
  assert.equal(isSealOf(SECRET, CONTENT, ''), false)
})

test('only questions and answers are read', () => {
  const asked = {
    ...CONTENT,
    seal: 'ab'.repeat(32),
    nonce: '0',
    gasLimit: '1',
    maxFeePerGas: '1',
    maxPriorityFeePerGas: '1',
  }
  assert.deepEqual(readSignRequest(JSON.stringify(asked)), asked)
  for (const wrong of [
    '',
    '[]',
    JSON.stringify({ ...asked, nonce: 0 }),
    JSON.stringify({ ...asked, more: '' }),
    JSON.stringify({ ...asked, payee: '0xCD' }),
  ])
    assert.equal(readSignRequest(wrong), undefined)
  const refused = { kind: 'REFUSED', refusal: 'DAY', message: 'no', nextNonce: '1' }
  assert.deepEqual(readSignAnswer(JSON.stringify(refused)), refused)
  assert.equal(readSignAnswer(JSON.stringify({ ...refused, refusal: 'MAYBE' })), undefined)
})
