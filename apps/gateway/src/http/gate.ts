import { timingSafeEqual } from 'node:crypto'
import { TOKEN_LENGTH_MAX } from '@tollgate/contract/words'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Metrics } from '../platform/metrics.ts'
import { Refusal, requireMoneyIn } from '../platform/refusal.ts'
import type { App, Caller } from './app-type.ts'
import { SUPPORTED_VERSIONS } from './errors.ts'
import type { Admission, RateLimiter } from './rate-limit.ts'

/** A customer who opened the page in time sees how the payment ends, although the token has ended meanwhile. */
export const CHECKOUT_GRACE_SECONDS = 14 * 86_400

/** Turns a Bearer token into a caller. Throws the Refusals TOKEN_INVALID, TOKEN_EXPIRED and MERCHANT_UNAVAILABLE. */
export interface Authenticator {
  /** `graceSeconds`: for so long after its end, a token that is limited to one payment is still taken; 0 unless given. */
  authenticate(token: string, graceSeconds?: number): Caller | Promise<Caller>
}

export interface GateDeps {
  readonly authenticator: Authenticator
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  /** Requests per second of one address that are not authenticated. */
  readonly addressRatePerSecond: number
  /** What the hosted payment page proves itself by; without it, there are no routes for it. */
  readonly checkoutKey?: string
  /** Aborted once the process ends: new requests are turned away with 500 and Retry-After. */
  readonly draining: AbortSignal
}

/**
 * What every request passes before its route, in this order: drain, version (404), authentication (401), rate (429),
 * route permission (403). Syntax of ids, query and body, and everything after, is the route's.
 */
export function guardRoutes(app: App, deps: GateDeps): void {
  // With `done`, and not as a promise: a known token is judged at once, and nearly all are known.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const waiting = pass(deps, request, reply)
      if (waiting === undefined) done()
      else waiting.then(() => done(), done)
    } catch (error) {
      done(error instanceof Error ? error : new Error('a request could not be judged', { cause: error }))
    }
  })
}

/** Throws, or rejects, with what the request is turned away for; a promise only where something has to be waited for. */
function pass(deps: GateDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  const access = request.routeOptions.config.access ?? 'token'
  if (access === 'probe') return undefined
  if (access === 'open') {
    varyByOrigin(request, reply)
    return limitAddress(deps, request)
  }
  refuseWhileDraining(deps, reply)
  // A share of its own: a flood of merchants keeps no institution's word from us, nor the reverse.
  if (access === 'institution') return limitAddress(deps, request, 'institution')
  requireVersion(request)
  // Here, and not after the body: what no route takes is not read either.
  if (request.is404 || (access === 'checkout' && !isCheckout(deps, request)))
    throw new Refusal('ROUTE_NOT_FOUND')
  if (access === 'versioned') return limitAddress(deps, request)
  return passAsCaller(deps, request, reply)
}

function passAsCaller(
  deps: GateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  varyByOrigin(request, reply)
  const admit = (caller: Caller): Promise<void> | undefined => {
    shareWithBrowser(caller, request, reply)
    const waiting = limitWithShared(deps, caller, request, reply)
    if (waiting !== undefined) return waiting.then(() => permit(caller, request))
    permit(caller, request)
    return undefined
  }
  const found = authenticate(deps, request)
  return found instanceof Promise ? found.then(admit) : admit(found)
}

/** The caller's own bucket first: what it refuses must not use up what all of the merchant's customers share. */
function limitWithShared(
  deps: GateDeps,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const waiting = limitCaller(deps, caller, reply)
  const { sharedBucket } = caller
  if (sharedBucket === undefined || !isShared(request)) return waiting
  const limitShared = (): Promise<void> | undefined => limitSilently(deps, sharedBucket, reply)
  return waiting === undefined ? limitShared() : waiting.then(limitShared)
}

const ENDS_IN_PARAMETER = /\/:[^/]+$/

