import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { parseLossless, textMember } from './json.ts'
import type { Open } from './types.ts'

const KEY_PREFIX = 'whpk_'
const KEY_BYTES = 32
const SIGNATURE_PREFIX = 'v1a,'
const SIGNATURE_BYTES = 64
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
  /** `callbackPublicKeys` of the merchant info; during a change of keys there are two. */
  readonly publicKeys: readonly string[]
  readonly nowMs?: number
  readonly toleranceSeconds?: number
}

/**
 * Checks the Standard Webhooks headers of a callback against the gateway's ed25519 keys, and reads it.
 * One valid signature by one of the keys is enough. Throws CallbackInvalid.
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
  if (!isSigned(signed, signatures, publicKeysOf(publicKeys))) throw new CallbackInvalid('SIGNATURE_INVALID')
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

function isSigned(signed: Buffer, header: string, keys: readonly KeyObject[]): boolean {
  const ours = header.split(' ').filter((entry) => entry.startsWith(SIGNATURE_PREFIX))
  return ours.slice(0, SIGNATURES_MAX).some((entry) => {
    const signature = Buffer.from(entry.slice(SIGNATURE_PREFIX.length), 'base64')
    return signature.length === SIGNATURE_BYTES && keys.some((key) => verify(null, signed, key, signature))
  })
}

/** The keys of the kind we know; another kind may be added beside them. Throws where none is left. */
function publicKeysOf(texts: readonly string[]): readonly KeyObject[] {
  const raw = texts.filter((text) => text.startsWith(KEY_PREFIX))
  const bytes = raw.map((text) => Buffer.from(text.slice(KEY_PREFIX.length), 'base64'))
  const usable = bytes.filter((key) => key.length === KEY_BYTES)
  if (usable.length === 0) throw new CallbackInvalid('PUBLIC_KEYS_INVALID')
  return usable.map((key) =>
    createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') } }),
  )
}

function parsed(body: string | Uint8Array): unknown {
  try {
    return parseLossless(Buffer.from(body).toString())
  } catch {
    throw new CallbackInvalid('BODY_INVALID')
  }
}
