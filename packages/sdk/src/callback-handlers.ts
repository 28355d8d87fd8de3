import { joined, utf8 } from './bytes.ts'
import {
  type CallbackEvent,
  CallbackInvalid,
  type CallbackKind,
  EVENT_TYPE_HEADER,
  type HeadersLike,
  headerOf,
  readCallback,
  verifyCallback,
} from './callbacks.ts'

const BODY_BYTES_MAX = 64 * 1024
const KEYS_FRESH_MS = 60_000

/** A status change of a payment of a known kind. */
export interface PaymentEvent extends CallbackEvent {
  readonly kind: CallbackKind
}

export interface CallbackHandlerOptions {
  /** The gateway's keys (and `whsec_` secrets), or where to get them: asked at most once a minute, so that a change of keys needs no restart. */
  readonly publicKeys: readonly string[] | (() => Promise<readonly string[]>)
  /**
   * Read the payment of this kind and id here, and act on its status. It may be called more than once for one change. When it throws,
   * the answer is 500 and the gateway repeats the callback; be done within 10 seconds.
   */
  readonly onPayment: (event: PaymentEvent) => Promise<void> | void
  /** Hears of refused callbacks (CallbackInvalid) and of what `onPayment` threw. Default: console.error. */
  readonly onProblem?: (problem: unknown) => void
  /** Only where a body parser has consumed the body: go on when the rewritten body does not match the signature. */
  readonly signatureOptionalAfterParser?: boolean
  readonly toleranceSeconds?: number
  readonly nowMs?: () => number
}

/** The request of node:http, Express (with or without a body parser) or Fastify. */
export interface IncomingCallback {
  readonly method?: string | undefined
  readonly headers: HeadersLike
  readonly body?: unknown
  readonly rawBody?: unknown
}
/** Their response; Fastify's has no `end`. */
export interface OutgoingAnswer {
  statusCode: number
  end?(): unknown
  send?(): unknown
}

/** A handler for node:http, Express and Fastify that answers exactly 200 once `onPayment` is done. */
export function callbackHandler(
  options: CallbackHandlerOptions,
): (request: IncomingCallback, response: OutgoingAnswer) => Promise<void> {
  const handle = createHandle(options)
  return async (request, response) => {
    response.statusCode = await handle(request, request)
    if (response.end !== undefined) response.end()
    else response.send?.()
  }
}

/** The same for servers that speak fetch: `Request` in, `Response` out. */
export function fetchHandler(options: CallbackHandlerOptions): (request: Request) => Promise<Response> {
  const handle = createHandle(options)
  return async ({ method, headers, body }) => {
    return new Response(null, { status: await handle({ method, headers }, body) })
  }
}

/** Decides the status of the answer; `stream` gives the body where the request does not carry it yet. */
function createHandle(
  options: CallbackHandlerOptions,
): (request: IncomingCallback, stream: unknown) => Promise<number> {
  const { onPayment, onProblem = console.error, nowMs = Date.now } = options
  const keys = keysOf(options, nowMs)
  return async (request, stream) => {
    if (request.method !== 'POST') return 405
    try {
      const event = await eventOf(request, await rawBodyOf(request, stream), {
        publicKeys: await keys(),
        nowMs: nowMs(),
        toleranceSeconds: options.toleranceSeconds ?? 300,
        isSignatureOptional: options.signatureOptionalAfterParser ?? false,
      })
      const { kind } = event
      if (kind !== undefined) await onPayment({ ...event, kind })
      return 200
    } catch (problem) {
      onProblem(problem)
      return problem instanceof CallbackInvalid ? 400 : 500
    }
  }
}

function keysOf(
  { publicKeys }: CallbackHandlerOptions,
  nowMs: () => number,
): () => Promise<readonly string[]> {
  if (typeof publicKeys !== 'function') return async () => publicKeys
  let known: Promise<readonly string[]> | undefined
  let freshUntilMs = 0
  return async () => {
    if (known !== undefined && nowMs() < freshUntilMs) return known
    freshUntilMs = nowMs() + KEYS_FRESH_MS
    known = publicKeys()
    try {
      return await known
    } catch (error) {
      known = undefined
      throw error
    }
  }
}

interface Checks {
  readonly publicKeys: readonly string[]
  readonly nowMs: number
  readonly toleranceSeconds: number
  readonly isSignatureOptional: boolean
}

async function eventOf(
  request: IncomingCallback,
  raw: string | Uint8Array | undefined,
  checks: Checks,
): Promise<CallbackEvent> {
  // The gateway sends compact JSON: written again, a parsed body has the very bytes that were signed.
  const body = raw ?? JSON.stringify(request.body)
  // The gateway always sends it; a proxy that removes it must not make every callback one to ignore.
  if (!headerOf(request.headers, EVENT_TYPE_HEADER)) throw new CallbackInvalid('HEADERS_MISSING')
  try {
    return await verifyCallback({ ...checks, headers: request.headers, body })
  } catch (problem) {
    if (raw !== undefined || !checks.isSignatureOptional) throw problem
    return readCallback(request.body, request.headers)
  }
}

/** The body as it arrived, or undefined where a parser has turned it into an object. */
async function rawBodyOf(
  request: IncomingCallback,
  stream: unknown,
): Promise<string | Uint8Array | undefined> {
  const given = [request.rawBody, request.body].find(isContent)
  if (given !== undefined) return given
  if (typeof request.body === 'object' && request.body !== null) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of isIterable(stream) ? stream : []) {
    const bytes = isContent(chunk) ? bytesOf(chunk) : new Uint8Array(0)
    length += bytes.length
    if (length > BODY_BYTES_MAX) throw new CallbackInvalid('BODY_INVALID')
    chunks.push(bytes)
  }
  return joined(chunks)
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? utf8(content) : content

function isContent(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
