import { API_VERSION } from '../../rig/gateway.ts'
import { ID_PLACEHOLDER, type Ids, type RequestTemplate } from './plan.ts'

interface RequestParts {
  readonly label: string
  readonly method: 'GET' | 'POST'
  /** ID_PLACEHOLDER where the id belongs. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly token?: string
  /** Sent as JSON, or as it is when it is a text. */
  readonly body?: unknown
  readonly contentType?: string
  readonly expectedStatus: number
  readonly ids?: Ids
  readonly weight?: number
}

/** A request in the form in which it goes over the wire. */
export function requestTemplate(parts: RequestParts): RequestTemplate {
  const body = bodyOf(parts.body)
  const headers = {
    Host: '127.0.0.1',
    'X-API-Version': API_VERSION,
    ...(parts.token !== undefined && { Authorization: `Bearer ${parts.token}` }),
    ...(body !== undefined && {
      'Content-Type': parts.contentType ?? 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    }),
    ...parts.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${parts.method} ${parts.path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
  return {
    label: parts.label,
    text: Buffer.from(text, 'utf8').toString('latin1'),
    ids: parts.ids ?? 'new',
    expectedStatus: parts.expectedStatus,
    weight: parts.weight ?? 1,
  }
}

function bodyOf(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body
  return JSON.stringify(body)
}

export { ID_PLACEHOLDER }