/** Whether a request is a create, or names nothing by a parameter: a read of one payment is neither. */
function isShared({ method, routeOptions: { url = '', config } }: FastifyRequest): boolean {
  if (config.isShared === true || !url.includes('/:')) return true
  return method !== 'GET' && ENDS_IN_PARAMETER.test(url)
}

function permit(caller: Caller, request: FastifyRequest): void {
  if (!isPermitted(caller, request)) throw new Refusal('OPERATION_NOT_PERMITTED')
  if (request.routeOptions.config.access === 'checkout' && request.method !== 'GET') requireMoneyIn(caller)
  request.caller = caller
}

function refuseWhileDraining({ draining }: GateDeps, reply: FastifyReply): void {
  if (!draining.aborted) return
  void reply.header('connection', 'close')
  throw new Refusal('SYSTEM', { message: 'The gateway is shutting down.', retryAfterSeconds: 5 })
}

/** Decided on the route, or on the public operation that it stands for. */
function isPermitted(caller: Caller, request: FastifyRequest): boolean {
  const { config, url = '' } = request.routeOptions
  const { method, url: template } = config.actsAs ?? { method: request.method, url }
  return caller.allows(method, canonicalPath(template, request.params))
}

function isCheckout({ checkoutKey }: GateDeps, { headers }: FastifyRequest): boolean {
  if (checkoutKey === undefined) return false
  const given = Buffer.from(String(headers['tollgate-checkout-key'] ?? ''))
  const known = Buffer.from(checkoutKey)
  return given.length === known.length && timingSafeEqual(given, known)
}

function requireVersion(request: FastifyRequest): void {
  const version = request.headers['x-api-version']
  if (!SUPPORTED_VERSIONS.some((supported) => String(supported) === version))
    throw new Refusal('API_VERSION_UNSUPPORTED')
}

/** A request that fails here counts against its address: whoever guesses tokens is slowed down, whoever has one is not. */
function authenticate(deps: GateDeps, request: FastifyRequest): Caller | Promise<Caller> {
  const refuse = (error: unknown): Promise<never> => {
    const isUnknown = error instanceof Refusal && error.status === 401
    const waiting = isUnknown ? limitAddress(deps, request) : undefined
    if (waiting === undefined) throw error
    return waiting.then(() => {
      throw error
    })
  }
  try {
    const { graceSeconds } = request.routeOptions.config
    const found = deps.authenticator.authenticate(bearerToken(request), graceSeconds)
    return found instanceof Promise ? found.catch(refuse) : found
  } catch (error) {
    return refuse(error)
  }
}

/** A caller's share of the rate. */
type Bucket = Omit<Caller['bucket'], 'name'> & { readonly name: string }

type Limits = Pick<GateDeps, 'limiter' | 'metrics'>

/**
 * Applies the caller's bucket; throws, or rejects, with 429. A promise only where the limiter gives one. Also used by the
 * token endpoints once the credential is proven.
 */
export function limitCaller(
  deps: Limits,
  caller: { readonly bucket: Bucket },
  reply: FastifyReply,
): Promise<void> | undefined {
  const { bucket } = caller
  return judged(deps, bucket, (admission) => {
    tell(reply, bucket, admission)
    refuseBeyond(deps, bucket.name, admission)
  })
}

/** Like limitCaller, but heard of only by who is refused: what others send is not told to a customer. */
function limitSilently(deps: Limits, bucket: Bucket, reply: FastifyReply): Promise<void> | undefined {
  return judged(deps, bucket, (admission) => {
    if (!admission.admitted) tell(reply, bucket, admission)
    refuseBeyond(deps, bucket.name, admission)
  })
}

function judged(
  { limiter }: Limits,
  { key, limitPerSecond }: Bucket,
  judge: (admission: Admission) => void,
): Promise<void> | undefined {
  const found = limiter.admit(key, limitPerSecond)
  if (found instanceof Promise) return found.then(judge)
  judge(found)
  return undefined
}

