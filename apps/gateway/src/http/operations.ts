import type { App } from './app-type.ts'

/** One thing that must be well before a process may be sent requests; a text says what is not. */
export interface ReadinessCheck {
  readonly name: string
  readonly run: () => Promise<string | undefined>
  /** Worth knowing, and no reason to be sent no requests. */
  readonly isNotice?: true
}

const CHECK_TIMEOUT_MS = 2_000

/** /livez says that the process turns, /readyz that it can serve. No data, no authentication, no version header. */
export function healthRoutes(app: App, checks: readonly ReadinessCheck[]): void {
  const probe = { config: { access: 'probe' as const }, schema: { hide: true } }
  const runChecks = shared(() => Promise.all(checks.map(runCheck)))
  app.get('/livez', probe, () => Promise.resolve({ status: 'ok' }))
  app.get('/readyz', probe, async (_request, reply) => {
    const results = await runChecks()
    const isReady = results.every((result) => result.problem === undefined || result.isNotice)
    return reply.code(isReady ? 200 : 500).send({
      status: isReady ? 'ok' : 'not ready',
      checks: Object.fromEntries(results.map((result) => [result.name, result.problem ?? 'ok'])),
    })
  })
}

/** Anyone may ask, so those who ask at once share one answer: a flood of probes is not a flood of queries. */
function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

async function runCheck(check: ReadinessCheck): Promise<{
  name: string
  problem: string | undefined
  isNotice: boolean
}> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('did not answer in time'), CHECK_TIMEOUT_MS)
  })
  const problem = await Promise.race([check.run().catch(() => 'failed'), timeout])
  clearTimeout(timer)
  return { name: check.name, problem, isNotice: check.isNotice === true }
}
