import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { CommandFailure } from './failure.ts'
import { readFileBytes } from './files.ts'

/** The RSA private key of a merchant. Throws a sentence that says what the file holds instead. */
export function readPrivateKey(file: string): KeyObject {
  const pem = readFileBytes(file).toString('utf8')
  const wrong = privateKeyProblem(pem)
  if (wrong !== undefined) throw new CommandFailure('USAGE', `${file} ${wrong}`)
  return requireRsa(file, () => createPrivateKey(pem))
}

/** The RSA public key of a merchant; the public half when the file holds a private key. */
export function readPublicKey(file: string): KeyObject {
  const pem = readFileBytes(file).toString('utf8')
  return requireRsa(file, () => createPublicKey(pem))
}

function privateKeyProblem(pem: string): string | undefined {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(pem))
    return 'is encrypted. Write a copy without a passphrase: openssl pkey -in <file> -out <copy>.'
  if (/-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem))
    return 'holds a public key. Signing takes the private key of the pair.'
  return undefined
}

function requireRsa(file: string, read: () => KeyObject): KeyObject {
  let key: KeyObject
  try {
    key = read()
  } catch {
    throw new CommandFailure('USAGE', `${file} holds no key in PEM that can be read.`)
  }
  if (key.asymmetricKeyType === 'rsa') return key
  throw new CommandFailure(
    'USAGE',
    `${file} holds a key of the type ${key.asymmetricKeyType ?? 'unknown'}; requests are signed with RSA.`,
  )
}
