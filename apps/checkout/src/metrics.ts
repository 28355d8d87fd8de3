import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the page counts for its operators. No shop, payment or customer is ever a label. */
export interface Metrics {
  readonly registry: Registry
  /** The histogram has the name and the buckets of the gateway's own. */
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
    httpDurationSeconds: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
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

const REQUEST_TIMEOUT_MS = 5_000

/** Serves `/metrics` and nothing else, apart from the page. Rejects when the port cannot be had; resolves to what closes it. */
export function openMetrics(
  registry: Registry,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics'
    void (isAsked ? registry.metrics() : Promise.resolve('')).then((text) => {
      response.writeHead(isAsked ? 200 : 404, {
        'content-type': registry.contentType,
        'x-content-type-options': 'nosniff',
      })
      response.end(text)
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () =>
      resolve(
        () =>
          new Promise((done) => {
            server.close(() => done())
            server.closeAllConnections()
          }),
      ),
    )
  })
}
