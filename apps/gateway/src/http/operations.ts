import { fastify } from 'fastify'
import type { Registry } from 'prom-client'
import type { App } from './app-type.ts'

/** One thing that must be well before a process may be sent requests; a text says what is not. */
export interface ReadinessCheck {
  readonly name: string
  readonly run: () => Promise<string | undefined>
}

const CHECK_TIMEOUT_MS = 2_000

/** /livez says that the process turns, /readyz that it can serve. No data, no authentication, no version header. */
export function healthRoutes(app: App, checks: readonly ReadinessCheck[]): void {
  const open = { config: { access: 'open' as const }, schema: { hide: true } }
  app.get('/livez', open, () => Promise.resolve({ status: 'ok' }))
  app.get('/readyz', open, async (_request, reply) => {
    const results = await Promise.all(checks.map(runCheck))
    const isReady = results.every((result) => result.problem === undefined)
    return reply.code(isReady ? 200 : 500).send({
      status: isReady ? 'ok' : 'not ready',
      checks: Object.fromEntries(results.map((result) => [result.name, result.problem ?? 'ok'])),
    })
  })
}

async function runCheck(check: ReadinessCheck): Promise<{ name: string; problem: string | undefined }> {
  const timeout = new Promise<string>((resolve) =>
    setTimeout(() => resolve('did not answer in time'), CHECK_TIMEOUT_MS).unref(),
  )
  const problem = await Promise.race([check.run().catch(() => 'failed'), timeout])
  return { name: check.name, problem }
}

/** Prometheus metrics on a server of their own, which need not be reachable where the API is. */
export function createMetricsServer(registry: Registry): {
  listen(options: { host: string; port: number }): Promise<unknown>
  close(): Promise<void>
} {
  const app = fastify({ logger: false })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  return { listen: (options) => app.listen(options), close: () => app.close() }
}
