import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Overloaded } from '../../batch.ts'
import { createThreads, ThreadEnded } from '../index.ts'

const MODULE = new URL('endless-work.ts', import.meta.url)
const LIMITS = { threadsMax: 1, waitingMax: 1, deadlineMs: 30_000, memoryMib: 64, idleMs: 10 } as const
const counting = (upTo: number) => ({ module: MODULE, order: { what: 'COUNT', upTo } })
const doing = (what: string) => ({ module: MODULE, order: { what, upTo: 0 } })

const endsWith = (kind: string, what: RegExp) => (error: unknown) =>
  error instanceof ThreadEnded && error.kind === kind && what.test(error.message)

test('the pieces of the work come in their order, from a new thread and from one that was kept', async () => {
  const threads = createThreads({ ...LIMITS, idleMs: 60_000 })
  assert.deepEqual(await threads.run<number>(counting(3)), [1, 2, 3])
  assert.deepEqual(await threads.run<number>(counting(2)), [1, 2])
  assert.deepEqual(await threads.run<number>({ ...counting(1), isHeavy: true }), [1])
  assert.deepEqual(await threads.run<number>(counting(0)), [])
})

test('work that never ends is ended at its deadline, and does not keep the loop from turning', async () => {
  const threads = createThreads({ ...LIMITS, deadlineMs: 300 })
  let turns = 0
  const counter = setInterval(() => (turns += 1), 1)
  await assert.rejects(threads.run(doing('LOOP')), endsWith('DEADLINE', /more than 0.3 s/))
  clearInterval(counter)
  assert.ok(turns > 10, `${turns} turns`)
})

test('work that takes all memory is ended, and so is only its thread', async () => {
  const threads = createThreads(LIMITS)
  await assert.rejects(threads.run(doing('EAT')), endsWith('MEMORY', /more than 64 MiB/))
  assert.deepEqual(await threads.run<number>(counting(1)), [1])
})

test('work that breaks off says where', async () => {
  const threads = createThreads(LIMITS)
  await assert.rejects(threads.run(doing('THROW')), endsWith('BROKEN', /it broke off[\s\S]*endless-work/))
  assert.deepEqual(await threads.run<number>(counting(1)), [1])
})

test('so many wait for a thread, and the next one is told to come back', async () => {
  const threads = createThreads(LIMITS)
  const [first, second, third] = await Promise.allSettled([
    threads.run<number>(counting(2)),
    threads.run<number>(counting(1)),
    threads.run<number>(counting(1)),
  ])
  assert.deepEqual([first.status, second.status], ['fulfilled', 'fulfilled'])
  assert.ok(third.status === 'rejected' && third.reason instanceof Overloaded)
  assert.deepEqual(await threads.run<number>(counting(1)), [1])
})
