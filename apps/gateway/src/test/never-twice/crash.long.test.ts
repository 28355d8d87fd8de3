import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { openInstallation } from './installation.ts'
import { openInstitution, STEPS } from './institution.ts'

const WORKER = fileURLToPath(new URL('worker-process.ts', import.meta.url))
const WAVES = 14
/** The institution leaves time between two steps: on a machine with much to do, all may need more waves. */
const WAVES_MAX = 100
const WAVE = 15
const WAVE_MS = 300
const WORKERS = 2
const STARTS_MAX = 60
const DONE_TIMEOUT_MS = 180_000

/** Keeps so many workers running: one that is killed is replaced. */
function keepWorkers(t: TestLife, environment: Readonly<Record<string, string>>) {
  const running = new Map<number, ChildProcess>()
  let starts = 0
  let isOver = false
  const startOne = (): void => {
    if (isOver || starts >= STARTS_MAX) return
    starts += 1
    const child = spawn(process.execPath, [WORKER], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const { pid } = child
    if (pid === undefined) throw new Error('a worker could not be started')
    running.set(pid, child)
    child.once('exit', () => {
      running.delete(pid)
      startOne()
    })
  }
  t.after(async () => {
    isOver = true
    const ends = [...running.values()].map((child) => once(child, 'exit'))
    for (const child of running.values()) child.kill('SIGKILL')
    await Promise.all(ends)
  })
  return {
    start: () => Array.from({ length: WORKERS }, startOne),
    kill: (pid: number) => void running.get(pid)?.kill('SIGKILL'),
    starts: () => starts,
  }
}

test('workers are killed before the hand-over, after it, after its answer, and lose their leases: nothing is handed over twice', async (t) => {
  const installation = await openInstallation(t)
  const kills: ((pid: number) => void)[] = []
  const bank = await openInstitution(t, (pid) => {
    for (const kill of kills) kill(pid)
  })
  const workers = keepWorkers(t, { DATABASE_URL: installation.url, BANK_URL: bank.url })
  kills.push(workers.kill)
  workers.start()
  const references: string[] = []
  const wereAllMet = (): boolean => STEPS.every((step) => bank.met.has(step))
  for (let wave = 0; wave < WAVES || (wave < WAVES_MAX && !wereAllMet()); wave += 1) {
    references.push(...(await installation.accept(WAVE, 'counting')))
    await sleep(WAVE_MS)
  }
  const isDone = async (): Promise<boolean> => {
    const states = await installation.states()
    return (states['SUCCESS CONFIRMED'] ?? 0) + (states['CREATED IN_REVIEW'] ?? 0) === references.length
  }
  await waitUntil(isDone, { timeoutMs: DONE_TIMEOUT_MS, what: 'an end of every payout' })

  for (const step of STEPS) assert.ok((bank.met.get(step) ?? 0) > 0, `${step} was met`)
  assert.ok(workers.starts() >= WORKERS + 3, 'a worker was killed at each step but the late answer')
  const states = await installation.stateByReference()
  for (const reference of references) {
    const executions = bank.executions.get(reference) ?? 0
    assert.ok(executions <= 1, `${reference} was executed ${executions} times`)
    const expected = executions === 1 ? 'SUCCESS CONFIRMED' : 'CREATED IN_REVIEW'
    assert.equal(states.get(reference), expected, reference)
  }
  assert.deepEqual(await installation.findings(), [])

  // Those that never arrived are for people, who say what the institution cannot.
  const left = await installation.sql(`select id_payment from payments where processor_status = 'IN_REVIEW'`)
  for (const row of left) {
    const key = { merchantId: '1', kind: 'PAYOUT', idPayment: String(row['id_payment']) } as const
    const said = { outcome: 'NOT_EXECUTED', reason: 'not on the statement' } as const
    await installation.payments.decideReview(key, { ...said, operatorCode: 'ada' })
    await installation.payments.decideReview(key, { ...said, operatorCode: 'grace' })
  }
  assert.deepEqual(
    await installation.sql(`select available::int, reserved::int from balances where merchant_id = 1`),
    [{ available: references.length - bank.executions.size, reserved: 0 }],
  )
  assert.deepEqual(await installation.findings(), [])
})