function tell(reply: FastifyReply, { name, limitPerSecond }: Bucket, { remaining }: Admission): void {
  void reply.header('ratelimit-policy', `"${name}";q=${String(limitPerSecond)};w=1`)
  void reply.header('ratelimit', `"${name}";r=${String(remaining)};t=1`)
}

/** Applies the bucket of the address that the request came from, in the same way. */
export function limitAddress(
  deps: Pick<GateDeps, 'limiter' | 'metrics' | 'addressRatePerSecond'>,
  request: FastifyRequest,
  bucket: 'address' | 'institution' = 'address',
): Promise<void> | undefined {
  const found = deps.limiter.admit(`${bucket} ${addressKey(request.ip)}`, deps.addressRatePerSecond)
  if (found instanceof Promise) return found.then((admission) => refuseBeyond(deps, bucket, admission))
  refuseBeyond(deps, bucket, found)
  return undefined
}

function refuseBeyond({ metrics }: Pick<GateDeps, 'metrics'>, bucket: string, admission: Admission): void {
  if (!admission.admitted) throw tooMany(metrics, bucket, admission.waitMs)
}

/** The 429 of a bucket, counted. */
export function tooMany(metrics: Metrics, bucket: string, waitMs: number): Refusal {
  metrics.rateLimited.inc({ bucket })
  return new Refusal('RATE_LIMIT_EXCEEDED', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })
}

const IPV6_NETWORK_GROUPS = 4

/** An IPv6 customer has a whole /64 to hop through, so the /64 is the address. */
export function addressKey(address: string): string {
  // A trusted proxy may pass on anything as an address.
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return parsed.parts
    .slice(0, IPV6_NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':')
}

// What browsers may read of us on pages of other origins (CORS): the routes that say so, with a token that permits nothing
// else, on pages of the merchant's own. There are no cookies, so `Access-Control-Allow-Credentials` is never sent.

const EXPOSED = 'retry-after, ratelimit, ratelimit-policy, x-request-id'
const PREFLIGHT_SECONDS = 600

const originOf = ({ headers }: FastifyRequest): string | undefined => headers.origin

/** Caches must keep the answers for different origins apart, also those that share nothing. */
function varyByOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.isForBrowsers === true) void reply.header('vary', 'origin')
}

/** Lets the page read the answer, errors included, if its origin is one of the merchant's and the token is of that kind. */
function shareWithBrowser(caller: Caller, request: FastifyRequest, reply: FastifyReply): void {
  const origin = originOf(request)
  if (request.routeOptions.config.isForBrowsers !== true || origin === undefined) return
  if (caller.browserOrigins?.includes(origin) !== true) return
  void reply.header('access-control-allow-origin', origin)
  void reply.header('access-control-expose-headers', EXPOSED)
}

/**
 * Answers what browsers ask before such a GET. They send no token with it, so any origin that some merchant has named is told
 * yes: the GET itself decides. For every other origin there is no such route.
 */
export function preflightRoute(
  app: App,
  url: string,
  isKnownOrigin: (origin: string) => Promise<boolean>,
): void {
  app.options(
    url,
    { config: { access: 'open', isForBrowsers: true }, schema: { hide: true } },
    async (request, reply) => {
      const origin = originOf(request)
      const isForGet = request.headers['access-control-request-method'] === 'GET'
      if (origin === undefined || !isForGet || !(await isKnownOrigin(origin)))
        throw new Refusal('ROUTE_NOT_FOUND')
      return reply
        .code(204)
        .header('access-control-allow-origin', origin)
        .header('access-control-allow-methods', 'GET')
        .header('access-control-allow-headers', 'authorization, x-api-version')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
        .send()
    },
  )
}

const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+) *$/i

/** The token of the Authorization header; nothing else is read. Throws TOKEN_MISSING or TOKEN_INVALID. */
function bearerToken(request: FastifyRequest): string {
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
