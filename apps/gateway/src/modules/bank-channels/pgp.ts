import { readFile } from 'node:fs/promises'
import type { Key, PrivateKey, PublicKey } from 'openpgp'
import { ChannelFault } from './errors.ts'
import type { BankLinkDriver } from './link.ts'
import { CHANNEL_FILE_BYTES_MAX } from './model.ts'

/** Keys of both sides. Read for each conversation: a new key needs no restart. */
export interface PgpFiles {
  /** The bank's public key. */
  readonly bankKeyFile: string
  /** Our private key. */
  readonly keyFile: string
  readonly passphraseFile: string | undefined
}

/** Is behind the name of what is put. */
const ENDING = '.pgp'
/** Is not among what production installs: see decision 0058. */
const PACKAGE = 'openpgp'

/** Whether files in OpenPGP can be read and written here. @param resolve of the module system; throws for what is not installed */
export function hasPgp(resolve: (specifier: string) => unknown = import.meta.resolve): boolean {
  try {
    resolve(PACKAGE)
    return true
  } catch {
    return false
  }
}

/**
 * A channel over which files go in OpenPGP only: those of the bank are encrypted to us and signed by it, those of ours the other way round.
 * What is not so is not taken, and stays at the bank.
 */
export function withPgp(driver: BankLinkDriver, files: PgpFiles): BankLinkDriver {
  const named = <Put extends { readonly name: string }>(put: Put): Put => ({
    ...put,
    name: `${put.name}${ENDING}`,
  })
  return {
    async open(signal) {
      const keys = await readKeys(files)
      const link = await driver.open(signal)
      return {
        ...link,
        read: async (offered) => openMessage(await link.read(offered), offered.path, keys),
        stage: async (put) =>
          link.stage({ ...named(put), bytes: await sealMessage(put.bytes, put.name, keys) }),
        release: (put) => link.release(named(put)),
        ask: (put) => link.ask(named(put)),
      }
    },
  }
}

interface Keys {
  readonly bank: PublicKey
  readonly own: PrivateKey
}

/** Keys as people compare them. */
export interface PgpKeysSeen {
  /** As programs print it: forty capital digits. */
  readonly bankFingerprint: string
  /** When the first of both ends; undefined: neither does. */
  readonly endsAt: Date | undefined
}

/** Looks at the keys without a bank. Throws ChannelFault for what cannot be used. */
export async function examinePgpKeys(files: PgpFiles): Promise<PgpKeysSeen> {
  const { bank, own } = await readKeys(files)
  const ends = await Promise.all([bank, own].map((key) => key.getExpirationTime()))
  const [first] = ends.filter((end) => end instanceof Date).toSorted((a, b) => a.getTime() - b.getTime())
  return { bankFingerprint: bank.getFingerprint().toUpperCase(), endsAt: first }
}

/** Throws ChannelFault: without them nothing can be exchanged. */
async function readKeys({ bankKeyFile, keyFile, passphraseFile }: PgpFiles): Promise<Keys> {
  const [bank, own] = [await readKey(bankKeyFile), await readKey(keyFile)]
  if (bank.isPrivate())
    throw unusable(
      `${bankKeyFile} is a private key. If it is the bank's, it is burnt: tell the bank. Give the bank's public key.`,
    )
  if (!own.isPrivate())
    throw unusable(`${keyFile} has no private part: with it nothing can be decrypted or signed.`)
  return { bank: bank.toPublic(), own: await unlock(own, { keyFile, passphraseFile }) }
}

const unusable = (message: string): ChannelFault => new ChannelFault('SIGN_IN', message)

async function readKey(file: string): Promise<Key> {
  const { readKeys: read } = await import('openpgp')
  const bytes = await readFile(file).catch((error: unknown) => notRead(file, error))
  const reading = isArmoured(bytes) ? read({ armoredKeys: bytes.toString() }) : read({ binaryKeys: bytes })
  const [key, second] = await reading.catch((error: unknown) => notRead(file, error))
  if (key !== undefined && second === undefined) return key
  throw unusable(`${file} must hold one key of OpenPGP, and not ${key === undefined ? 'none' : 'several'}.`)
}

