import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import { callbackOf, notify, openRig } from './rig.ts'

/** From one start to the next, as the database has them. */
function spacingsMs(attempts: readonly { readonly startedAt: Date }[]): readonly number[] {
  return attempts
    .slice(1)
    .map((attempt, index) => attempt.startedAt.getTime() - (attempts[index]?.startedAt.getTime() ?? 0))
}

test('a receiver that never answers 200 gets one call and four repeats, an interval apart from start to start', async (t) => {
  const rig = await openRig(t)
  // A slow answer: were the interval measured from the end, the starts would be 1,400 ms apart.
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'reply', status: 500, delayMs: 400 }) })
  rig.startWorker()
  const eventId = await notify(rig.db, receiver.url)
  await receiver.waitForCount(5, 15_000)
  await waitUntil(async () => (await callbackOf(rig, eventId)).state === 'EXHAUSTED', {
    timeoutMs: 5_000,
    what: 'the end of the series',
  })
  await sleep(1_500)
  assert.equal(receiver.requests.length, 5)
  const callback = await callbackOf(rig, eventId)
  assert.equal(callback.attempts.length, 5)
  assert.ok(callback.doneAt !== undefined && callback.nextAttemptAt === undefined)
  const spacings = spacingsMs(callback.attempts)
  assert.ok(
    spacings.every((spacingMs) => spacingMs >= 1_000),
    `early: ${spacings}`,
  )
  assert.ok(Math.min(...spacings) < 1_400, `late: ${spacings}`)
})

test('a 200 ends the series', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: (_request, n) => (n < 3 ? 503 : 200) })
  rig.startWorker()
  const eventId = await notify(rig.db, receiver.url)
  await receiver.waitForCount(3, 10_000)
  await sleep(1_500)
  assert.equal(receiver.requests.length, 3)
  const callback = await callbackOf(rig, eventId)
  assert.equal(callback.state, 'DELIVERED')
  assert.deepEqual(
    callback.attempts.map(({ outcome, httpStatus }) => [outcome, httpStatus]),
    [
      ['WRONG_STATUS', 503],
      ['WRONG_STATUS', 503],
      ['OK', 200],
    ],
  )
})

test('no other status than 200 is a success, and a redirect is not followed', async (t) => {
  const rig = await openRig(t)
  const seen = new Map<string, number>()
  const receiver = await callbackReceiver(t, {
    answer: ({ path }) => {
      seen.set(path, (seen.get(path) ?? 0) + 1)
      return seen.get(path) === 1
        ? { kind: 'reply', status: Number(path.slice(1)), headers: { location: '/elsewhere' } }
        : 200
    },
  })
  const statuses = [201, 202, 204, 206, 301, 307, 400, 404, 500]
  rig.startWorker()
  const eventIds = await Promise.all(statuses.map((status) => notify(rig.db, `${receiver.url}/${status}`)))
  await receiver.waitForCount(statuses.length * 2, 10_000)
  await waitUntil(async () => (await rig.service.pendingCount()) === 0, {
    timeoutMs: 5_000,
    what: 'all to end',
  })
  for (const [index, eventId] of eventIds.entries()) {
    const { attempts, state } = await callbackOf(rig, eventId)
    assert.equal(state, 'DELIVERED')
    assert.deepEqual(
      attempts.map(({ httpStatus }) => httpStatus),
      [statuses[index], 200],
    )
  }
  assert.equal(seen.get('/elsewhere'), undefined)
})

test('failures to connect count as attempts and say what happened', async (t) => {
  const rig = await openRig(t)
  const gone = await callbackReceiver(t)
  await gone.close()
  const closing = await callbackReceiver(t, { answer: () => ({ kind: 'close' }) })
  const hanging = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  rig.startWorker({ deadlineMs: 500, intervalSeconds: 120 })
  const urls = [gone.url, closing.url, hanging.url, 'http://169.254.169.254/']
  const eventIds = await Promise.all(urls.map((url) => notify(rig.db, url)))
  const outcomes = async () =>
    Promise.all(eventIds.map(async (eventId) => (await callbackOf(rig, eventId)).attempts[0]?.outcome))
  await waitUntil(async () => !(await outcomes()).includes(undefined), {
    timeoutMs: 5_000,
    what: 'four results',
  })
  assert.deepEqual(await outcomes(), ['REFUSED', 'RESET', 'TIMEOUT', 'BLOCKED'])
  const waiting = await callbackOf(rig, eventIds[0] ?? '')
  const waitMs = (waiting.nextAttemptAt?.getTime() ?? 0) - (waiting.attempts[0]?.startedAt.getTime() ?? 0)
  assert.equal(waitMs, 120_000)
})

test('a restart in the middle of a series keeps its schedule', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: (_request, n) => (n < 3 ? 500 : 200) })
  const first = rig.startWorker({ intervalSeconds: 2 })
  const eventId = await notify(rig.db, receiver.url)
  await receiver.waitForCount(1, 5_000)
  await first.stop()
  assert.equal((await callbackOf(rig, eventId)).attempts[0]?.httpStatus, 500)
  rig.startWorker({ intervalSeconds: 2 })
  await receiver.waitForCount(3, 10_000)
  const { attempts } = await callbackOf(rig, eventId)
  const spacings = spacingsMs(attempts)
  assert.ok(
    spacings.every((spacingMs) => spacingMs >= 2_000 && spacingMs < 4_000),
    `not on time: ${spacings}`,
  )
})

test('a stopping worker claims no more and waits for the attempt under way', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, {
    answer: () => ({ kind: 'reply', status: 200, delayMs: 2_000 }),
  })
  const worker = rig.startWorker()
  const eventId = await notify(rig.db, receiver.url)
  await receiver.waitForCount(1, 5_000)
  const stopping = worker.stop()
  // A claim that was on its way when the worker was told to stop has come back by then.
  await sleep(500)
  const later = await notify(rig.db, receiver.url)
  await stopping
  assert.equal((await callbackOf(rig, eventId)).state, 'DELIVERED')
  assert.equal((await callbackOf(rig, later)).attemptsStarted, 0)
})

test('C10 without NOTIFY, polling alone finds new events', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  rig.startWorker({ pollMs: 300 }, { db: { ...rig.db, listen: async () => undefined } })
  await sleep(100)
  await notify(rig.db, receiver.url)
  await receiver.waitForCount(1, 5_000)
})

test('NOTIFY alone wakes a worker that sleeps for long', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  rig.startWorker({ pollMs: 60_000 })
  await sleep(500)
  await notify(rig.db, receiver.url)
  await receiver.waitForCount(1, 5_000)
})

test('an event of a transaction that rolls back is never sent', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  const undone = rig.db.transaction(async (tx) => {
    await notify({ ...rig.db, rows: tx.rows }, `${receiver.url}/undone`)
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  rig.startWorker()
  await notify(rig.db, `${receiver.url}/kept`)
  await receiver.waitForCount(1, 5_000)
  assert.deepEqual(
    receiver.requests.map(({ path }) => path),
    ['/kept'],
  )
  assert.equal((await rig.service.listCallbacks({ limit: 10 })).length, 1)
})
