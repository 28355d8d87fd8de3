import { TOKEN_LENGTH_MAX } from '@tollgate/contract/words'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'

/** A customer who opened the page in time sees how the payment ends, although the token has ended meanwhile. */
export const CHECKOUT_GRACE_SECONDS = 14 * 86_400

/** Who calls, and what the token lets them do. */
export interface Caller {
  readonly merchantId: string
  readonly merchantCode: string
  /** Decided on the method and the route's template filled with validated parameters, never on the text of the URL. */
  readonly allows: (method: string, canonicalPath: string) => boolean
  /** The money the token is limited to, if it is. */
  readonly money: { readonly amount: string; readonly currencyCode: string } | undefined
  /** The merchant's tokens for customers must carry the money, and this one does not. */
  readonly isMoneyMissing?: boolean
  /** The rate-limit bucket: the merchant's, or the payment's for a token that is limited to one payment. */
  readonly bucket: {
    readonly key: string
    readonly limitPerSecond: number
    readonly name: 'merchant' | 'payment'
  }
  /** Of a token that permits to read one payin and nothing else: on pages of which origins a browser may do so. */
  readonly browserOrigins?: readonly string[] | undefined
  /**
   * For a token that is limited to one payment: the bucket that all such tokens of the merchant share, beside their own.
   * It counts creates, and requests that name no payment: more tokens do not make more of those.
   */
  readonly sharedBucket?:
    | { readonly key: string; readonly limitPerSecond: number; readonly name: 'customers' }
    | undefined
}

/** Turns a Bearer token into a caller. Throws the Refusals TOKEN_INVALID, TOKEN_EXPIRED and MERCHANT_UNAVAILABLE. */
export interface Authenticator {
  /** `graceSeconds`: for so long after its end, a token that is limited to one payment is still taken; 0 unless given. */
  authenticate(token: string, graceSeconds?: number): Caller | Promise<Caller>
}

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i

/** The token of the Authorization header; nothing else is read. Throws TOKEN_MISSING or TOKEN_INVALID. */
export function bearerToken(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined || header.trim() === '' || !/^bearer\b/i.test(header))
    throw new Refusal('TOKEN_MISSING')
  const token = BEARER.exec(header)?.[1]
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) throw new Refusal('TOKEN_INVALID')
  return token
}

/** The caller of a route that needs a token. Its absence is a bug of the route table. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error(`no caller on ${request.routeOptions.url ?? 'a route'}`)
  return request.caller
}

const OUTSIDE_A_PATH = /[^\x21-\x7e]/g

/**
 * `/payins/:idPayin` and its parameters, decoded once by the router, as one path without encodings. No id may have a
 * character outside of printable ASCII: it becomes `?`, so that `.*` still matches and the syntax check answers.
 */
export function canonicalPath(template: string, params: unknown): string {
  if (!template.includes(':') || typeof params !== 'object' || params === null) return template
  const values = new Map<string, unknown>(Object.entries(params))
  return template
    .split('/')
    .map((segment) => (segment.startsWith(':') ? printable(values.get(segment.slice(1))) : segment))
    .join('/')
}

const printable = (value: unknown): string => String(value).replace(OUTSIDE_A_PATH, '?')
