import { type Bytes, fromBase64, joined, utf8 } from './bytes.ts'
import { parseLossless, textMember } from './json.ts'

const KEY_PREFIX = 'whpk_'
const KEY_BYTES = 32
const SIGNATURE_PREFIX = 'v1a,'
const SECRET_PREFIX = 'whsec_'
const SECRET_SIGNATURE_PREFIX = 'v1,'
const SECRET_BYTES_MIN = 24
const SIGNATURES_MAX = 10
/** Says what a callback is about. */
export const EVENT_TYPE_HEADER = 'webhook-event-type'
const ID_ENTITY = /^[A-Za-z0-9_-]{1,250}$/

/** Headers as node:http, frameworks or fetch hand them over. Any fetch: npm's undici has a class Headers of its own. */
export type HeadersLike = HeadersToGet | Readonly<Record<string, string | readonly string[] | undefined>>
type HeadersToGet = Pick<Headers, 'get'>

/** What a callback is about. A payin and a payout may have the same id. */
export type CallbackKind = 'PAYIN' | 'PAYOUT' | 'TOPUP' | 'REFUND'

const KINDS: ReadonlyMap<string, CallbackKind> = new Map([
  ['payin.status', 'PAYIN'],
  ['payout.status', 'PAYOUT'],
  ['topup.status', 'TOPUP'],
  ['refund.status', 'REFUND'],
])

/** A status change. Read the payment to learn its status; the callback carries none. */
export interface CallbackEvent {
  /** The id of the payment; of a refund, the id of its payin. */
  readonly idEntity: string
  /**
   * Undefined for a type of event that this version does not know: answer 200 and do nothing. It comes from the header
   * `webhook-event-type`, which the signature does not cover. Whoever changes it makes you read the wrong payment, and
   * cannot change what you read: act on the status alone.
   */
  readonly kind: CallbackKind | undefined
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
 * and reads it. One valid signature by one of them is enough. Rejects with CallbackInvalid.
 */
export async function verifyCallback(callback: CallbackToVerify): Promise<CallbackEvent> {
  const { headers, body, publicKeys, nowMs = Date.now(), toleranceSeconds = 300 } = callback
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) throw new CallbackInvalid('HEADERS_MISSING')
  const isClose = Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds
  if (!/^\d{1,12}$/.test(timestamp) || !isClose) throw new CallbackInvalid('TIMESTAMP_OUT_OF_TOLERANCE')
  const bytes = typeof body === 'string' ? utf8(body) : body
  const signed = joined([utf8(`${id}.${timestamp}.`), bytes])
  if (!(await isSigned(signed, signatures, keysOf(publicKeys))))
    throw new CallbackInvalid('SIGNATURE_INVALID')
  return readCallback(parsed(bytes), headers)
}

/** Reads the body of a callback whose origin is not checked. Throws CallbackInvalid. */
export function readCallback(body: unknown, headers: HeadersLike): CallbackEvent {
  const idEntity = textMember(body, 'idEntity')
  if (idEntity === undefined || !ID_ENTITY.test(idEntity)) throw new CallbackInvalid('BODY_INVALID')
  const kind = KINDS.get(headerOf(headers, EVENT_TYPE_HEADER) ?? '')
  return { idEntity, kind, eventId: headerOf(headers, 'webhook-id') ?? '' }
}

/** A header's value, whatever the case of its name. */
export function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (hasGet(headers)) return headers.get(name) ?? undefined
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

/** In a record, `get` is a header, and so no function. */
const hasGet = (headers: HeadersLike): headers is HeadersToGet => typeof headers.get === 'function'

interface Keys {
  readonly publicKeys: readonly Bytes[]
  readonly secrets: readonly Bytes[]
}

async function isSigned(signed: Bytes, header: string, { publicKeys, secrets }: Keys): Promise<boolean> {
  const signaturesOf = (prefix: string): readonly Bytes[] =>
    decoded(header.split(' '), prefix).slice(0, SIGNATURES_MAX)
  const checks = [
    ...pairs(publicKeys, signaturesOf(SIGNATURE_PREFIX)).map((pair) => isVerified(ED25519, pair, signed)),
    ...pairs(secrets, signaturesOf(SECRET_SIGNATURE_PREFIX)).map((pair) => isVerified(HMAC, pair, signed)),
  ]
  return (await Promise.all(checks)).includes(true)
}

const ED25519 = { name: 'Ed25519' }
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

interface Pair {
  readonly key: Bytes
  readonly signature: Bytes
}

const pairs = (keys: readonly Bytes[], signatures: readonly Bytes[]): readonly Pair[] =>
  keys.flatMap((key) => signatures.map((signature) => ({ key, signature })))

/** False also for a key that is none of its kind. */
async function isVerified(
  algorithm: typeof ED25519 | typeof HMAC,
  { key, signature }: Pair,
  signed: Bytes,
): Promise<boolean> {
  const { subtle } = globalThis.crypto
  try {
    const imported = await subtle.importKey('raw', key, algorithm, false, ['verify'])
    return await subtle.verify(algorithm, imported, signature, signed)
  } catch {
    return false
  }
}

/** The keys and secrets of the kinds we know; other kinds may be added beside them. Throws where none is left. */
function keysOf(texts: readonly string[]): Keys {
  const publicKeys = decoded(texts, KEY_PREFIX).filter(({ length }) => length === KEY_BYTES)
  const secrets = decoded(texts, SECRET_PREFIX).filter(({ length }) => length >= SECRET_BYTES_MIN)
  if (publicKeys.length === 0 && secrets.length === 0) throw new CallbackInvalid('PUBLIC_KEYS_INVALID')
  return { publicKeys, secrets }
}

/** What stands in base64 behind the prefix. */
const decoded = (texts: readonly string[], prefix: string): readonly Bytes[] =>
  texts
    .filter((text) => text.startsWith(prefix))
    .flatMap((text) => fromBase64(text.slice(prefix.length)) ?? [])

function parsed(body: Uint8Array): unknown {
  try {
    return parseLossless(new TextDecoder().decode(body))
  } catch {
    throw new CallbackInvalid('BODY_INVALID')
  }
}
