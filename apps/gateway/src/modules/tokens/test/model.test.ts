import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  claimsFrom,
  decodeSignature,
  isRevokedWithAll,
  isTimely,
  jtiOfSignature,
  timestampSeconds,
} from '../model.ts'

const NOW_SECONDS = 1_795_262_400
const NOW_MS = NOW_SECONDS * 1000

test('a timestamp is timely up to the tolerance to either side, in seconds and in milliseconds', () => {
  const table: readonly (readonly [number, boolean])[] = [
    [NOW_SECONDS, true],
    [NOW_SECONDS - 300, true],
    [NOW_SECONDS - 301, false],
    [NOW_SECONDS + 300, true],
    [NOW_SECONDS + 301, false],
    [NOW_MS - 300_000, true],
    [NOW_MS - 300_001, false],
    [NOW_MS + 300_000, true],
    [NOW_MS + 300_001, false],
    [0, false],
    [99_999_999_999, false],
    [100_000_000_000, false],
  ]
  for (const [timestamp, expected] of table)
    assert.equal(isTimely(timestamp, NOW_MS, 300), expected, `${timestamp}`)
})

test('a timestamp is milliseconds from 10^11 on', () => {
  assert.equal(timestampSeconds(99_999_999_999), 99_999_999_999)
  assert.equal(timestampSeconds(100_000_000_000), 100_000_000)
  assert.equal(timestampSeconds(NOW_MS + 999), NOW_SECONDS)
})

test('one signature has one spelling', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 600 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      assert.deepEqual(decodeSignature(text), Buffer.from(bytes))
      for (const variant of [
        `${text} `,
        ` ${text}`,
        `${text}\n`,
        `${text}=`,
        `${text}garbage!`,
        text.replace(/=+$/, ''),
      ])
        if (variant !== text) assert.equal(decodeSignature(variant), undefined, variant)
    }),
  )
  assert.equal(decodeSignature(''), undefined)
  assert.equal(decodeSignature('-_-_'), undefined)
  assert.equal(decodeSignature('aGl='), undefined)
  assert.equal(decodeSignature('A'.repeat(1_404)), undefined)
})

const CLAIMS = { operations: ['GET /'], sub: 'SHOP', iat: 1, exp: 2, jti: 'x' }

test('claims are complete and of the right types, or none', () => {
  assert.deepEqual(claimsFrom({ ...CLAIMS, iss: 'tollgate', other: 1 }), CLAIMS)
  for (const name of Object.keys(CLAIMS)) {
    assert.equal(claimsFrom({ ...CLAIMS, [name]: undefined }), undefined, name)
    assert.equal(claimsFrom({ ...CLAIMS, [name]: {} }), undefined, name)
  }
  assert.equal(claimsFrom({ ...CLAIMS, operations: ['GET /', 1] }), undefined)
  assert.equal(claimsFrom({ ...CLAIMS, exp: 2.5 }), undefined)
})

test('a bound that cannot be read makes the token invalid, never unbound', () => {
  const money = { amount: '10.50', currencyCode: 'EUR' }
  assert.deepEqual(claimsFrom({ ...CLAIMS, money, idPayment: 'A' }), {
    ...CLAIMS,
    money: { amount: '10.5', currencyCode: 'EUR' },
    idPayment: 'A',
  })
  for (const wrong of [
    null,
    'x',
    10,
    [],
    {},
    { amount: 10, currencyCode: 'EUR' },
    { amount: 'ten', currencyCode: 'EUR' },
    { amount: '1' },
  ])
    assert.equal(claimsFrom({ ...CLAIMS, money: wrong }), undefined, JSON.stringify(wrong))
  for (const wrong of [null, 7, []]) assert.equal(claimsFrom({ ...CLAIMS, idPayment: wrong }), undefined)
})

test('each claim has its own type, and a wrong one of any is no token', () => {
  const wrong: Readonly<Record<string, readonly unknown[]>> = {
    operations: ['GET /', { 0: 'GET /' }, [undefined], null],
    sub: [7, null, ['SHOP']],
    jti: [7, null],
    iat: ['1', 1.5, null, 2 ** 53],
    exp: ['2', Number.NaN, null, 2 ** 53],
    generation: ['1', 1.5, null],
    idPayment: [7, null],
  }
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      assert.equal(claimsFrom({ ...CLAIMS, [name]: value }), undefined, `${name} ${JSON.stringify(value)}`)
  assert.deepEqual(claimsFrom({ ...CLAIMS, generation: 3 }), { ...CLAIMS, generation: 3 })
  assert.deepEqual(claimsFrom({ ...CLAIMS, operations: [] }), { ...CLAIMS, operations: [] })
  for (const money of [
    { amount: '1', currencyCode: 7 },
    { amount: '-', currencyCode: 'EUR' },
    { currencyCode: 'EUR' },
  ])
    assert.equal(claimsFrom({ ...CLAIMS, money }), undefined, JSON.stringify(money))
})

test('a revocation of all reaches tokens of an earlier generation and those from before its second', () => {
  const revoked = (
    iat: number,
    generation: number | undefined,
    notBefore: number | undefined,
    ours: number,
  ) =>
    isRevokedWithAll(
      { iat, ...(generation !== undefined && { generation }) },
      { tokensNotBeforeSeconds: notBefore, tokenGeneration: ours },
    )
  assert.equal(revoked(100, undefined, undefined, 0), false)
  assert.equal(revoked(100, undefined, undefined, 1), true)
  assert.equal(revoked(100, 1, undefined, 1), false)
  assert.equal(revoked(100, 2, undefined, 1), false)
  assert.deepEqual(
    [99, 100, 101].map((iat) => revoked(iat, 1, 100, 1)),
    [true, false, false],
  )
})

test('the id of a signed request is one of the merchant and the signature', () => {
  const bytes = Buffer.from('signature')
  const id = jtiOfSignature('SHOP', bytes)
  assert.equal(id, jtiOfSignature('SHOP', bytes))
  assert.match(id, /^[A-Za-z0-9_-]{32}$/)
  assert.notEqual(id, jtiOfSignature('SHOQ', bytes))
  assert.notEqual(id, jtiOfSignature('SHOP', Buffer.from('signaturf')))
  // The line end keeps the two apart.
  assert.notEqual(jtiOfSignature('A', Buffer.from('BC')), jtiOfSignature('AB', Buffer.from('C')))
})

test('the longest signature is one by a key of 8192 bits', () => {
  const longest = Buffer.alloc(1_024, 7).toString('base64')
  assert.equal(longest.length, 1_368)
  assert.equal(decodeSignature(longest)?.length, 1_024)
  assert.equal(decodeSignature('A'.repeat(1_400))?.length, 1_050)
  assert.equal(decodeSignature(`x${longest}`), undefined)
})
