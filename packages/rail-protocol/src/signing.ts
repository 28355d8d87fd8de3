import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { PROTOCOL_VERSION } from './schemas.ts'

/** How far the time of a message may be from the receiver's clock, either way. */
export const PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS = 300
/** The fewest bytes of a shared secret. */
export const SECRET_BYTES_MIN = 32

/** A shared secret as its file has it: base64; undefined for another text, and for one that is too short. A lax reading would take a damaged one for another secret. */
export function decodeSecret(text: string): Buffer | undefined {
  const secret = Buffer.from(text, 'base64')
  return secret.length >= SECRET_BYTES_MIN && secret.toString('base64') === text ? secret : undefined
}

/** One key per side, so that nothing that one side signed can be sent back to it as the other's. */
export interface ProtocolKeys {
  /** Signs what the gateway sends. */
  readonly gateway: KeyObject
  /** Signs what the institution sends. */
  readonly institution: KeyObject
}

/** Headers as a server has them: names in lower case. One that came several times counts as missing. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Headers to send. */
export type SignatureHeaders = Readonly<Record<string, string>>

/** What is signed of a request. */
export interface RequestToSign {
  /** The id of the shared secret. */
  readonly keyId: string
  readonly method: string
  /** With the query, exactly as it is sent. */
  readonly path: string
  /** Seconds since 1970. */
  readonly timestampSeconds: number
  readonly body: string | Uint8Array
}

export interface RequestToVerify extends Omit<RequestToSign, 'timestampSeconds'> {
  readonly headers: ReceivedHeaders
  /** The receiver's clock, milliseconds since 1970. */
  readonly nowMs: number
}

/** What is signed of an answer. */
export interface AnswerToSign {
  readonly status: number
  /** The signature of the request that is answered: the answer fits no other request. */
  readonly requestSignature: string
  readonly timestampSeconds: number
  readonly body: string | Uint8Array
}

export interface AnswerToVerify extends Omit<AnswerToSign, 'timestampSeconds'> {
  readonly headers: ReceivedHeaders
  readonly nowMs: number
}

/** Whether a message proves where it comes from; `signature` is what an answer to it must be bound to. */
export type Verdict =
  | { readonly ok: true; readonly signature: string }
  | { readonly ok: false; readonly why: string }

/** Derives both keys from the shared secret, which has at least 32 bytes. Throws RangeError for a shorter one. */
export function deriveKeys(secret: Uint8Array): ProtocolKeys {
  if (secret.length < SECRET_BYTES_MIN)
    throw new RangeError(`a shared secret has at least ${String(SECRET_BYTES_MIN)} bytes`)
  const derive = (name: string): KeyObject =>
    createSecretKey(createHmac('sha256', secret).update(name).digest())
  return { gateway: derive('tollgate gateway'), institution: derive('tollgate institution') }
}

/** Signs a request; the headers carry the key's id, the time and the signature. */
export function signRequest(key: KeyObject, request: RequestToSign): SignatureHeaders {
  const signature = requestSignature(key, request)
  return { 'Tollgate-Key': request.keyId, ...signed(request.timestampSeconds, signature) }
}

/** Verifies a request that should carry `keyId`: its key, its time, then its signature. */
export function verifyRequest(key: KeyObject, request: RequestToVerify): Verdict {
  const named = single(request.headers, 'tollgate-key')
  if (named === undefined) return { ok: false, why: 'there is no Tollgate-Key' }
  if (named !== request.keyId) return { ok: false, why: 'Tollgate-Key names another key' }
  return verify(request, (timestampSeconds) => requestSignature(key, { ...request, timestampSeconds }))
}

/** Signs an answer to one request. */
export function signAnswer(key: KeyObject, answer: AnswerToSign): SignatureHeaders {
  return signed(answer.timestampSeconds, answerSignature(key, answer))
}

/** Verifies the answer to a request of ours. */
export function verifyAnswer(key: KeyObject, answer: AnswerToVerify): Verdict {
  return verify(answer, (timestampSeconds) => answerSignature(key, { ...answer, timestampSeconds }))
}

/** The signature inside the headers that were sent with a request, to bind its answer to. Throws when there is none. */
export function signatureOf(headers: SignatureHeaders): string {
  const signature = SIGNATURE.exec(headers['Tollgate-Signature'] ?? '')?.[1]
  if (signature === undefined) throw new TypeError('these headers carry no signature')
  return signature
}

const SIGNATURE = /^v1=([0-9a-f]{64})$/
const SECONDS = /^[1-9][0-9]{0,11}$/

function signed(timestampSeconds: number, signature: string): SignatureHeaders {
  return {
    'Tollgate-Timestamp': String(timestampSeconds),
    'Tollgate-Signature': `${PROTOCOL_VERSION}=${signature}`,
  }
}

function verify(
  { headers, nowMs }: Pick<RequestToVerify, 'headers' | 'nowMs'>,
  expectedAt: (timestampSeconds: number) => string,
): Verdict {
  const seconds = single(headers, 'tollgate-timestamp')
  if (seconds === undefined || !SECONDS.test(seconds))
    return { ok: false, why: 'Tollgate-Timestamp is missing or no number of seconds' }
  const signature = SIGNATURE.exec(single(headers, 'tollgate-signature') ?? '')?.[1]
  if (signature === undefined) return { ok: false, why: 'Tollgate-Signature is missing or has another form' }
  if (!isSame(signature, expectedAt(Number(seconds)))) return { ok: false, why: 'the signature is not valid' }
  // After the signature: whoever cannot sign learns nothing of our clock.
  if (Math.abs(nowMs / 1000 - Number(seconds)) > PROTOCOL_TIMESTAMP_TOLERANCE_SECONDS)
    return { ok: false, why: 'the message is too old, or from the future' }
  return { ok: true, signature }
}

function requestSignature(
  key: KeyObject,
  { method, path, timestampSeconds, body }: Omit<RequestToSign, 'keyId'>,
): string {
  return macOf(key, [method.toUpperCase(), path, String(timestampSeconds), digestOf(body)])
}

function answerSignature(
  key: KeyObject,
  { status, requestSignature: request, timestampSeconds, body }: AnswerToSign,
): string {
  return macOf(key, ['ANSWER', String(status), request, String(timestampSeconds), digestOf(body)])
}

function macOf(key: KeyObject, lines: readonly string[]): string {
  return createHmac('sha256', key)
    .update([PROTOCOL_VERSION, ...lines].join('\n'))
    .digest('hex')
}

const digestOf = (body: string | Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** Both have 64 characters. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function single(headers: ReceivedHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}
