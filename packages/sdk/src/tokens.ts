import { TollgateError } from './errors.ts'
import { stringifyLossless, textMember } from './json.ts'
import { type Patience, sendPatiently } from './patience.ts'
import { signBody } from './signature.ts'
import type { Money, TokenAction } from './types.ts'

const CACHED_VALIDITY_SECONDS = 3600
/** The part of its life after which a cached token is replaced: what starts with it can also end with it. */
const CACHED_LIFE_SHARE = 0.8
const CACHED_TOKENS_MAX = 1000

/** Who asks for tokens. With a private key requests are signed; the secret is used only where there is none. */
interface Credentials {
  readonly merchantCode: string
  readonly privateKey?: string | undefined
  readonly secret?: string | undefined
  readonly nowMs: () => number
}

/** What a token permits: entries such as `GET /payins/.*`, and optionally one exact amount. */
export interface TokenScope {
  readonly operations: readonly string[]
  readonly money?: Money | undefined
}
interface TokenLife {
  /** Lifetime in seconds; the gateway's default is 3600. */
  readonly validitySecs?: number | undefined
  /** Time of signing in seconds; default: now. */
  readonly timestamp?: number | undefined
}
export interface TokenRequest extends TokenScope, TokenLife {}
export interface ActionTokenRequest extends TokenLife {
  readonly action: TokenAction
  readonly idPayment: string
  readonly money?: Money | undefined
}

/** Auth tokens (specification section 5). All throw TollgateError. */
export interface Tokens {
  /** A new token for these operations. General ones (`POST /payins/.*`) must stay on your server. */
  create(request: TokenRequest): Promise<string>
  /** A new token for one payment. A PAYIN_INFO token may go to the customer's browser. */
  createByAction(request: ActionTokenRequest): Promise<string>
  /** A token for these operations from memory, renewed at 80 % of its life; concurrent callers share one request. */
  cached(scope: TokenScope): Promise<string>
  /** Drops the remembered token, after the gateway refused it. */
  forget(scope: TokenScope): void
}

/** Tokens over a wire, with the merchant's credentials. */
export function createTokens(parts: Patience, credentials: Credentials): Tokens {
  const cache = new Map<string, { readonly token: Promise<string>; readonly freshUntilMs: number }>()
  const create = (request: TokenRequest) =>
    requestToken(parts, credentials, { path: '/auth-tokens', request })

  async function cached(scope: TokenScope): Promise<string> {
    const key = keyOf(scope)
    const known = cache.get(key)
    if (known !== undefined && credentials.nowMs() < known.freshUntilMs) return known.token
    const token = create({ ...scope, validitySecs: CACHED_VALIDITY_SECONDS })
    const freshUntilMs = credentials.nowMs() + CACHED_VALIDITY_SECONDS * 1000 * CACHED_LIFE_SHARE
    const entry = { token, freshUntilMs }
    cache.delete(key)
    cache.set(key, entry)
    for (const oldest of cache.keys()) if (cache.size > CACHED_TOKENS_MAX) cache.delete(oldest)
    try {
      return await token
    } catch (error) {
      if (cache.get(key) === entry) cache.delete(key)
      throw error
    }
  }

  return {
    create,
    createByAction: (request) =>
      requestToken(parts, credentials, { path: '/auth-tokens-by-action', request }),
    cached,
    forget: (scope) => void cache.delete(keyOf(scope)),
  }
}

const keyOf = ({ operations, money }: TokenScope): string => stringifyLossless([operations, money])

async function requestToken(
  parts: Patience,
  credentials: Credentials,
  { path, request }: { path: string; request: TokenRequest | ActionTokenRequest },
): Promise<string> {
  const { merchantCode, privateKey, secret, nowMs } = credentials
  if (privateKey === undefined && secret === undefined)
    throw new TypeError(
      'this call needs a token: give createGateway your privateKey (only `request` works without one)',
    )
  const timestamp = request.timestamp ?? Math.floor(nowMs() / 1000)
  const credential = privateKey === undefined ? { secret } : {}
  const rawBody = stringifyLossless({ merchantCode, ...request, timestamp, ...credential })
  const headers =
    privateKey === undefined ? undefined : { 'X-SIGNATURE': await signBody(rawBody, privateKey) }
  const response = await sendPatiently(parts, { method: 'POST', path, rawBody, headers })
  const token = textMember(response.body, 'token')
  if (token === undefined) throw new TollgateError('ANSWER_UNEXPECTED', response)
  return token
}
