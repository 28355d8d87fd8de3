import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { drawBytes } from './chance.ts'

/** What the master key is used for. Each purpose has a key of its own, so that none can stand in for another. */
export type KeyPurpose =
  | 'personal-data'
  | 'signing-keys'
  | 'merchant-secrets'
  | 'operator-keys'
  | 'request-digest'
  | 'rail simulator'
  | 'rate-limit'
  | 'checkout'

/** Keys that derive from the one master key, and what is done with them. Nothing here ever leaves the process in clear. */
export interface Secrets {
  /** Encrypts with a fresh nonce; `context` is bound to the result and must be given again to open it. */
  seal(purpose: KeyPurpose, context: string, clear: Uint8Array): Buffer
  /** Throws SealBroken when the bytes, the context or the master key are not the ones of `seal`. */
  open(purpose: KeyPurpose, context: string, sealed: Uint8Array): Buffer
  /** Encrypts under a data key of its own; erasing `dataKey` makes `sealed` unreadable for ever. */
  sealApart(context: string, clear: Uint8Array): { readonly dataKey: Buffer; readonly sealed: Buffer }
  openApart(context: string, dataKey: Uint8Array, sealed: Uint8Array): Buffer
  /** HMAC-SHA-256 under the purpose's key. */
  digest(purpose: KeyPurpose, data: Uint8Array | string): Buffer
  /** An ed25519 private key that is a function of the master key and the context. */
  derivedSigningKey(context: string): KeyObject
}

/** Sealed bytes that cannot be opened: another master key, another context, or they were changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Builds the keys. The master key must have 32 bytes. */
export function createSecrets(masterKey: Uint8Array): Secrets {
  if (masterKey.length !== KEY_BYTES) throw new Error(`the master key must have ${KEY_BYTES} bytes`)
  const keys = new Map<KeyPurpose, KeyObject>()
  const keyFor = (purpose: KeyPurpose): KeyObject => {
    const known = keys.get(purpose)
    if (known !== undefined) return known
    const key = createSecretKey(derive(masterKey, `tollgate ${purpose}`))
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
    derivedSigningKey: (context) => ed25519From(derive(masterKey, `tollgate callback-signing ${context}`)),
  }
}

function derive(masterKey: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, new Uint8Array(0), info, KEY_BYTES))
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
    throw new SealBroken('the sealed bytes do not belong to this master key and place', { cause: error })
  }
}

/** The fixed beginning of an ed25519 private key in PKCS#8; the 32 bytes of the seed follow. */
const ED25519_PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519From(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([ED25519_PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
}

/**
 * Reads the master key (base64) from the file; where no file was named, one is made in the data directory, mode 600.
 * Whoever loses it loses personal data, callback keys and merchants' secrets: back it up apart from the database.
 */
export function readMasterKey(options: {
  readonly file?: string | undefined
  readonly dataDir: string
}): Buffer {
  const file = options.file ?? join(options.dataDir, 'master.key')
  if (!existsSync(file)) {
    if (options.file !== undefined)
      throw new Error(`TOLLGATE_MASTER_KEY_FILE names ${file}, which does not exist.`)
    makeMasterKey(file)
  }
  const text = readFileSync(file, 'utf8').trim()
  const key = Buffer.from(text, 'base64')
  // A lax reading would take a damaged file for another key.
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw new Error(`The master key in ${file} must be ${KEY_BYTES} bytes in base64.`)
  return key
}

/** Appears whole, on the disk, and never in place of another: what it seals is lost without it. */
function makeMasterKey(file: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    linkSync(draft, file)
    synchronizeFolder(folder)
  } catch (error) {
    // Another process was first: its key is the one.
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function synchronizeFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
