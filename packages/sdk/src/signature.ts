import { type Bytes, fromBase64, fromLatin1, joined, toBase64, toLatin1, utf8 } from './bytes.ts'
import { minify } from './json.ts'

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const PEM = /-----BEGIN (RSA )?PRIVATE KEY-----([\s\S]+?)-----END/

/**
 * Signs a request body for the header `X-SIGNATURE` (specification 5.1): the body without its insignificant
 * whitespace, RSA PKCS#1 v1.5 with SHA-256, in base64. Throws TypeError when the PEM is not an RSA private key.
 */
export async function signBody(body: string | Uint8Array, privateKeyPem: string): Promise<string> {
  const { subtle } = globalThis.crypto
  const key = await subtle
    .importKey('pkcs8', pkcs8Of(privateKeyPem), RSA, false, ['sign'])
    .catch((cause: unknown) => {
      throw new TypeError('the private key of a merchant is an RSA key', { cause })
    })
  return toBase64(new Uint8Array(await subtle.sign(RSA.name, key, minifiedBytes(body))))
}

function minifiedBytes(body: string | Uint8Array): Bytes {
  if (typeof body === 'string') return utf8(minify(body))
  // One character per byte keeps every byte as it is; JSON's whitespace and quotation marks are ASCII.
  return fromLatin1(minify(toLatin1(body)))
}

/** WebCrypto takes PKCS#8; the older form `RSA PRIVATE KEY` is what lies inside. */
function pkcs8Of(pem: string): Bytes {
  const [, older, base64 = ''] = PEM.exec(pem) ?? []
  const key = fromBase64(base64.replace(/\s/g, ''))
  if (key === undefined || key.length === 0)
    throw new TypeError('the private key of a merchant is a PEM that is not encrypted: BEGIN PRIVATE KEY')
  return older === undefined ? key : der(SEQUENCE, [VERSION, RSA_ENCRYPTION, der(OCTET_STRING, [key])])
}

const SEQUENCE = 0x30
const OCTET_STRING = 0x04
const VERSION = Uint8Array.of(0x02, 0x01, 0x00)
/** The object identifier 1.2.840.113549.1.1.1 and NULL. */
const RSA_ENCRYPTION = fromLatin1('\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00')

/** A value of DER; lengths of keys take two bytes. */
function der(tag: number, parts: readonly Uint8Array[]): Bytes {
  const content = joined(parts)
  return joined([Uint8Array.of(tag, 0x82, content.length >> 8, content.length & 0xff), content])
}
