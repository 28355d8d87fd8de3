import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type BatchLimits, createBatcher, Overloaded } from '../batch.ts'
import { type Gate, gate } from './gate.ts'

const LIMITS: BatchLimits = { rowsMax: 4, inFlightMax: 2, waitingMax: 100 }

class Poison extends Error {}

/** A store that answers when the test lets it. */
function heldStore(limits: BatchLimits = LIMITS) {
  const runs: { readonly items: readonly number[]; readonly gate: Gate<void> }[] = []
  const add = createBatcher<number, string>({
    limits,
    isPoison: (error) => error instanceof Poison,
    run: async (items) => {
      const run = { items, gate: gate() }
      runs.push(run)
      await run.gate.promise
      return items.map((item) => `verdict on ${item}`)
    },
  })
  return { add, runs }
}

/** Lets every run go as soon as it is there, until no more comes. */
async function finish(runs: readonly { readonly gate: Gate<void> }[]): Promise<void> {
  for (let index = 0; ; index += 1) {
    for (let turn = 0; turn < 3 && runs[index] === undefined; turn += 1) await nextTurn()
    const run = runs[index]
    if (run === undefined) return
    run.gate.open()
  }
}

test('what comes together shares one run, and each item gets its own verdict', async () => {
  const { add, runs } = heldStore()
  const verdicts = Promise.all([add(1), add(2), add(3)])
  await finish(runs)
  assert.deepEqual(await verdicts, ['verdict on 1', 'verdict on 2', 'verdict on 3'])
  assert.deepEqual(
    runs.map((run) => run.items),
    [[1, 2, 3]],
  )
})

test('while the most batches are in flight, the next one gathers in order and takes no more than it may hold', async () => {
  const { add, runs } = heldStore()
  const first = add(1)
  await nextTurn()
  const second = [2, 3, 4, 5].map((item) => add(item))
  await nextTurn()
  const rest = [6, 7, 8, 9, 10].map((item) => add(item))
  await nextTurn()
  assert.deepEqual(
    runs.map((run) => run.items),
    [[1], [2, 3, 4, 5]],
  )
  await finish(runs)
  await Promise.all([first, ...second, ...rest])
  assert.deepEqual(
    runs.map((run) => run.items),
    [[1], [2, 3, 4, 5], [6, 7, 8, 9], [10]],
  )
})

test('few items wait for the batch in flight, and leave together as soon as it is back', async () => {
  const { add, runs } = heldStore()
  const first = add(1)
  await nextTurn()
  const few = [2, 3, 4].map((item) => add(item))
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  assert.deepEqual(
    runs.map((run) => run.items),
    [[1]],
  )
  await finish(runs)
  await Promise.all([first, ...few])
  assert.deepEqual(
    runs.map((run) => run.items),
    [[1], [2, 3, 4]],
  )
})

test('few items do not wait for a batch that stays away', { timeout: 10_000 }, async () => {
  const { add, runs } = heldStore()
  const stuck = add(1)
  await nextTurn()
  const few = [add(2), add(3)]
  while (runs[1] === undefined) await sleep(5)
  runs[1].gate.open()
  assert.deepEqual(await Promise.all(few), ['verdict on 2', 'verdict on 3'])
  assert.equal(runs.length, 2)
  runs[0]?.gate.open()
  await stuck
})

test('an item that finds the queue full is told so; the others are served, and later ones again', async () => {
  const { add, runs } = heldStore({ rowsMax: 1, inFlightMax: 1, waitingMax: 2 })
  const admitted = [add(1)]
  await nextTurn()
  admitted.push(add(2), add(3))
  await assert.rejects(add(4), Overloaded)
  await finish(runs)
  assert.equal((await Promise.all(admitted)).length, 3)
  const later = add(5)
  await finish(runs)
  assert.equal(await later, 'verdict on 5')
})

