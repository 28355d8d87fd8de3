import { createServer } from 'node:http'

// What the page counts for its operators, in the text format of Prometheus. No shop, payment or customer is ever a label.

/** The histogram has the name and the buckets of the gateway's own. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export type LimitName = 'address' | 'payment' | 'streams'

export interface Answered {
  readonly method: string
  readonly route: string
  readonly status: number
  readonly seconds: number
}

export interface Metrics {
  answered(request: Answered): void
  limited(bucket: LimitName): void
  /** Read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void
  /** As Prometheus reads it. */
  text(): string
}

interface Series {
  readonly labels: string
  /** By bucket; the last one is for all that took longer. */
  readonly counts: number[]
  sum: number
}

export function createMetrics(): Metrics {
  const requests = new Map<string, Series>()
  const limits = new Map<LimitName, number>()
  const gauges: (readonly [name: string, help: string, read: () => number])[] = []
  return {
    answered({ method, route, status, seconds }) {
      const labels = `method="${method}",route="${route}",status="${status}"`
      const series = requests.get(labels) ?? {
        labels,
        counts: BUCKETS_SECONDS.map(() => 0).concat(0),
        sum: 0,
      }
      requests.set(labels, series)
      const found = BUCKETS_SECONDS.findIndex((most) => seconds <= most)
      const at = found === -1 ? BUCKETS_SECONDS.length : found
      series.counts[at] = (series.counts[at] ?? 0) + 1
      series.sum += seconds
    },
    limited: (bucket) => void limits.set(bucket, (limits.get(bucket) ?? 0) + 1),
    gauge: (...gauge) => void gauges.push(gauge),
    text: () =>
      [
        ...head('http_server_request_duration_seconds', 'histogram', 'Time to answer a request.'),
        ...[...requests.values()].flatMap(histogramLines),
        ...head('tollgate_checkout_rate_limited_total', 'counter', 'Requests that were too many, by bucket.'),
        ...[...limits].map(
          ([bucket, count]) => `tollgate_checkout_rate_limited_total{bucket="${bucket}"} ${count}`,
        ),
        ...[...gauges, ...PROCESS_GAUGES].flatMap(([name, help, read]) => [
          ...head(name, 'gauge', help),
          `${name} ${read()}`,
        ]),
        '',
      ].join('\n'),
  }
}

const PROCESS_GAUGES = [
  ['process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss()],
  ['process_uptime_seconds', 'How long the process has been running.', () => process.uptime()],
] as const

const head = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
]

function histogramLines({ labels, counts, sum }: Series): readonly string[] {
  const name = 'http_server_request_duration_seconds'
  let total = 0
  const lines = counts.map((count, index) => {
    total += count
    return `${name}_bucket{${labels},le="${BUCKETS_SECONDS[index] ?? '+Inf'}"} ${total}`
  })
  return [...lines, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`]
}

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const REQUEST_TIMEOUT_MS = 5_000

/** Serves `/metrics` and nothing else, apart from the page. Rejects when the port cannot be had; resolves to what closes it. */
export function openMetrics(
  metrics: Pick<Metrics, 'text'>,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<() => Promise<void>> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics'
    response.writeHead(isAsked ? 200 : 404, { 'content-type': TYPE, 'x-content-type-options': 'nosniff' })
    response.end(isAsked ? metrics.text() : '')
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