function notRead(file: string, error: unknown): never {
  throw unusable(`${file} cannot be read as a key of OpenPGP: ${wordsOf(error)}`)
}

async function unlock(
  key: PrivateKey,
  { keyFile, passphraseFile }: Pick<PgpFiles, 'keyFile' | 'passphraseFile'>,
): Promise<PrivateKey> {
  if (key.isDecrypted()) return key
  if (passphraseFile === undefined)
    throw unusable(`${keyFile} has a passphrase: pgp.passphraseFile must name a file with it.`)
  const { decryptKey } = await import('openpgp')
  try {
    const passphrase = (await readFile(passphraseFile, 'utf8')).trimEnd()
    return await decryptKey({ privateKey: key, passphrase })
  } catch (error) {
    throw unusable(`${keyFile} is not opened by what is in ${passphraseFile}: ${wordsOf(error)}`)
  }
}

/** In place of the key that a message is encrypted to, where its sender does not say it. */
const HIDDEN = '0'.repeat(16)

/** What the bank laid out, in clear. Throws ChannelFault. */
async function openMessage(bytes: Buffer, path: string, { bank, own }: Keys): Promise<Buffer> {
  const { decrypt } = await import('openpgp')
  const refuse = (why: string): never => {
    throw new ChannelFault('FILE', `${path} is not taken: ${why} It stays at the bank.`)
  }
  const message = await readMessage(bytes).catch((error: unknown) =>
    refuse(`it is no message of OpenPGP (${wordsOf(error)}).`),
  )
  const recipients = message.getEncryptionKeyIDs().map((id) => id.toHex())
  const ids = new Set([HIDDEN, ...own.getKeyIDs().map((id) => id.toHex())])
  if (!recipients.some((id) => ids.has(id))) refuse('it is not encrypted to our key.')
  const opened = await decrypt({
    message,
    decryptionKeys: own,
    verificationKeys: bank,
    format: 'binary',
    config: { maxDecompressedMessageSize: CHANNEL_FILE_BYTES_MAX },
  }).catch((error: unknown) => refuse(`our key does not open it (${wordsOf(error)}).`))
  // By a signature's own word it may be older than the end of a key: whoever has such a key can write what date they like.
  const believe = async ({ verified, keyID }: (typeof opened.signatures)[number]): Promise<void> => {
    await verified
    await bank.getSigningKey(keyID)
  }
  const verdicts = await Promise.allSettled(opened.signatures.map(believe))
  if (!verdicts.some(({ status }) => status === 'fulfilled')) {
    const [first] = verdicts
    refuse(
      first?.status === 'rejected'
        ? `the bank's key has not signed it (${wordsOf(first.reason)}).`
        : 'nobody has signed it.',
    )
  }
  return Buffer.from(opened.data)
}

async function readMessage(bytes: Buffer) {
  const { readMessage: read } = await import('openpgp')
  return isArmoured(bytes) ? read({ armoredMessage: bytes.toString() }) : read({ binaryMessage: bytes })
}

/** Signed by us, and encrypted to the bank. Throws ChannelFault. */
async function sealMessage(bytes: Buffer, name: string, { bank, own }: Keys): Promise<Buffer> {
  const { createMessage, encrypt } = await import('openpgp')
  try {
    const message = await createMessage({ binary: bytes, filename: name })
    const keys = { encryptionKeys: bank, signingKeys: own }
    return Buffer.from(await encrypt({ message, ...keys, format: 'binary' }))
  } catch (error) {
    throw new ChannelFault('FILE', `${name} cannot be encrypted to the bank: ${wordsOf(error)}`)
  }
}

const ARMOUR = '-----BEGIN PGP'
const isArmoured = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 200).trimStart().startsWith(ARMOUR)

/** One line, of the library. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 200)
