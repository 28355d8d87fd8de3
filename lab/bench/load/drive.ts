import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { FromGenerator, LoadPlan, LoadResult } from './plan.ts'

const GENERATOR = fileURLToPath(new URL('./generator.ts', import.meta.url))
const GRACE_MS = 40_000

/** Thrown when a request got another answer than it had to get, or none. */
export class LoadFailed extends Error {
  override readonly name = 'LoadFailed'
}

interface LoadEvents {
  /** The warm-up is over. */
  readonly onMeasuring?: () => void
  /** The measuring is over; called before anything else happens. */
  readonly onMeasured?: () => void
}

/** Runs a load in a process of its own. Throws LoadFailed at the first answer that is not the expected one. */
export function runLoad(plan: LoadPlan, events: LoadEvents = {}): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(GENERATOR, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] })
    const timeoutMs = (plan.warmupSeconds + plan.seconds) * 1000 + GRACE_MS
    const timer = setTimeout(() => end(new LoadFailed('the load did not end in time')), timeoutMs)
    function end(outcome: LoadResult | Error): void {
      clearTimeout(timer)
      child.removeAllListeners()
      child.kill('SIGKILL')
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    child.on('message', (message: FromGenerator) => {
      switch (message.kind) {
        case 'MEASURING':
          events.onMeasuring?.()
          break
        case 'MEASURED':
          events.onMeasured?.()
          break
        case 'ENDED':
          end(message.result)
          break
        case 'FAILED':
          end(new LoadFailed(message.message))
          break
      }
    })
    child.on('error', end)
    child.on('exit', (code, signal) =>
      end(new LoadFailed(`the load generator ended: ${String(code ?? signal)}`)),
    )
    child.send(plan)
  })
}
