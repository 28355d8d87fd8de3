import { httpDuration } from '@tollgate/runtime/metrics'
import { Counter, collectDefaultMetrics, Gauge, type Histogram, Registry } from 'prom-client'

/** What the page counts for its operators. No shop, payment or customer is ever a label. */
export interface Metrics {
  readonly registry: Registry
  readonly httpDurationSeconds: Histogram<'method' | 'route' | 'status'>
  readonly rateLimited: Counter<'bucket'>
  /** Read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void
}

/** By what a request was limited. */
export type LimitName = 'address' | 'payment' | 'streams'

/** A registry of its own, so that several pages in one process (tests) do not share counts. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    httpDurationSeconds: httpDuration(registers),
    rateLimited: new Counter({
      name: 'tollgate_checkout_rate_limited_total',
      help: 'Requests that were too many, by bucket.',
      labelNames: ['bucket'],
      registers,
    }),
    gauge(name, help, read) {
      const collect = function (this: Gauge): void {
        this.set(read())
      }
      registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
    },
  }
}
