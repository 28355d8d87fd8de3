import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import type { Statement } from '../../../platform/database.ts'
import { testLog } from '../../../platform/test/index.ts'
import { updateFinishedAttempts } from '../store.ts'
import { callbackOf, claimAndForget, eventFor, notify, notifyMany, openRig } from './rig.ts'

const DELIVERED = {
  outcome: 'OK',
  httpStatus: 200,
  tookMs: 5,
  message: undefined,
  answerStart: undefined,
} as const

test('an attempt whose process died is made again under the same number when its lease has ended', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: (_request, n) => (n < 2 ? 500 : 200) })
  const eventId = await notify(rig.db, receiver.url)
  const lost = await claimAndForget(rig.db, { leaseSeconds: 1 })
  assert.deepEqual(
    lost.callbacks.map((callback) => [callback.eventId, callback.attemptNo]),
    [[eventId, 1]],
  )
  assert.equal((await callbackOf(rig, eventId)).isUnderWay, true)
  rig.startWorker()
  await sleep(300)
  assert.equal(receiver.requests.length, 0, 'sent while the lease held')
  await receiver.waitForCount(2, 10_000)
  await waitUntil(async () => (await callbackOf(rig, eventId)).state === 'DELIVERED', {
    timeoutMs: 5_000,
    what: 'the record',
  })
  const { attempts } = await callbackOf(rig, eventId)
  assert.deepEqual(
    attempts.map(({ attemptNo, starts, httpStatus }) => [attemptNo, starts, httpStatus]),
    [
      [1, 2, 500],
      [2, 1, 200],
    ],
  )
  const spacingMs = Number(attempts[1]?.startedAt) - Number(attempts[0]?.startedAt)
  assert.ok(spacingMs >= 1_000, `the repeat came ${spacingMs} ms after the attempt that was made again`)
})

test('who lost its lease records nothing', async (t) => {
  const rig = await openRig(t)
  const eventId = await notify(rig.db, 'http://127.0.0.1:9/')
  const [zombie] = (await claimAndForget(rig.db, { leaseSeconds: 0 })).callbacks
  const [owner] = (await claimAndForget(rig.db)).callbacks
  assert.ok(zombie !== undefined && owner !== undefined)
  assert.equal(owner.attemptNo, zombie.attemptNo)

  const late = { callback: zombie, result: DELIVERED, startDelaySeconds: 0 }
  assert.deepEqual(await updateFinishedAttempts(rig.db, [late], 120), [
    { state: 'LEASE_LOST', dueInMs: undefined },
  ])
  const callback = await callbackOf(rig, eventId)
  assert.deepEqual(
    [callback.state, callback.isUnderWay, callback.attempts[0]?.outcome],
    ['PENDING', true, undefined],
  )

  const failed = { ...DELIVERED, outcome: 'WRONG_STATUS', httpStatus: 500 } as const
  const both = [late, { callback: owner, result: failed, startDelaySeconds: 0 }]
  const [first, second] = await updateFinishedAttempts(rig.db, both, 120)
  assert.deepEqual([first?.state, second?.state], ['LEASE_LOST', 'PENDING'])
  assert.equal((await callbackOf(rig, eventId)).attempts[0]?.httpStatus, 500)
})

test('two workers share a backlog and send nothing twice', async (t) => {
  const rig = await openRig(t)
  const receivers = await Promise.all([1, 2, 3].map(() => callbackReceiver(t)))
  await notifyMany(rig.db, 300, (index) =>
    eventFor(receivers[index % 3]?.url ?? '', { merchantId: String(index % 7) }),
  )
  rig.startWorker()
  rig.startWorker()
  await waitUntil(async () => (await rig.service.pendingCount()) === 0, {
    timeoutMs: 30_000,
    what: 'all to end',
  })
  const ids = receivers.flatMap((receiver) => receiver.requests.map(({ headers }) => headers['webhook-id']))
  assert.equal(ids.length, 300)
  assert.equal(new Set(ids).size, 300)
})

/** What goes on meanwhile: while a machine is suspended, only the clock on the wall. */
const HELD_UP = {
  'a process that was held up': 'monotonicMs',
  'a machine that was suspended': 'nowMs',
} as const

for (const [what, goesOn] of Object.entries(HELD_UP)) {
  test(`${what} between claim and sending sends nothing`, async (t) => {
    const rig = await openRig(t)
    const receiver = await callbackReceiver(t)
    const eventId = await notify(rig.db, receiver.url)
    let nowMs = 0
    const worker = rig.startWorker(
      { leaseSlackMs: 5_000 },
      {
        clock: { monotonicMs: () => 0, nowMs: () => 0, [goesOn]: () => nowMs },
        sign: async () => {
          nowMs += 5_001
          return ['v1a,']
        },
      },
    )
    await waitUntil(async () => (await callbackOf(rig, eventId)).isUnderWay, {
      timeoutMs: 5_000,
      what: 'a claim',
    })
    await worker.stop()
    assert.equal(receiver.requests.length, 0)
    const callback = await callbackOf(rig, eventId)
    assert.deepEqual([callback.isUnderWay, callback.attempts[0]?.outcome], [true, undefined])
  })
}

