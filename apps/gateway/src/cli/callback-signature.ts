import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** The callback keys of a merchant. */
export interface Signer {
  readonly merchantCode: string
  /** `whpk_…`, as merchant information shows them. */
  readonly publicKeys: readonly string[]
}

const KEY_PREFIX = 'whpk_'
const SIGNATURE_PREFIX = 'v1a,'
const SIGNATURES_MAX = 10

/** Whose signature the callback bears: a merchant's code, or undefined when it is nobody's of these. */
export function findSigner(
  headers: IncomingHttpHeaders,
  body: Buffer,
  signers: readonly Signer[],
): string | undefined {
  const [id, timestamp, signatures] = signatureHeaders(headers)
  if (id === undefined || timestamp === undefined || signatures === undefined) return undefined
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  const given = signatures
    .split(' ')
    .filter((entry) => entry.startsWith(SIGNATURE_PREFIX))
    .slice(0, SIGNATURES_MAX)
    .map((entry) => Buffer.from(entry.slice(SIGNATURE_PREFIX.length), 'base64'))
  const isBy = (key: string): boolean =>
    given.some((signature) => verify(null, content, publicKeyOf(key), signature))
  return signers.find((signer) => signer.publicKeys.some(isBy))?.merchantCode
}

/** Id, time and signatures of a callback, each undefined when its header is missing. */
export function signatureHeaders(headers: IncomingHttpHeaders): readonly (string | undefined)[] {
  return ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers[name]
    return Array.isArray(value) ? value[0] : value
  })
}

/** Of a `whpk_…` text. */
export function publicKeyOf(key: string): KeyObject {
  const x = Buffer.from(key.slice(KEY_PREFIX.length), 'base64').toString('base64url')
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
}
