import { failureOf } from './errors.ts'
import { parseLossless, stringifyLossless } from './json.ts'

/** How to reach the gateway. */
export interface Wire {
  readonly baseUrl: string
  readonly apiVersion: number
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

/** One HTTP request, exactly as asked for. */
export interface RawRequest {
  readonly method: string
  /** Path and query, e.g. `/payins/ORD-1`. */
  readonly path: string
  /** Sent as JSON; amounts may be decimal strings. */
  readonly body?: unknown
  /** Sent as it is, instead of `body`. */
  readonly rawBody?: string | Uint8Array | undefined
  readonly token?: string | undefined
  /** Added to the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined
}

/** What came back. `body` is the JSON with amounts as decimal strings, undefined where `text` is not JSON. */
export interface RawResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
  readonly text: string
}

/**
 * Sends one request and reads the answer, whatever its status: no token, no repeat, no redirect is followed.
 * Throws a TollgateError of status 0 when no answer came within the time limit.
 */
export async function send(wire: Wire, request: RawRequest): Promise<RawResponse> {
  const url = new URL(wire.baseUrl + request.path)
  const content = contentOf(request)
  const init: RequestInit = {
    method: request.method,
    headers: headersOf(wire, request, content !== undefined),
    redirect: 'manual',
    signal: AbortSignal.timeout(wire.timeoutMs),
    ...(content === undefined ? {} : { body: content }),
  }
  // Called on nothing: Cloudflare Workers refuse a fetch that is called as the method of another object.
  const { fetch } = wire
  try {
    const response = await fetch(url, init)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parsed(text), text }
  } catch (error) {
    throw failureOf(error, url.host)
  }
}

function contentOf({ body, rawBody }: RawRequest): string | Uint8Array<ArrayBuffer> | undefined {
  if (rawBody !== undefined) return typeof rawBody === 'string' ? rawBody : new Uint8Array(rawBody)
  return body === undefined ? undefined : stringifyLossless(body)
}

function headersOf(wire: Wire, request: RawRequest, hasContent: boolean): Headers {
  const headers = new Headers({ 'X-API-Version': String(wire.apiVersion) })
  if (hasContent) headers.set('Content-Type', 'application/json')
  if (request.token !== undefined) headers.set('Authorization', `Bearer ${request.token}`)
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  return headers
}

function parsed(text: string): unknown {
  try {
    return parseLossless(text)
  } catch {
    return undefined
  }
}