test('a result is recorded when the database comes back', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  let failuresLeft = 2
  const flaky = {
    ...rig.db,
    rows: <Row extends object>(statement: Parameters<typeof rig.db.rows>[0], values: readonly unknown[]) => {
      if (statement.name === 'callbacks_update_attempts' && failuresLeft-- > 0)
        return Promise.reject(new Error('the database is away'))
      return rig.db.rows<Row>(statement, values)
    },
  }
  rig.startWorker({}, { db: flaky })
  const eventId = await notify(rig.db, receiver.url)
  await waitUntil(async () => (await callbackOf(rig, eventId)).state === 'DELIVERED', {
    timeoutMs: 5_000,
    what: 'the record',
  })
  assert.equal(receiver.requests.length, 1)
})

test('an attempt is listed while it is under way, and stays on record when it is sent again after its process died', async (t) => {
  const rig = await openRig(t)
  const eventId = await notify(rig.db, 'http://127.0.0.1:9/')
  const attempts = async () =>
    (await callbackOf(rig, eventId)).attempts.map(({ attemptNo, starts, outcome }) => [
      attemptNo,
      starts,
      outcome,
    ])
  await claimAndForget(rig.db, { leaseSeconds: 0 })
  assert.deepEqual(await attempts(), [[1, 1, undefined]])
  assert.equal(await rig.service.resendCallback(eventId), 'RESENT')
  assert.deepEqual(await attempts(), [[1, 1, undefined]])
  const [again] = (await claimAndForget(rig.db)).callbacks
  assert.equal(again?.attemptNo, 2)
  assert.deepEqual(await attempts(), [
    [1, 1, undefined],
    [2, 1, undefined],
  ])
})

test('starts are counted when a worker of the version before takes up an attempt of this one', async (t) => {
  const rig = await openRig(t)
  const [ours, theirs] = await Promise.all([
    notify(rig.db, 'http://127.0.0.1:9/ours'),
    notify(rig.db, 'http://127.0.0.1:9/theirs'),
  ])
  await rig.db.rows(
    { name: 'test_theirs_later', text: `update callback_events set due_at = 'infinity' where event_id = $1` },
    [theirs],
  )
  await claimAndForget(rig.db, { leaseSeconds: 0 })
  for (const eventId of [ours, theirs]) await rig.db.rows(CLAIM_OF_BEFORE, [eventId, randomUUID()])
  const startsOf = async (eventId: string) =>
    (await callbackOf(rig, eventId)).attempts.map(({ attemptNo, starts }) => [attemptNo, starts])
  assert.deepEqual([await startsOf(ours), await startsOf(theirs)], [[[1, 2]], [[1, 1]]])
})

const CLAIM_OF_BEFORE = {
  name: 'test_claim_of_before',
  text: `with claimed as (
      update callback_events set attempts_started = attempts_started + case when lease_token is null then 1 else 0 end,
        last_started_at = clock_timestamp(), lease_token = $2::uuid, due_at = clock_timestamp() + interval '20 seconds'
      where event_id = $1::uuid returning event_id, attempts_started)
    insert into callback_attempts as a (event_id, attempt_no, started_at)
    select event_id, attempts_started, clock_timestamp() from claimed
    on conflict (event_id, attempt_no) do update set started_at = excluded.started_at, starts = a.starts + 1`,
}

test('how long the oldest callback has been waiting is told also while none can be claimed', async (t) => {
  const rig = await openRig(t)
  const eventId = await notify(rig.db, 'http://127.0.0.1:9/')
  const db = {
    ...rig.db,
    rows: <Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]> =>
      statement.name.startsWith('callbacks_claim')
        ? Promise.reject(new Error('no claim'))
        : rig.db.rows<Row>(statement, values),
  }
  const lines = testLog()
  rig.startWorker({ pollMs: 20 }, { db, log: lines.log })
  const oldest = async (): Promise<number> =>
    (await rig.metrics.callbackOldestPendingSeconds.get()).values[0]?.value ?? 0
  await waitUntil(async () => (await oldest()) > 0.2, { timeoutMs: 5_000, what: 'the gauge to rise' })
  assert.match(lines.lines.join(''), /due callbacks could not be claimed/)
  assert.equal((await callbackOf(rig, eventId)).state, 'PENDING')
})
