import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { randomIds } from '@tollgate/runtime'
import { createAddresses, derivationPathOf, XpubProblem } from '../index.ts'
import { ACCOUNT_XPRV, ACCOUNT_XPUB, privateKeyAt } from './keys.ts'

const addresses = createAddresses(ACCOUNT_XPUB)

test('the account is the one whose first address every development chain gives coins to', () => {
  assert.equal(addressOfPrivateKey(privateKeyAt('m/0')), '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
})

test('an address is that of the private key at the path of its reference, so that its coins can be moved', () => {
  for (const reference of ['000000000000', 'ZZZZZZZZZZZZ', '000000ZZZZZZ', '7MZKQ2VTN4CX'])
    assert.equal(
      addresses.addressOf(reference).toLowerCase(),
      addressOfPrivateKey(privateKeyAt(derivationPathOf(reference))),
      reference,
    )
  assert.equal(derivationPathOf('ZZZZZZZZZZZZ'), 'm/1073741823/1073741823')
  assert.equal(derivationPathOf('000001000000'), 'm/1/0')
})

test('other references have other addresses, and the same one has the same', () => {
  const references = Array.from({ length: 40 }, () => randomIds.readable(12))
  const derived = references.map((reference) => addresses.addressOf(reference))
  assert.equal(new Set(derived).size, references.length)
  assert.deepEqual(
    references.map((reference) => createAddresses(ACCOUNT_XPUB).addressOf(reference)),
    derived,
  )
})

test('what is no reference has no address', () => {
  for (const text of ['', 'ABC', '7MZKQ2VTN4CI', '7MZKQ2VTN4CXX'])
    assert.throws(() => addresses.addressOf(text), /is no reference/)
})

test('a key that can spend is refused, and so is what is no key; the text itself is in no message', () => {
  for (const [text, words] of [
    [ACCOUNT_XPRV, /it is burnt/],
    [`${ACCOUNT_XPUB.slice(0, -1)}x`, /no extended public key/],
    ['xpub', /no extended public key/],
    ['', /no extended public key/],
  ] as const) {
    assert.throws(
      () => createAddresses(text),
      (error) =>
        error instanceof XpubProblem &&
        words.test(error.message) &&
        (text.length < 9 || !error.message.includes(text)),
    )
  }
})

/** By the private key alone, without an extended public one. */
function addressOfPrivateKey(key: Uint8Array): string {
  const point = secp256k1.getPublicKey(key, false)
  return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(12)).toString('hex')}`
}
