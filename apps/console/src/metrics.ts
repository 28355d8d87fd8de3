import { httpDuration } from '@tollgate/runtime/metrics'
import { Counter, collectDefaultMetrics, type Histogram, Registry } from 'prom-client'

/** What the console counts for who runs it. No operator, merchant or payment is ever a label. */
export interface Metrics {
  readonly registry: Registry
  readonly httpDurationSeconds: Histogram<'method' | 'route' | 'status'>
  readonly apiRequests: Counter<'result'>
  readonly rateLimited: Counter<'bucket'>
}

/** How the operator API took a request of ours: AWAY is no answer, or one of 500 and more. */
export type ApiResult = 'ANSWERED' | 'AWAY'

/** A registry of its own, so that several consoles in one process (tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    httpDurationSeconds: httpDuration(registers),
    apiRequests: new Counter({
      name: 'tollgate_console_api_requests_total',
      help: 'Requests to the operator API, by result.',
      labelNames: ['result'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'tollgate_console_rate_limited_total',
      help: 'Requests that were too many, by bucket.',
      labelNames: ['bucket'],
      registers,
    }),
  }
}
