import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { compileOperations, type insertRevocation, type Keyring } from '../../modules/tokens/index.ts'
import { audienceOf, ISSUER } from '../../modules/tokens/service.ts'
import { codeOf } from './shop.ts'
import { isSimulated } from './time.ts'

// Tokens as the gateway issues them, with true signatures: one of each kind for each merchant, and for all simulations.

/** What a token permits: everything, reading alone, or the payin `a` and nothing else. SPARE is the one that is revoked. */
const TOKENS = {
  FULL: ['POST /.*', 'GET /.*'],
  SPARE: ['POST /.*', 'GET /.*'],
  READER: ['GET /.*'],
  ONE_PAYIN: ['POST /payins/a', 'GET /payins/a'],
} as const
export type TokenName = keyof typeof TOKENS

const KID = 'tg_SIMULATION01'
const ISSUED_SECONDS = Date.UTC(2030, 0, 1) / 1_000
const EXPIRES_SECONDS = Date.UTC(2031, 0, 1) / 1_000

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The id of a token, by which it is revoked. */
const jtiOf = (name: TokenName): string => `${name}-0123456789`
export const revocationOf = (merchantId: string): Parameters<typeof insertRevocation>[1] => ({
  merchantId,
  jti: jtiOf('SPARE'),
  expSeconds: EXPIRES_SECONDS,
})

function issue(merchantId: string, name: TokenName): string {
  const claims = {
    operations: TOKENS[name],
    sub: codeOf(merchantId),
    jti: jtiOf(name),
    iat: ISSUED_SECONDS,
    exp: EXPIRES_SECONDS,
    iss: ISSUER,
    aud: audienceOf('live'),
  }
  const signed = `${part({ alg: 'EdDSA', typ: 'JWT', kid: KID })}.${part(claims)}`
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

const issued = new Map<string, string>()

export function tokenOf(merchantId: string, name: TokenName): string {
  const key = `${merchantId} ${name}`
  const token = issued.get(key) ?? issue(merchantId, name)
  issued.set(key, token)
  return token
}

const never = (): never => {
  throw new Error('the keys of tokens do not change here')
}

/** The key of the tokens. It is not rotated. */
export const KEYRING: Keyring = {
  start: () => Promise.resolve(),
  signingKey: () => ({ kid: KID, privateKey }),
  verificationKey: (kid) => Promise.resolve(kid === KID ? publicKey : undefined),
  publicJwks: never,
  rotate: never,
}

const verdicts = new Map<string, boolean>()

/**
 * Verifies a signature once and for all simulations: Web Crypto does it in another thread, while the clock of a simulation
 * would go on.
 */
function verifyOnce(signature: Buffer, data: Buffer): boolean {
  const key = `${signature.toString('base64')} ${data.toString('latin1')}`
  const verdict = verdicts.get(key) ?? verify(null, data, publicKey, signature)
  verdicts.set(key, verdict)
  return verdict
}

const bytesOf = (view: BufferSource): Buffer =>
  ArrayBuffer.isView(view) ? Buffer.from(view.buffer, view.byteOffset, view.byteLength) : Buffer.from(view)

function makeVerificationVirtual(): void {
  const { subtle } = globalThis.crypto
  const real = subtle.verify.bind(subtle)
  const replaced = (...given: Parameters<typeof real>): Promise<boolean> => {
    const [, , signature, data] = given
    return isSimulated() ? Promise.resolve(verifyOnce(bytesOf(signature), bytesOf(data))) : real(...given)
  }
  Object.assign(subtle, { verify: replaced })
}

makeVerificationVirtual()

// What does not compile would be refused later, and nobody would know why.
for (const [name, operations] of Object.entries(TOKENS))
  if (!compileOperations(operations).ok) throw new Error(`the token ${name} does not compile`)
