import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import type { Caller } from './authentication.ts'

// What browsers may read of us on pages of other origins (CORS): the routes that say so, with a token that permits nothing
// else, on pages of the merchant's own. There are no cookies, so `Access-Control-Allow-Credentials` is never sent.

const EXPOSED = 'retry-after, ratelimit, ratelimit-policy, x-request-id'
const PREFLIGHT_SECONDS = 600

const originOf = ({ headers }: FastifyRequest): string | undefined => headers.origin

/** Caches must keep the answers for different origins apart, also those that share nothing. */
export function varyByOrigin(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.isForBrowsers === true) void reply.header('vary', 'origin')
}

/** Lets the page read the answer, errors included, if its origin is one of the merchant's and the token is of that kind. */
export function shareWithBrowser(caller: Caller, request: FastifyRequest, reply: FastifyReply): void {
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
