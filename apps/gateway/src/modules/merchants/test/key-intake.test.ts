import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { rsaPair } from '../../../platform/test/index.ts'
import { takeInPublicKey } from '../model.ts'

const GOOD = rsaPair()

const spki = { type: 'spki', format: 'pem' } as const
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const
const EC = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: spki,
  privateKeyEncoding: pkcs8,
})
const ED = generateKeyPairSync('ed25519', { publicKeyEncoding: spki, privateKeyEncoding: pkcs8 })
const PSS = generateKeyPairSync('rsa-pss', {
  modulusLength: 2048,
  publicKeyEncoding: spki,
  privateKeyEncoding: pkcs8,
})
const PKCS1 = createPublicKey(GOOD.publicKey).export({ type: 'pkcs1', format: 'pem' }).toString()
const CERTIFICATE = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\n-----END CERTIFICATE-----`

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ['an RSA key of 512 bits', rsaPair(512).publicKey, /512 bits; at least 2048/],
  ['an RSA key of 1024 bits', rsaPair(1024).publicKey, /1024 bits; at least 2048/],
  ['the exponent 3', rsaPair(2048, 3).publicKey, /exponent 65537/],
  ['an elliptic key', EC.publicKey, /must be an RSA key/],
  ['an Ed25519 key', ED.publicKey, /must be an RSA key/],
  ['an RSA-PSS key', PSS.publicKey, /must be an RSA key/],
  ['a certificate', CERTIFICATE, /is a certificate/],
  ['a private key', GOOD.privateKey, /PRIVATE key.*disclosed/],
  ['a private key behind the public one', `${GOOD.publicKey}${GOOD.privateKey}`, /PRIVATE key/],
  [
    'a private key in the old form',
    '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----',
    /PRIVATE key/,
  ],
  ['a public key in the old form', PKCS1, /must begin with/],
  ['two public keys', `${GOOD.publicKey}${rsaPair().publicKey}`, /must begin with/],
  ['damaged PEM', GOOD.publicKey.replace(/[A-Za-z0-9+/]{20}\n/, '\n'), /damaged/],
  ['text', 'ssh-rsa AAAA', /must begin with/],
  ['nothing', '', /must begin with/],
]

for (const [name, pem, problem] of REFUSED) {
  test(`${name} is refused with a sentence`, () => {
    const intake = takeInPublicKey(pem)
    assert(!intake.ok)
    assert.match(intake.problem, problem)
  })
}

test('a good key is taken in, however it was pasted, under one fingerprint', () => {
  const fingerprints = [
    GOOD.publicKey,
    `\n\n  ${GOOD.publicKey}  \n`,
    GOOD.publicKey.replaceAll('\n', '\r\n'),
    `\ufeff${GOOD.publicKey}`,
  ].map((pem) => {
    const intake = takeInPublicKey(pem)
    assert(intake.ok, JSON.stringify(pem))
    assert.equal(intake.bits, 2048)
    assert.equal(intake.pem, GOOD.publicKey)
    return intake.fingerprint
  })
  assert.equal(new Set(fingerprints).size, 1)
})
