import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Metrics } from '../platform/metrics.ts'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import { type Authenticator, bearerToken, type Caller, canonicalPath } from './authentication.ts'
import { SUPPORTED_VERSIONS } from './errors.ts'
import type { RateLimiter } from './rate-limit.ts'

export interface GateDeps {
  readonly authenticator: Authenticator
  readonly limiter: RateLimiter
  readonly metrics: Metrics
  /** Requests per second of one address that are not authenticated. */
  readonly addressRatePerSecond: number
  /** What the hosted payment page proves itself by; without it, there are no routes for it. */
  readonly checkoutKey?: string
  /** While true, new requests are turned away with 500 and Retry-After. */
  readonly isDraining: () => boolean
}

/**
 * What every request passes before its route, in this order: drain, version (404), authentication (401), rate (429),
 * route permission (403). Syntax of ids, query and body, and everything after, is the route's.
 */
export function guardRoutes(app: App, deps: GateDeps): void {
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access ?? 'token'
    if (access === 'probe') return
    if (access === 'open') {
      limitAddress(deps, request)
      return
    }
    refuseWhileDraining(deps, reply)
    if (access === 'institution') {
      // A share of its own: a flood of merchants keeps no institution's word from us, nor the reverse.
      limitAddress(deps, request, 'institution')
      return
    }
    requireVersion(request)
    // Here, and not after the body: what no route takes is not read either.
    if (request.is404 || (access === 'checkout' && !isCheckout(deps, request)))
      throw new Refusal('ROUTE_NOT_FOUND')
    if (access === 'versioned') {
      limitAddress(deps, request)
      return
    }
    const caller = await authenticate(deps, request)
    limitCaller(deps, caller, reply)
    if (!isPermitted(caller, request)) throw new Refusal('OPERATION_NOT_PERMITTED')
    request.caller = caller
  })
}

function refuseWhileDraining({ isDraining }: GateDeps, reply: FastifyReply): void {
  if (!isDraining()) return
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
async function authenticate(deps: GateDeps, request: FastifyRequest): Promise<Caller> {
  try {
    return await deps.authenticator.authenticate(bearerToken(request))
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) limitAddress(deps, request)
    throw error
  }
}

/** A caller's share of the rate. */
export type Bucket = Omit<Caller['bucket'], 'name'> & { readonly name: string }

/** Applies the caller's bucket. Also used by the token endpoints once the credential is proven. */
export function limitCaller(
  deps: Pick<GateDeps, 'limiter' | 'metrics'>,
  caller: { readonly bucket: Bucket },
  reply: FastifyReply,
): void {
  const { key, limitPerSecond, name } = caller.bucket
  const admission = deps.limiter.admit(key, limitPerSecond)
  void reply.header('ratelimit-policy', `"${name}";q=${String(limitPerSecond)};w=1`)
  void reply.header('ratelimit', `"${name}";r=${String(admission.remaining)};t=1`)
  if (!admission.admitted) throw tooMany(deps.metrics, name, admission.waitMs)
}

/** Applies the bucket of the address that the request came from. */
export function limitAddress(
  deps: Pick<GateDeps, 'limiter' | 'metrics' | 'addressRatePerSecond'>,
  request: FastifyRequest,
  bucket: 'address' | 'institution' = 'address',
): void {
  const admission = deps.limiter.admit(`${bucket} ${addressKey(request.ip)}`, deps.addressRatePerSecond)
  if (!admission.admitted) throw tooMany(deps.metrics, bucket, admission.waitMs)
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
