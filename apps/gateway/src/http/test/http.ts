import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createMetrics, type Metrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type HeldClock, heldClock, testLog } from '../../platform/test/index.ts'
import type { App, Caller } from '../app-type.ts'
import { guardRoutes } from '../gate.ts'
import { createRateLimiter, type RateLimiter } from '../rate-limit.ts'
import { createHttpServer } from '../server.ts'

/** An HTTP server with its gate and no routes of its own. */
export interface Edge {
  readonly app: App
  readonly clock: HeldClock
  readonly metrics: Metrics
  readonly lines: string[]
  /** True makes it turn requests away. */
  drain(): void
}

export const VERSION = { 'x-api-version': '2' }
export const LIMIT_PER_SECOND = 3
export const ADDRESS_RATE_PER_SECOND = 5

/** Of all tokens that are limited to one payment together. */
export const SHARED_PER_SECOND = 5

/**
 * Tokens of the test: `a.b.<what they permit>`, with `all` for everything, and `pay-<id>` limited to one payment. One that begins with `slow-` is judged later, and
 * `late` has ended a minute ago.
 */
function authenticate(token: string, graceSeconds = 0): Caller | Promise<Caller> {
  const scope = token.split('.')[2] ?? ''
  if (!scope.startsWith('slow-')) return judge(scope, graceSeconds)
  return Promise.resolve().then(() => judge(scope.slice('slow-'.length), graceSeconds))
}

function judge(scope: string, graceSeconds: number): Caller {
  if (scope === 'bad') throw new Refusal('TOKEN_INVALID')
  if (scope === 'closed') throw new Refusal('MERCHANT_UNAVAILABLE')
  if (scope === 'late' && graceSeconds < 60) throw new Refusal('TOKEN_EXPIRED')
  return {
    merchantId: '1',
    merchantCode: 'SHOP',
    allows: (method, path) =>
      ['all', 'late'].includes(scope) ||
      scope.startsWith('pay-') ||
      `${method} ${path}` === Buffer.from(scope, 'base64url').toString(),
    money: undefined,
    ...(scope.startsWith('pay-')
      ? {
          bucket: { key: `payment ${scope}`, limitPerSecond: LIMIT_PER_SECOND, name: 'payment' },
          sharedBucket: { key: 'customers 1', limitPerSecond: SHARED_PER_SECOND, name: 'customers' },
        }
      : { bucket: { key: 'merchant 1', limitPerSecond: LIMIT_PER_SECOND, name: 'merchant' } }),
  }
}

export const tokenFor = (operation: string): string =>
  `Bearer a.b.${Buffer.from(operation).toString('base64url')}`
export const TOKEN = { authorization: 'Bearer a.b.all' }

/** The same answers, but not at once. */
const asking = (limiter: RateLimiter): RateLimiter => ({
  admit: async (key, limit) => limiter.admit(key, limit),
})

export function edge(
  t: TestLife,
  options: {
    readonly trustProxy?: readonly string[]
    readonly isLive?: boolean
    /** The limiter has to ask somebody, and answers later. */
    readonly isShared?: boolean
    readonly checkoutKey?: string
  } = {},
): Edge {
  const clock = heldClock()
  const metrics = createMetrics()
  const { log, lines } = testLog()
  const drain = new AbortController()
  const app = createHttpServer({
    publicUrl: 'https://gateway.test',
    clock,
    ids: randomIds,
    log,
    metrics,
    trustProxy: options.trustProxy ?? [],
    isLive: options.isLive ?? false,
  })
  guardRoutes(app, {
    authenticator: { authenticate },
    limiter: options.isShared === true ? asking(createRateLimiter(clock)) : createRateLimiter(clock),
    metrics,
    addressRatePerSecond: ADDRESS_RATE_PER_SECOND,
    ...(options.checkoutKey !== undefined && { checkoutKey: options.checkoutKey }),
    draining: drain.signal,
  })
  t.after(() => app.close())
  return {
    app,
    clock,
    metrics,
    lines,
    drain: () => drain.abort(),
  }
}
