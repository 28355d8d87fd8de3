import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@tollgate/testkit'
import { createPeriodic, type Periodic } from '../periodic.ts'
import { type Gate, gate } from './gate.ts'

/** A pause that no test lives to see: what comes after it came without it. */
const FOREVER_MS = 3_600_000
const LIMITED = { timeout: 4_000 }

interface Held {
  readonly periodic: Periodic
  /** The rounds that have begun; each ends when the test says so. */
  readonly rounds: readonly Gate<boolean | number>[]
  readonly faults: readonly unknown[]
}

function held(t: TestContext, pauseMs: number, gatherMs?: number): Held {
  const rounds: Gate<boolean | number>[] = []
  const faults: unknown[] = []
  const periodic = createPeriodic({
    pauseMs,
    gatherMs,
    work() {
      const round = gate<boolean | number>()
      rounds.push(round)
      return round.promise
    },
    onFault: (error) => faults.push(error),
  })
  t.after(async () => {
    const stopped = periodic.stop()
    for (const round of rounds) round.open(false)
    await stopped
  })
  return { periodic, rounds, faults }
}

/** Gives whoever could go on the time to do so. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
}

async function untilRounds(rounds: readonly unknown[], count: number): Promise<void> {
  await waitUntil(() => rounds.length >= count, { timeoutMs: 3_000, what: `round ${count}` })
}

test('a round that fails is told, and the next one comes', LIMITED, async (t) => {
  const { periodic, rounds, faults } = held(t, 1)
  const fault = new Error('the database is away')
  periodic.start()
  rounds[0]?.fail(fault)
  await untilRounds(rounds, 2)
  rounds[1]?.open(false)
  await untilRounds(rounds, 3)
  assert.deepEqual(faults, [fault])
})

test(
  'a fault that stays the same is told once in a while, another one at once, and again after all was well',
  LIMITED,
  async () => {
    const faults: string[] = []
    const ends = ['away', 'away', 'away', 'full', 'full', '', 'full', 'full']
    let count = 0
    const periodic = createPeriodic({
      pauseMs: 1,
      work() {
        const end = ends[count] ?? 'last'
        count += 1
        return end === '' ? Promise.resolve(false) : Promise.reject(new Error(end))
      },
      onFault: (error) => faults.push(String(error)),
    })
    periodic.start()
    await waitUntil(() => count > ends.length + 2, { timeoutMs: 3_000, what: 'all rounds' })
    await periodic.stop()
    assert.deepEqual(faults, ['Error: away', 'Error: full', 'Error: full', 'Error: last'])

    const slow: unknown[] = []
    const rare = createPeriodic({
      pauseMs: 10_000,
      work: () => Promise.reject(new Error('away')),
      onFault: (error) => {
        slow.push(error)
        if (slow.length < 3) rare.wake()
      },
    })
    rare.start()
    await waitUntil(() => slow.length === 3, { timeoutMs: 3_000, what: 'three rounds' })
    await rare.stop()
  },
)

test('work that throws before it waits is a fault like any other', LIMITED, async () => {
  const faults: unknown[] = []
  const fault = new Error('not even begun')
  const periodic = createPeriodic({
    pauseMs: FOREVER_MS,
    work() {
      throw fault
    },
    onFault: (error) => faults.push(error),
  })
  periodic.start()
  await periodic.stop()
  assert.deepEqual(faults, [fault])
})

test('after a round comes the pause, also after one that failed', LIMITED, async (t) => {
  for (const end of [(round?: Gate<boolean | number>) => round?.open(false), failed]) {
    const { periodic, rounds } = held(t, FOREVER_MS)
    periodic.start()
    end(rounds[0])
    await someTurns()
    assert.equal(rounds.length, 1)
  }
})

function failed(round?: Gate<boolean | number>): void {
  round?.fail(new Error('the database is away'))
}

test('a round that left something to do is followed by the next without a pause', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, FOREVER_MS)
  periodic.start()
  rounds[0]?.open(true)
  await untilRounds(rounds, 2)
})

test('a round may say how long the pause after it is', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, FOREVER_MS)
  periodic.start()
  rounds[0]?.open(1)
  await untilRounds(rounds, 2)
  rounds[1]?.open(FOREVER_MS)
  await someTurns()
  assert.equal(rounds.length, 2)
})

test(
  'wakes that come close together share a round, which begins when they are gathered',
  LIMITED,
  async (t) => {
    const { periodic, rounds } = held(t, FOREVER_MS, 300)
    periodic.start()
    rounds[0]?.open(false)
    periodic.wake()
    await someTurns()
    assert.equal(rounds.length, 1, 'not at once')
    periodic.wake()
    await untilRounds(rounds, 2)
    rounds[1]?.open(false)
    await sleep(350)
    assert.equal(rounds.length, 2, 'the wakes are used up')
  },
)

test('a wake cuts the pause short', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, FOREVER_MS)
  periodic.start()
  rounds[0]?.open(false)
  await someTurns()
  periodic.wake()
  await untilRounds(rounds, 2)
})

test('wakes during a round begin none beside it, and one after it', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, FOREVER_MS)
  periodic.start()
  periodic.wake()
  periodic.wake()
  await someTurns()
  assert.equal(rounds.length, 1, 'not beside it')
  rounds[0]?.open(false)
  await untilRounds(rounds, 2)
  rounds[1]?.open(false)
  await someTurns()
  assert.equal(rounds.length, 2, 'the wakes are used up')
})

test('a round that takes longer than the pause is still the only one', LIMITED, async (t) => {
  let underWay = 0
  let underWayMax = 0
  let done = 0
  const periodic = createPeriodic({
    pauseMs: 0,
    async work() {
      underWay += 1
      underWayMax = Math.max(underWayMax, underWay)
      await someTurns()
      underWay -= 1
      done += 1
      return done % 2 === 0
    },
    onFault: assert.ifError,
  })
  t.after(() => periodic.stop())
  periodic.start()
  while (done < 20) {
    periodic.wake()
    await nextTurn()
  }
  assert.equal(underWayMax, 1)
})

test('a stop waits for the round under way, and begins no other', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, 0)
  let isStopped = false
  periodic.start()
  const stopped = periodic.stop().then(() => {
    isStopped = true
  })
  await someTurns()
  assert.equal(isStopped, false)
  rounds[0]?.open(true)
  await stopped
  await someTurns()
  assert.equal(rounds.length, 1)
})

test('a stop ends the pause', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, FOREVER_MS)
  periodic.start()
  rounds[0]?.open(false)
  await someTurns()
  await periodic.stop()
  assert.equal(rounds.length, 1)
})

test('the round under way can see that a stop was asked for', LIMITED, async () => {
  const seen: boolean[] = []
  const periodic = createPeriodic({
    pauseMs: FOREVER_MS,
    async work(signal) {
      seen.push(signal.aborted)
      await nextTurn()
      seen.push(signal.aborted)
      return true
    },
    onFault: assert.ifError,
  })
  periodic.start()
  await periodic.stop()
  assert.deepEqual(seen, [false, true])
  assert.equal(periodic.signal.aborted, true)
})

test('a second start is a mistake of the caller, and begins nothing', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, 0)
  periodic.start()
  assert.throws(() => periodic.start(), /started twice/)
  await someTurns()
  assert.equal(rounds.length, 1)
})

test('what was stopped before it was started stays stopped', LIMITED, async (t) => {
  const { periodic, rounds } = held(t, 0)
  await periodic.stop()
  periodic.start()
  await someTurns()
  assert.equal(rounds.length, 0)
})
