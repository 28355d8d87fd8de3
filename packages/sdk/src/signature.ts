import { createPrivateKey, sign } from 'node:crypto'
import { minify } from './json.ts'

/**
 * Signs a request body for the header `X-SIGNATURE` (specification 5.1): the body without its insignificant
 * whitespace, RSA PKCS#1 v1.5 with SHA-256, in base64. Throws when the PEM is not an RSA private key.
 */
export function signBody(body: string | Uint8Array, privateKeyPem: string): string {
  const key = createPrivateKey(privateKeyPem)
  if (key.asymmetricKeyType !== 'rsa') throw new TypeError('the private key of a merchant is an RSA key')
  return sign('sha256', minifiedBytes(body), key).toString('base64')
}

function minifiedBytes(body: string | Uint8Array): Buffer {
  if (typeof body === 'string') return Buffer.from(minify(body))
  // One character per byte keeps every byte as it is; JSON's whitespace and quotation marks are ASCII.
  return Buffer.from(minify(Buffer.from(body).toString('latin1')), 'latin1')
}
