import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a browser gives of a credential, as far as the operator API reads it. */
interface CreatedCredential {
  readonly id: string
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string }
}
interface SignedCredential {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

/** What a test lets go wrong; everything else is as a browser and a device do it. */
export interface AuthenticatorFaults {
  readonly origin?: string
  readonly rpId?: string
  readonly isUserVerified?: boolean
  readonly counter?: number
  /** Another private key signs. */
  readonly isForged?: boolean
}

/** A device with one passkey: ES256, with real signatures. Its counter goes up with each of them. */
export interface SoftwareAuthenticator {
  readonly id: string
  create(challenge: string, faults?: AuthenticatorFaults): CreatedCredential
  get(challenge: string, faults?: AuthenticatorFaults): SignedCredential
}

/** A device in the browser of who is at this address. */
export function softwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let counter = 0
  const authenticatorData = (faults: AuthenticatorFaults, attested: Buffer): Buffer => {
    counter = faults.counter ?? counter + 1
    const rpId = faults.rpId ?? new URL(origin).hostname
    const isVerified = faults.isUserVerified ?? true
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (attested.length > 0 ? ATTESTED : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags, 0)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attested])
  }
  const clientData = (type: string, challenge: string, faults: AuthenticatorFaults): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }))
  return {
    id,
    create(challenge, faults = {}) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([NO_MODEL, length, credentialId, coseOf(publicKey)])
      return {
        id,
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, faults).toString('base64url'),
          attestationObject: attestationOf(authenticatorData(faults, attested)).toString('base64url'),
        },
      }
    },
    get(challenge, faults = {}) {
      const said = authenticatorData(faults, Buffer.alloc(0))
      const data = clientData('webauthn.get', challenge, faults)
      const signed = Buffer.concat([said, createHash('sha256').update(data).digest()])
      const key = faults.isForged === true ? otherKey() : privateKey
      return {
        id,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: said.toString('base64url'),
          signature: sign('sha256', signed, key).toString('base64url'),
        },
      }
    },
  }
}

const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40
const NO_MODEL = Buffer.alloc(16)

const otherKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR. */
function coseOf(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** `{fmt: "none", attStmt: {}, authData}` in CBOR. */
function attestationOf(authData: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    length,
    authData,
  ])
}

/** A text of less than 24 letters in CBOR. */
const text = (letters: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + letters.length]), Buffer.from(letters)])
