import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { waitUntil } from '@tollgate/testkit'
import { createLeasedWork } from '../leased-work.ts'
import { type Gate, gate } from './gate.ts'

/** A poll that no test lives to see: what is looked for earlier is looked for without it. */
const FOREVER_MS = 3_600_000
const LIMITED = { timeout: 4_000 }

/** Rows by their numbers, in a queue as a table would have them; each is under way until the test says so. */
function queueOf(t: TestContext, rows: number, refillAt = 2) {
  const due = Array.from({ length: rows }, (_, index) => index)
  const claims: number[] = []
  const runs = new Map<number, Gate<void>>()
  const faults: unknown[] = []
  let holdClaim: Gate<void> | undefined
  const work = createLeasedWork<number>({
    pollMs: FOREVER_MS,
    underWayMax: 4,
    refillAt,
    async claim(free) {
      claims.push(free)
      const taken = due.splice(0, free)
      const hasMore = taken.length === free
      await holdClaim?.promise
      return { rows: taken, hasMore }
    },
    run(row) {
      const run = gate()
      runs.set(row, run)
      return run.promise
    },
    onFault: (error) => faults.push(error),
  })
  t.after(async () => {
    holdClaim?.open()
    const stopped = work.stop()
    for (const run of runs.values()) run.open()
    await stopped
  })
  return {
    work,
    due,
    claims,
    runs,
    faults,
    holdNextClaim(): Gate<void> {
      holdClaim = gate()
      return holdClaim
    },
    finish: (...done: readonly number[]) => {
      for (const row of done) runs.get(row)?.open()
    },
    untilStarted: (count: number) =>
      waitUntil(() => runs.size >= count, { timeoutMs: 3_000, what: `${String(count)} rows under way` }),
  }
}

test('no more rows are under way than there is room for', LIMITED, async (t) => {
  const queue = queueOf(t, 9)
  queue.work.start()
  await queue.untilStarted(4)
  queue.work.wake()
  await waitUntil(() => queue.claims.length === 2, { timeoutMs: 3_000, what: 'another look' })
  assert.deepEqual([queue.claims, queue.runs.size], [[4, 0], 4])
})

test('a row that takes long does not keep what is left from being claimed', LIMITED, async (t) => {
  const queue = queueOf(t, 9)
  queue.work.start()
  await queue.untilStarted(4)
  queue.finish(1, 2)
  await queue.untilStarted(6)
  assert.deepEqual(queue.claims, [4, 2])
  queue.finish(3, 4)
  await queue.untilStarted(8)
  assert.deepEqual([...queue.runs.keys()], [0, 1, 2, 3, 4, 5, 6, 7])
})

test(
  'what is left waits until there is room for several, and nothing is looked for when nothing is left',
  LIMITED,
  async (t) => {
    const queue = queueOf(t, 5, 1)
    queue.work.start()
    await queue.untilStarted(4)
    queue.finish(0, 1)
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    assert.equal(queue.claims.length, 1)
    queue.finish(2)
    await queue.untilStarted(5)
    queue.finish(3, 4)
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    assert.deepEqual(queue.claims, [4, 3])
  },
)

test('room that is made during a look is used without waiting for the next one', LIMITED, async (t) => {
  const queue = queueOf(t, 9)
  queue.work.start()
  await queue.untilStarted(4)
  const claim = queue.holdNextClaim()
  queue.work.wake()
  await waitUntil(() => queue.claims.length === 2, { timeoutMs: 3_000, what: 'another look' })
  queue.finish(0, 1)
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  claim.open()
  await queue.untilStarted(6)
  assert.deepEqual(queue.claims.slice(0, 3), [4, 0, 2])
})

test('a look that fails is told, and the next one comes', LIMITED, async () => {
  const faults: unknown[] = []
  const away = new Error('the database is away')
  let looks = 0
  const work = createLeasedWork<number>({
    pollMs: 1,
    underWayMax: 1,
    refillAt: 1,
    claim() {
      looks += 1
      return looks === 1 ? Promise.reject(away) : Promise.resolve({ rows: [], hasMore: false })
    },
    run: () => Promise.resolve(),
    onFault: (error) => faults.push(error),
  })
  work.start()
  await waitUntil(() => looks > 1, { timeoutMs: 3_000, what: 'the look after the fault' })
  await work.stop()
  assert.deepEqual(faults, [away])
})

test('a stop claims nothing more, and waits for what is under way', LIMITED, async (t) => {
  const queue = queueOf(t, 9)
  queue.work.start()
  await queue.untilStarted(4)
  let hasStopped = false
  const stopped = queue.work.stop().then(() => {
    hasStopped = true
  })
  queue.finish(0, 1, 2)
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  assert.equal(hasStopped, false)
  queue.finish(3)
  await stopped
  assert.deepEqual([queue.claims, queue.runs.size], [[4], 4])
})
