import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { edited, edits, rsaPair } from '../../../platform/test/index.ts'
import { takeInPublicKey } from '../model.ts'

// Keys as they might be handed in: damaged, cut, glued together, or altered inside.

const RUNS = testRounds(1_500)

const GOOD = rsaPair()
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const KEYS = [
  GOOD.publicKey,
  GOOD.privateKey,
  rsaPair(3072).publicKey,
  rsaPair(1024).publicKey,
  rsaPair(2048, 3).publicKey,
  elliptic.export({ type: 'spki', format: 'pem' }).toString(),
]

/** Either refused with one sentence that repeats nothing of what came, or a strong key that OpenSSL reads as the same. */
function assertJudged(pem: string): boolean {
  const intake = takeInPublicKey(pem)
  if (!intake.ok) {
    assert.match(intake.problem, /^[A-Z][^\n]{10,200}\.$/)
    assert.doesNotMatch(intake.problem, /[A-Za-z0-9+/]{40}/)
    return false
  }
  assert.doesNotMatch(pem, /PRIVATE KEY-----/)
  const key = createPublicKey(intake.pem)
  const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {}
  assert.deepEqual([key.asymmetricKeyType, publicExponent, modulusLength], ['rsa', 65_537n, intake.bits])
  assert.ok(modulusLength >= 2_048)
  const der = key.export({ type: 'spki', format: 'der' })
  assert.equal(createHash('sha256').update(der).digest('hex'), intake.fingerprint)
  const again = takeInPublicKey(intake.pem)
  assert.equal(again.ok && again.fingerprint, intake.fingerprint)
  return true
}

test('A9 a key whose text was damaged is refused, or is what it was taken for', () => {
  const puts = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\n',
      '\r\n',
      '=',
      'A',
      '/',
      '\u0000',
      '-----',
      '-----BEGIN PUBLIC KEY-----\n',
      'é',
    ),
    fc.constantFrom(
      '\n-----END PUBLIC KEY-----\n',
      'Proc-Type: 4,ENCRYPTED\n',
      'PRIVATE ',
      GOOD.publicKey,
      GOOD.privateKey,
    ),
  )
  let takenCount = 0
  fc.assert(
    fc.property(fc.constantFrom(...KEYS), edits(puts), (pem, changes) => {
      if (assertJudged(edited(pem, changes))) takenCount += 1
    }),
    { numRuns: RUNS },
  )
  assert.ok(takenCount > 0 && takenCount < RUNS, `${takenCount} of ${RUNS} were taken`)
})

const pemOf = (der: Uint8Array): string =>
  `-----BEGIN PUBLIC KEY-----\n${(
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END PUBLIC KEY-----\n`

test('A9 a key whose bytes were altered is refused, or is what it was taken for', () => {
  const ders = KEYS.filter((pem) => !pem.includes('PRIVATE')).map((pem) =>
    createPublicKey(pem).export({ type: 'spki', format: 'der' }),
  )
  const change = fc.record({
    at: fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 400 })),
    byte: fc.integer({ min: 0, max: 255 }),
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...ders),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      fc.option(fc.nat({ max: 300 })),
      (der, changes, length) => {
        const bytes = Buffer.from(der)
        for (const { at, byte } of changes) bytes[at % bytes.length] = byte
        assertJudged(pemOf(length === null ? bytes : bytes.subarray(0, length)))
      },
    ),
    { numRuns: RUNS },
  )
})

test('A9 any bytes and any text in the clothes of a key are refused', () => {
  const inside = fc.oneof(
    fc.uint8Array({ maxLength: 400 }).map(pemOf),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  )
  fc.assert(
    fc.property(inside, (pem) => assert.equal(assertJudged(pem), false)),
    { numRuns: RUNS },
  )
})
