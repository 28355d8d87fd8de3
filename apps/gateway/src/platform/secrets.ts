import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { drawBytes } from '@tollgate/runtime'

/** What keys are used for. Each purpose has a key of its own, so that none can stand in for another. */
type KeyPurpose =
  | 'personal-data'
  | 'signing-keys'
  | 'merchant-secrets'
  | 'operator-keys'
  | 'request-digest'
  | 'payout-reference'
  | 'rail simulator'
  | 'rate-limit'
  | 'checkout'
  /** The one purpose of a master key: it seals the root key. */
  | 'root-key'

/** Keys that derive from the one root key, and what is done with them. Nothing here leaves the process in clear, but `rootKey`. */
export interface Secrets {
  /** Encrypts with a fresh nonce; `context` is bound to the result and must be given again to open it. */
  seal(purpose: KeyPurpose, context: string, clear: Uint8Array): Buffer
  /** Throws SealBroken when the bytes, the context or the root key are not the ones of `seal`. */
  open(purpose: KeyPurpose, context: string, sealed: Uint8Array): Buffer
  /** Encrypts under a data key of its own; erasing `dataKey` makes `sealed` unreadable for ever. */
  sealApart(context: string, clear: Uint8Array): { readonly dataKey: Buffer; readonly sealed: Buffer }
  openApart(context: string, dataKey: Uint8Array, sealed: Uint8Array): Buffer
  /** HMAC-SHA-256 under the purpose's key. */
  digest(purpose: KeyPurpose, data: Uint8Array | string): Buffer
  /** An ed25519 private key that is a function of the root key and the context. */
  derivedSigningKey(context: string): KeyObject
  /** 32 bytes that a receiver of callbacks shares with us: a function of the root key and the context. */
  derivedCallbackSecret(context: string): Buffer
  /** For a process of our own that takes part of the work, by the channel between parent and child and nowhere else. */
  rootKey(): Uint8Array
}

/** Sealed bytes that cannot be opened: another key, another context, or they were changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Builds the keys. The root key must have 32 bytes. */
export function createSecrets(rootKey: Uint8Array): Secrets {
  if (rootKey.length !== KEY_BYTES) throw new Error(`the root key must have ${KEY_BYTES} bytes`)
  const keys = new Map<KeyPurpose, KeyObject>()
  const keyFor = (purpose: KeyPurpose): KeyObject => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = createSecretKey(derive(rootKey, `tollgate ${purpose}`))
    keys.set(purpose, key)
    return key
  }
  return {
    seal: (purpose, context, clear) => encrypt(keyFor(purpose), context, clear),
    open: (purpose, context, sealed) => decrypt(keyFor(purpose), context, sealed),
    sealApart(context, clear) {
      const dataKey = drawBytes(KEY_BYTES)
      return {
        dataKey: encrypt(keyFor('personal-data'), context, dataKey),
        sealed: encrypt(createSecretKey(dataKey), context, clear),
      }
    },
    openApart: (context, dataKey, sealed) =>
      decrypt(createSecretKey(decrypt(keyFor('personal-data'), context, dataKey)), context, sealed),
    digest: (purpose, data) => createHmac('sha256', keyFor(purpose)).update(data).digest(),
    derivedCallbackSecret: (context) => derive(rootKey, `tollgate callback-secrets ${context}`),
    rootKey: () => new Uint8Array(rootKey),
    derivedSigningKey: (context) => ed25519From(derive(rootKey, `tollgate callback-signing ${context}`)),
  }
}

function derive(rootKey: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', rootKey, new Uint8Array(0), info, KEY_BYTES))
}

const CIPHER = 'aes-256-gcm'
const CIPHER_OPTIONS = { authTagLength: TAG_BYTES }

// Keys are key objects throughout: given as bytes, a key costs more than the work that is done with it.
function encrypt(key: KeyObject, context: string, clear: Uint8Array): Buffer {
  const nonce = drawBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, CIPHER_OPTIONS).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, context: string, sealed: Uint8Array): Buffer {
  const tagAt = sealed.length - TAG_BYTES
  if (tagAt < NONCE_BYTES) throw new SealBroken('the sealed bytes are too few')
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), CIPHER_OPTIONS)
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(tagAt))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagAt)), decipher.final()])
  } catch (error) {
    throw new SealBroken('the sealed bytes do not belong to this key and place', { cause: error })
  }
}

/** The fixed beginning of an ed25519 private key in PKCS#8; the 32 bytes of the seed follow. */
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519From(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}
