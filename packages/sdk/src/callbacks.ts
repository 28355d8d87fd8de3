import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { parseLossless, textMember } from './json.ts'
import type { Open } from './types.ts'

const KEY_PREFIX = 'whpk_'
const KEY_BYTES = 32
const SIGNATURE_PREFIX = 'v1a,'
const SIGNATURE_BYTES = 64
const SECRET_PREFIX = 'whsec_'
const SECRET_SIGNATURE_PREFIX = 'v1,'
const SECRET_BYTES_MIN = 24
const SIGNATURES_MAX = 10
const ID_ENTITY = /^[A-Za-z0-9_-]{1,250}$/

/** Headers as node:http, frameworks or fetch hand them over. */
export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** A status change. Read the payment to learn its status; the callback carries none. */
export interface CallbackEvent {
  readonly idEntity: string
  /** A callback without a type is a status change; ignore types that you do not know. */
  readonly eventType: Open<'STATUS_CHANGED'>
  /** The same for all repeats of one callback. */
  readonly eventId: string
}

export type CallbackReason =
  | 'HEADERS_MISSING'
  | 'TIMESTAMP_OUT_OF_TOLERANCE'
  | 'PUBLIC_KEYS_INVALID'
  | 'SIGNATURE_INVALID'
  | 'BODY_INVALID'

/** The callback is not to be trusted; `reason` says why. */
export class CallbackInvalid extends Error {
  override readonly name = 'CallbackInvalid'
  readonly reason: CallbackReason

  constructor(reason: CallbackReason) {
    super(`callback refused: ${reason}`)
    this.reason = reason
  }
}

/** A callback with all that is needed to check it. */
export interface CallbackToVerify {
  readonly headers: HeadersLike
  /** The body as it arrived. */
  readonly body: string | Uint8Array
  /**
   * `callbackPublicKeys` of the merchant info; during a change of keys there are two. `whsec_` secrets, which the gateway's
   * operator has given out, are taken as well, or alone.
   */
  readonly publicKeys: readonly string[]
  readonly nowMs?: number
  readonly toleranceSeconds?: number
}

/**
 * Checks the Standard Webhooks headers of a callback against the gateway's ed25519 keys (`v1a`) and shared secrets (`v1`),
 * and reads it. One valid signature by one of them is enough. Throws CallbackInvalid.
 */
export function verifyCallback(callback: CallbackToVerify): CallbackEvent {
  const { headers, body, publicKeys, nowMs = Date.now(), toleranceSeconds = 300 } = callback
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) throw new CallbackInvalid('HEADERS_MISSING')
  const isClose = Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!/^\d{1,12}$/.test(timestamp) || !isClose) throw new CallbackInvalid('TIMESTAMP_OUT_OF_TOLERANCE')
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)])
  if (!isSigned(signed, signatures, keysOf(publicKeys))) throw new CallbackInvalid('SIGNATURE_INVALID')
  return readCallback(parsed(body), id)
}

/** Reads the body of a callback whose origin is not checked. Throws CallbackInvalid. */
export function readCallback(body: unknown, eventId: string): CallbackEvent {
  const idEntity = textMember(body, 'idEntity')
  if (idEntity === undefined || !ID_ENTITY.test(idEntity)) throw new CallbackInvalid('BODY_INVALID')
  return { idEntity, eventType: textMember(body, 'eventType') ?? 'STATUS_CHANGED', eventId }
}

/** A header's value, whatever the case of its name. */
export function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

interface Keys {
  readonly publicKeys: readonly KeyObject[]
  readonly secrets: readonly Buffer[]
}

function isSigned(signed: Buffer, header: string, { publicKeys, secrets }: Keys): boolean {
  const entries = header.split(' ')
  const signaturesOf = (prefix: string): readonly Buffer[] =>
    entries
      .filter((entry) => entry.startsWith(prefix))
      .slice(0, SIGNATURES_MAX)
      .map((entry) => Buffer.from(entry.slice(prefix.length), 'base64'))
  const isByKey = signaturesOf(SIGNATURE_PREFIX).some(
    (signature) =>
      signature.length === SIGNATURE_BYTES && publicKeys.some((key) => verify(null, signed, key, signature)),
  )
  return isByKey || isBySecret(signed, signaturesOf(SECRET_SIGNATURE_PREFIX), secrets)
}

function isBySecret(signed: Buffer, signatures: readonly Buffer[], secrets: readonly Buffer[]): boolean {
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(signed).digest())
  return signatures.some((signature) =>
    expected.some((mac) => mac.length === signature.length && timingSafeEqual(mac, signature)),
  )
}

/** The keys and secrets of the kinds we know; other kinds may be added beside them. Throws where none is left. */
function keysOf(texts: readonly string[]): Keys {
  const bytesOf = (prefix: string): readonly Buffer[] =>
    texts
      .filter((text) => text.startsWith(prefix))
      .map((text) => Buffer.from(text.slice(prefix.length), 'base64'))
  const usable = bytesOf(KEY_PREFIX).filter((key) => key.length === KEY_BYTES)
  const secrets = bytesOf(SECRET_PREFIX).filter((secret) => secret.length >= SECRET_BYTES_MIN)
  if (usable.length === 0 && secrets.length === 0) throw new CallbackInvalid('PUBLIC_KEYS_INVALID')
  const publicKeys = usable.map((key) =>
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') } }),
  )
  return { publicKeys, secrets }
}

function parsed(body: string | Uint8Array): unknown {
  try {
    return parseLossless(Buffer.from(body).toString())
  } catch {
    throw new CallbackInvalid('BODY_INVALID')
  }
}
