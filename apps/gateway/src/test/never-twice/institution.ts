import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestLife } from '@tollgate/testkit'

/** Where a worker dies: before it sends, after the institution acted, after the answer was sent, or not, but for late. */
export const STEPS = ['BEFORE_SUBMIT', 'EXECUTED_UNANSWERED', 'ANSWERED', 'LATE_ANSWER'] as const
type Step = (typeof STEPS)[number]

/** An institution with its own truth: it executes whatever it is given, as often as it is given it. */
interface Institution {
  readonly url: string
  /** How often it was given each reference, and so how often it moved the money. */
  readonly executions: ReadonlyMap<string, number>
  /** How often each step was met. */
  readonly met: ReadonlyMap<Step, number>
}

const PAUSE_MS = 700
const LATE_MS = 1_500
const WORKER_HEADER = 'x-worker-pid'

export async function openInstitution(t: TestLife, kill: (pid: number) => void): Promise<Institution> {
  const executions = new Map<string, number>()
  const met = new Map<Step, number>()
  let turn = 0
  let lastMs = 0
  /** Each step in its turn, and with a pause between two: whoever was killed has to come back first. */
  const meet = (step: Step): boolean => {
    const nowMs = performance.now()
    if (STEPS[turn % STEPS.length] !== step || nowMs - lastMs < PAUSE_MS) return false
    turn += 1
    lastMs = nowMs
    met.set(step, (met.get(step) ?? 0) + 1)
    return true
  }

  async function execute(reference: string, pid: number, response: ServerResponse): Promise<void> {
    executions.set(reference, (executions.get(reference) ?? 0) + 1)
    if (meet('EXECUTED_UNANSWERED')) kill(pid)
    if (meet('LATE_ANSWER')) await sleep(LATE_MS)
    response.end(() => {
      if (meet('ANSWERED')) kill(pid)
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, action, reference = ''] = (request.url ?? '').split('/')
    const pid = Number(request.headers[WORKER_HEADER])
    if (action === 'execute') {
      await execute(reference, pid, response)
      return
    }
    if (action === 'before' && meet('BEFORE_SUBMIT')) kill(pid)
    if (action === 'inquire') response.statusCode = executions.has(reference) ? 200 : 404
    response.end()
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${portOf(server.address())}`, executions, met }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the institution has no port')
  return address.port
}
