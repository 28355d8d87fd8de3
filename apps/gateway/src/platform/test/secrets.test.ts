import assert from 'node:assert/strict'
import { createPublicKey, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSecrets, SealBroken } from '../secrets.ts'

const ROOT_KEY = Buffer.alloc(32, 7)
const secrets = createSecrets(ROOT_KEY)
const CLEAR = Buffer.from('DE02120300000000202051')

test('what was sealed opens again, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (clear, context) => {
      const sealed = secrets.seal('personal-data', context, clear)
      assert.deepEqual(secrets.open('personal-data', context, sealed), Buffer.from(clear))
      assert.notDeepEqual(secrets.seal('personal-data', context, clear), sealed)
    }),
  )
})

test('sealed bytes do not open elsewhere: another context, purpose or root key', () => {
  const sealed = secrets.seal('personal-data', 'payment 1', CLEAR)
  const other = createSecrets(Buffer.alloc(32, 8))
  assert.throws(() => secrets.open('personal-data', 'payment 2', sealed), SealBroken)
  assert.throws(() => secrets.open('signing-keys', 'payment 1', sealed), SealBroken)
  assert.throws(() => other.open('personal-data', 'payment 1', sealed), SealBroken)
})

test('one changed bit anywhere breaks the seal', () => {
  const sealed = secrets.seal('personal-data', 'payment 1', CLEAR)
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed)
    changed[index] = (changed[index] ?? 0) ^ 1
    assert.throws(() => secrets.open('personal-data', 'payment 1', changed), SealBroken)
  }
})

test('a beginning of the sealed bytes never opens, however short', () => {
  const sealed = secrets.seal('personal-data', 'payment 1', CLEAR)
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => secrets.open('personal-data', 'payment 1', sealed.subarray(0, length)), SealBroken)
  }
})

test('what is sealed apart opens with its data key only, and not at another place', () => {
  const { dataKey, sealed } = secrets.sealApart('payment 1', CLEAR)
  const other = secrets.sealApart('payment 1', CLEAR)
  assert.deepEqual(secrets.openApart('payment 1', dataKey, sealed), CLEAR)
  assert.throws(() => secrets.openApart('payment 1', other.dataKey, sealed), SealBroken)
  assert.throws(() => secrets.openApart('payment 2', dataKey, sealed), SealBroken)
  assert.throws(() => secrets.openApart('payment 1', Buffer.alloc(0), sealed), SealBroken)
})

test('digests differ by purpose and root key, and stay the same over restarts', () => {
  const digest = secrets.digest('merchant-secrets', 'sec_1')
  assert.deepEqual(createSecrets(ROOT_KEY).digest('merchant-secrets', 'sec_1'), digest)
  assert.notDeepEqual(secrets.digest('request-digest', 'sec_1'), digest)
  assert.notDeepEqual(createSecrets(Buffer.alloc(32, 8)).digest('merchant-secrets', 'sec_1'), digest)
  assert.equal(digest.length, 32)
})

test('a derived signing key is a function of root key and context, for this version and all after it', () => {
  const spki = createPublicKey(secrets.derivedSigningKey('12 1')).export({ type: 'spki', format: 'der' })
  // Merchants have stored this public key: a change here breaks the callbacks of every installation.
  assert.equal(spki.subarray(12).toString('base64'), '8M1CZd6zZJlvRCSUjLl5Jp/BVo9ib9Zjznwt7v614Vw=')
  const signature = sign(null, CLEAR, createSecrets(ROOT_KEY).derivedSigningKey('12 1'))
  assert.equal(verify(null, CLEAR, createPublicKey(secrets.derivedSigningKey('12 1')), signature), true)
  assert.equal(verify(null, CLEAR, createPublicKey(secrets.derivedSigningKey('12 2')), signature), false)
})

test('a root key of another length is refused', () => {
  assert.throws(() => createSecrets(Buffer.alloc(31)), /32 bytes/)
})