test('a run that fails answers every item of its batch, and the next batch goes on', async () => {
  const { add, runs } = heldStore()
  const outcomes = Promise.allSettled([add(1), add(2)])
  await nextTurn()
  const later = add(3)
  await nextTurn()
  runs[0]?.gate.fail(new Error('the database is away'))
  await finish(runs)
  assert.deepEqual(
    (await outcomes).map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  )
  assert.equal(await later, 'verdict on 3')
})

test('too few verdicts are an error for all, never a verdict for the wrong item', async () => {
  const add = createBatcher<number, string>({
    limits: LIMITS,
    isPoison: () => false,
    run: async () => ['one'],
  })
  const outcomes = await Promise.allSettled([add(1), add(2)])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  )
})

test('who judges a fault hears how many runs of the batch have failed; each part is told why it is one', async () => {
  const causes: unknown[] = []
  const poison = new Poison()
  const add = createBatcher<number, number>({
    limits: { rowsMax: 8, inFlightMax: 1, waitingMax: 100 },
    isPoison: (error, failures) => error === poison && failures <= 2,
    run: (items, cause) => {
      causes.push(cause)
      return items.includes(1) ? Promise.reject(poison) : Promise.resolve(items)
    },
  })
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7, 8].map((item) => add(item)))
  assert.deepEqual(
    outcomes.map(({ status }) => status === 'fulfilled'),
    [false, false, true, true, true, true, true, true],
  )
  assert.deepEqual(causes, [undefined, poison, poison, poison, poison])
})

test('every item gets its own verdict once: poisoned ones fail alone, however they are mixed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 1, max: 3 }),
      async (poisoned, rowsMax, inFlightMax) => {
        const stored: number[] = []
        const add = createBatcher<number, number>({
          limits: { rowsMax, inFlightMax, waitingMax: 1000 },
          isPoison: (error) => error instanceof Poison,
          run: async (items) => {
            await nextTurn()
            if (items.some((item) => poisoned[item] === true)) throw new Poison()
            stored.push(...items)
            return items.map((item) => item * 10)
          },
        })
        const outcomes = await Promise.allSettled(poisoned.map((_unused, item) => add(item)))
        for (const [item, outcome] of outcomes.entries()) {
          if (poisoned[item] === true) assert.equal(outcome.status, 'rejected')
          else assert.deepEqual(outcome, { status: 'fulfilled', value: item * 10 })
        }
        const healthy = [...poisoned.keys()].filter((item) => poisoned[item] !== true)
        assert.deepEqual(
          stored.sort((a, b) => a - b),
          healthy,
        )
      },
    ),
    { numRuns: 50 },
  )
})

test('when a run finds nobody there, all who wait are refused at once, and later ones are served again', async () => {
  const gates: Gate<void>[] = []
  const add = createBatcher<number, string>({
    limits: { rowsMax: 2, inFlightMax: 1, waitingMax: 100 },
    isPoison: () => false,
    refusalForAll: (error) => (error instanceof Away ? new Error('refused with the others') : undefined),
    run: async (items) => {
      const held = gate()
      gates.push(held)
      await held.promise
      return items.map((item) => `verdict on ${item}`)
    },
  })
  const first = Promise.allSettled([add(1), add(2)])
  await nextTurn()
  const waiting = Promise.allSettled([3, 4, 5, 6, 7].map((item) => add(item)))
  gates[0]?.fail(new Away('nobody there'))
  assert.deepEqual(reasons(await first), ['nobody there', 'nobody there'])
  assert.deepEqual(
    reasons(await waiting),
    Array.from({ length: 5 }, () => 'refused with the others'),
  )
  assert.equal(gates.length, 1, 'no further run was tried for those who waited')

  const later = add(8)
  await nextTurn()
  const behind = add(9)
  gates[1]?.fail(new Error('only these'))
  await assert.rejects(later, /only these/)
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
  gates[2]?.open()
  assert.equal(await behind, 'verdict on 9')
})

class Away extends Error {}

const reasons = (outcomes: readonly PromiseSettledResult<unknown>[]): readonly string[] =>
  outcomes.map((outcome) =>
    outcome.status === 'rejected' ? String(Reflect.get(outcome.reason, 'message')) : 'served',
  )
