import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { softwareAuthenticator } from '@tollgate/testkit'
import { base64url, checkAssertion, checkRegistration, fingerprintOf, relyingPartyOf } from '../webauthn.ts'

const CONSOLE = 'https://console.pay.example:8443'
const relyingParty = relyingPartyOf(`${CONSOLE}/people`)

async function registered() {
  const device = softwareAuthenticator(CONSOLE)
  const challenge = randomBytes(32)
  const verdict = await checkRegistration({ relyingParty, challenge }, device.create(base64url(challenge)))
  assert.ok(verdict.isRight)
  return { device, credential: verdict.value }
}

test('the host of the console is what passkeys are bound to, its origin where they are used', () => {
  assert.deepEqual(relyingParty, { id: 'console.pay.example', origin: CONSOLE })
})

test('what a device registers checks what it signs, and its counter is given as it says', async () => {
  const { device, credential } = await registered()
  assert.equal(base64url(credential.credentialId), device.id)
  const challenge = randomBytes(32)
  const expected = { relyingParty, challenge, publicKey: credential.publicKey }
  const right = await checkAssertion(expected, device.get(base64url(challenge), { counter: 0 }))
  assert.deepEqual(right, { isRight: true, value: { counter: 0, isBackedUp: false } })
  const forged = await checkAssertion(expected, device.get(base64url(challenge), { isForged: true }))
  assert.deepEqual(forged, { isRight: false, reason: 'The signature is wrong.' })
})

test('another challenge, address, relying party or an unverified user is no answer, and garbage is none', async () => {
  const { device, credential } = await registered()
  const challenge = randomBytes(32)
  const expected = { relyingParty, challenge, publicKey: credential.publicKey }
  const text = base64url(challenge)
  const answers = [
    device.get(base64url(randomBytes(32))),
    device.get(text, { origin: 'https://console.pay.example' }),
    device.get(text, { rpId: 'pay.example' }),
    device.get(text, { isUserVerified: false }),
    { id: device.id, response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } },
  ]
  for (const answer of answers) assert.equal((await checkAssertion(expected, answer)).isRight, false)
  for (const faults of [
    { origin: 'https://pay.example' },
    { rpId: 'pay.example' },
    { isUserVerified: false },
  ])
    assert.equal((await checkRegistration(expected, device.create(text, faults))).isRight, false)
})

test('a fingerprint is of one passkey, and people can read it to each other', async () => {
  const [one, other] = [await registered(), await registered()]
  assert.match(fingerprintOf(one.credential), /^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
  assert.equal(fingerprintOf(one.credential), fingerprintOf({ ...one.credential }))
  assert.notEqual(fingerprintOf(one.credential), fingerprintOf(other.credential))
  assert.notEqual(
    fingerprintOf(one.credential),
    fingerprintOf({ ...one.credential, publicKey: other.credential.publicKey }),
  )
})
