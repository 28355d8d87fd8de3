import { createServer } from 'node:http'
import { Histogram, type Registry } from 'prom-client'

/** How long requests took, under one name and with one set of buckets for every server of ours. */
export const httpDuration = (registers: Registry[]): Histogram<'method' | 'route' | 'status'> =>
  new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  })

const REQUEST_TIMEOUT_MS = 5_000

/** Serves `/metrics` and nothing else, on a port that need not be reachable where the rest is. */
export interface MetricsServer {
  /** Rejects when the port cannot be had. */
  listen(address: { readonly host: string; readonly port: number }): Promise<void>
  close(): Promise<void>
}

export function createMetricsServer(registry: Pick<Registry, 'contentType' | 'metrics'>): MetricsServer {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    const isAsked = request.method === 'GET' && request.url === '/metrics'
    const answer = (status: number, text: string): void => {
      const headers = { 'content-type': registry.contentType, 'x-content-type-options': 'nosniff' }
      response.writeHead(status, headers).end(text)
    }
    if (!isAsked) answer(404, '')
    else
      registry.metrics().then(
        (text) => answer(200, text),
        () => answer(500, ''),
      )
  })
  return {
    listen: (address) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ ...address, exclusive: true }, resolve)
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
