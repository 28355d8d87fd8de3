import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a certificate that it has signed itself, both PEM. */
interface SelfSigned {
  readonly key: string
  readonly cert: string
}

const OID_COMMON_NAME = '550403'
const OID_ECDSA_SHA256 = '2a8648ce3d040302'
const OID_SUBJECT_ALT_NAME = '551d11'
const OID_BASIC_CONSTRAINTS = '551d13'
const DAY_MS = 86_400_000

/** Makes a certificate for one DNS name, valid from yesterday until tomorrow (X.509 version 3, P-256). */
export function selfSigned(dnsName: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid(OID_COMMON_NAME), der(0x0c, Buffer.from(dnsName)))))
  const algorithm = sequence(oid(OID_ECDSA_SHA256))
  const validity = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS))
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensionsFor(dnsName)),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const certificate = sequence(toBeSigned, algorithm, der(0x03, Buffer.concat([Buffer.of(0), signature])))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function extensionsFor(dnsName: string): Buffer {
  const names = sequence(der(0x82, Buffer.from(dnsName)))
  const isAuthority = sequence(der(0x01, Buffer.of(0xff)))
  return sequence(
    sequence(oid(OID_SUBJECT_ALT_NAME), der(0x04, names)),
    sequence(oid(OID_BASIC_CONSTRAINTS), der(0x04, isAuthority)),
  )
}

function der(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value))
}

function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/[-:T]|\.\d+/gu, '')
  return der(0x18, Buffer.from(text))
}
