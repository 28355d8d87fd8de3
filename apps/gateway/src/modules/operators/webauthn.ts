import { createHash } from 'node:crypto'
import type * as Library from '@simplewebauthn/server'
import { readableFrom } from '@tollgate/runtime'

// What a device signs, checked by the library. It is loaded when somebody first uses a passkey.

/** Whose passkeys they are: the console, as its users see it. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
}

/** The console's host is what passkeys are bound to, its origin what a browser says it is at. */
export function relyingPartyOf(consoleUrl: string): RelyingParty {
  const { hostname, origin } = new URL(consoleUrl)
  return { id: hostname, origin }
}

/** Every binary member in base64url, as a browser gives it. */
export interface RegistrationAnswer {
  readonly id: string
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
}
export interface AssertionAnswer {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

export interface NewCredential {
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly isBackedUp: boolean
}

/** What is checked, or the library's sentence on why it cannot be taken. */
type Verdict<Value> =
  | { readonly isRight: true; readonly value: Value }
  | { readonly isRight: false; readonly reason: string }

/** ES256, EdDSA, RS256: what browsers and security keys offer. */
export const ALGORITHMS = [-7, -8, -257] as const

const library = (): Promise<typeof Library> => import('@simplewebauthn/server')

interface Expected {
  readonly relyingParty: RelyingParty
  readonly challenge: Uint8Array
}

/** Without attestation: which maker's device it is does not matter here. */
export function checkRegistration(
  { relyingParty, challenge }: Expected,
  { id, response }: RegistrationAnswer,
): Promise<Verdict<NewCredential>> {
  return verdictOf(async () => {
    const { verifyRegistrationResponse } = await library()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: base64url(challenge),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    })
    if (registrationInfo === undefined) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      isBackedUp: credentialBackedUp,
    }
  })
}

/** Gives the device's counter, which the caller compares: the library would do so before it looks at the signature. */
export function checkAssertion(
  { relyingParty, challenge, publicKey }: Expected & { readonly publicKey: Uint8Array },
  { id, response }: AssertionAnswer,
): Promise<Verdict<{ readonly counter: number; readonly isBackedUp: boolean }>> {
  return verdictOf(async () => {
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: base64url(challenge),
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: COUNTER_OF_NONE },
    })
    if (!verified) return undefined
    return {
      counter: authenticationInfo.newCounter,
      isBackedUp: authenticationInfo.credentialBackedUp,
    }
  })
}

/** Below every counter. */
const COUNTER_OF_NONE = -1

async function verdictOf<Value>(check: () => Promise<Value | undefined>): Promise<Verdict<Value>> {
  try {
    const value = await check()
    return value === undefined
      ? { isRight: false, reason: 'The signature is wrong.' }
      : { isRight: true, value }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { isRight: false, reason: error.message }
  }
}

export const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const FINGERPRINT_CHARACTERS = 12

/** By what two people know that they speak of the same passkey: 60 bits, which nobody finds a second key for in time. */
export function fingerprintOf({
  credentialId,
  publicKey,
}: Pick<NewCredential, 'credentialId' | 'publicKey'>): string {
  const hash = createHash('sha256').update(credentialId).update(publicKey).digest()
  return readableFrom(hash.subarray(0, FINGERPRINT_CHARACTERS)).replace(/(.{4})(?=.)/g, '$1-')
}
