import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type enums, generateKey, type PrivateKey, type PublicKey, readPrivateKey, revokeKey } from 'openpgp'

/** A key pair in files, in the forms that GnuPG of any age reads. */
export interface PgpPair {
  readonly privateFile: string
  readonly publicFile: string
  readonly privateKey: PrivateKey
  readonly publicKey: PublicKey
  /** Writes the public key as it is when its owner has revoked it. */
  revoke(flag: enums.reasonForRevocation): Promise<void>
}

interface PairOptions {
  readonly passphrase?: string
  /** From its making on. */
  readonly expiresSeconds?: number
  /** When it was made. */
  readonly madeAt?: Date
}

export async function makePair(
  folder: string,
  name: string,
  { passphrase, expiresSeconds, madeAt }: PairOptions = {},
): Promise<PgpPair> {
  const { privateKey, publicKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    format: 'armored',
    userIDs: [{ name, email: `${name}@example.test` }],
    ...(passphrase !== undefined && { passphrase }),
    ...(expiresSeconds !== undefined && { keyExpirationTime: expiresSeconds }),
    ...(madeAt !== undefined && { date: madeAt }),
  })
  const [privateFile, publicFile] = [join(folder, `${name}.key`), join(folder, `${name}.pub`)]
  writeFileSync(privateFile, privateKey, { mode: 0o600 })
  writeFileSync(publicFile, publicKey)
  const own = await readPrivateKey({ armoredKey: privateKey })
  return {
    privateFile,
    publicFile,
    privateKey: own,
    publicKey: own.toPublic(),
    async revoke(flag) {
      const revoked = await revokeKey({ key: own, reasonForRevocation: { flag }, format: 'armored' })
      writeFileSync(publicFile, revoked.publicKey)
    },
  }
}
