import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import type { Database } from '../../../platform/database.ts'
import type { FreshCallbacks } from '../fresh.ts'
import {
  CALLBACK_LIMITS,
  type CallbackSettings,
  type CallbackWorker,
  insertCallbackEvents,
  type NewCallbackEvent,
} from '../index.ts'
import { callbackOf, eventFor, notify, notifyMany, openRig, type Rig } from './rig.ts'

/** A poll that no test lives to see: only what is sent without a claim, or wakes the worker, arrives. */
const FOREVER_MS = 3_600_000
const RECEIVER = 'http://127.0.0.1:9'

/** Whether the worker would send an event of the receiver without a claim now. */
async function takes(
  worker: CallbackWorker,
  url: string,
  given: Partial<NewCallbackEvent> = {},
): Promise<boolean> {
  const fresh = worker.openFresh()
  const isTaken = fresh.lease(eventFor(url, given), new URL(url).origin) !== undefined
  fresh.drop()
  // Its slot is free in the next turn.
  await nextTurn()
  return isTaken
}

/** A worker that has seen that nothing older waits. */
async function startReadyWorker(rig: Rig, settings: Partial<CallbackSettings> = {}): Promise<CallbackWorker> {
  const worker = rig.startWorker({ pollMs: FOREVER_MS, ...settings })
  await waitUntil(() => takes(worker, RECEIVER), { timeoutMs: 5_000, what: 'the first claim' })
  return worker
}

/** Notes an event as payments do, in a transaction that commits. */
async function write(rig: Rig, worker: CallbackWorker, event: NewCallbackEvent): Promise<FreshCallbacks> {
  const fresh = worker.openFresh()
  await rig.db.transaction((tx) => insertCallbackEvents(tx, [event], fresh))
  return fresh
}

const attemptsOf = async (rig: Rig, eventId: string) =>
  (await callbackOf(rig, eventId)).attempts.map(({ attemptNo, starts, outcome }) => [
    attemptNo,
    starts,
    outcome,
  ])

const untilDelivered = (rig: Rig, eventId: string) =>
  waitUntil(async () => (await callbackOf(rig, eventId)).state === 'DELIVERED', {
    timeoutMs: 10_000,
    what: 'the record',
  })

test('what a transaction noted is sent after its commit, once, without a claim', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  const worker = await startReadyWorker(rig)
  const event = eventFor(receiver.url, { idEntity: 'refund', idTold: 'its-payin' })
  const fresh = await write(rig, worker, event)
  assert.deepEqual([(await callbackOf(rig, event.eventId)).isUnderWay, receiver.requests.length], [true, 0])
  // Another worker looks meanwhile, and leaves it alone.
  await (await startReadyWorker(rig)).stop()
  assert.equal(receiver.requests.length, 0)
  fresh.send()
  fresh.send()
  fresh.drop()
  await untilDelivered(rig, event.eventId)
  assert.deepEqual(
    receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]),
    [[event.eventId, '{"idEntity":"its-payin"}']],
  )
  assert.deepEqual(await attemptsOf(rig, event.eventId), [[1, 1, 'OK']])
})

test('what was rolled back is not sent, and its slots are free again', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  const worker = await startReadyWorker(rig)
  const fresh = worker.openFresh()
  const events = Array.from({ length: 8 }, () => eventFor(receiver.url))
  const rolledBack = rig.db.transaction(async (tx) => {
    await insertCallbackEvents(tx, events, fresh)
    assert.equal(await takes(worker, receiver.url), false, 'eight slots are taken')
    throw new Error('the booking failed')
  })
  await assert.rejects(rolledBack, { message: 'the booking failed' })
  fresh.drop()
  fresh.send()
  await waitUntil(() => takes(worker, receiver.url), { timeoutMs: 5_000, what: 'free slots' })
  const kept = eventFor(receiver.url)
  ;(await write(rig, worker, kept)).send()
  await untilDelivered(rig, kept.eventId)
  assert.deepEqual(
    receiver.requests.map(({ headers }) => headers['webhook-id']),
    [kept.eventId],
  )
})

test('C9 when nobody knows whether it was committed, the lease runs out and the attempt is made under its number', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  const worker = await startReadyWorker(rig, { pollMs: 100, deadlineMs: 500, leaseSlackMs: 500 })
  const event = eventFor(receiver.url)
  ;(await write(rig, worker, event)).drop()
  await untilDelivered(rig, event.eventId)
  assert.equal(receiver.requests.length, 1)
  assert.deepEqual(await attemptsOf(rig, event.eventId), [[1, 2, 'OK']])
})

test('an event that finds no slot is due at once, and the worker is woken for it', async (t) => {
  const rig = await openRig(t)
  const hanging = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  const healthy = await callbackReceiver(t)
  const worker = await startReadyWorker(rig)
  for (let count = 0; count < 8; count += 1) (await write(rig, worker, eventFor(hanging.url))).send()
  const ninth = eventFor(hanging.url)
  const fresh = worker.openFresh()
  const healthyEvents = [eventFor(healthy.url), eventFor(healthy.url)]
  await rig.db.transaction((tx) => insertCallbackEvents(tx, [ninth, ...healthyEvents], fresh))
  fresh.send()
  await healthy.waitForCount(2, 5_000)
  const callback = await callbackOf(rig, ninth.eventId)
  assert.deepEqual(
    [callback.isUnderWay, callback.attemptsStarted, callback.nextAttemptAt !== undefined],
    [false, 0, true],
  )
  assert.equal(hanging.requests.length, 8)
})

/** A worker whose first claim leaves something, and whose second one, which would take it, is held. It repeats nothing meanwhile. */
function startHeldWorker(rig: Rig, settings: Partial<CallbackSettings> = {}) {
  const held = Promise.withResolvers<void>()
  let claims = 0
  const db: Database = {
    ...rig.db,
    async rows(statement, values) {
      if (statement.name === 'callbacks_claim_due' && ++claims > 1) await held.promise
      return rig.db.rows(statement, values)
    },
  }
  const worker = rig.startWorker({ pollMs: 50, intervalSeconds: 120, ...settings }, { db })
  return { worker, claimAgain: () => held.resolve() }
}

const untilAnswered = (rig: Rig, count: number) =>
  waitUntil(
    async () =>
      (await rig.service.listCallbacks({ limit: 10 })).filter(({ attempts }) => attempts[0]?.outcome)
        .length === count,
    { timeoutMs: 5_000, what: `${count} answers` },
  )

test('nothing overtakes what waits for a slot of its receiver, even when slots are free again', async (t) => {
  const rig = await openRig(t)
  const busy = await callbackReceiver(t, { answer: () => 500 })
  await notifyMany(rig.db, 9, () => eventFor(busy.url))
  const { worker, claimAgain } = startHeldWorker(rig)
  await untilAnswered(rig, 8)
  assert.deepEqual([await takes(worker, busy.url), await takes(worker, RECEIVER)], [false, true])
  claimAgain()
  await busy.waitForCount(9, 10_000)
  await waitUntil(() => takes(worker, busy.url), { timeoutMs: 5_000, what: 'a claim that leaves nothing' })
})

test('nothing overtakes what waits for a slot of its merchant, wherever it goes', async (t) => {
  const rig = await openRig(t)
  const busy = await callbackReceiver(t, { answer: () => 500 })
  await notifyMany(rig.db, 3, () => eventFor(busy.url))
  const { worker, claimAgain } = startHeldWorker(rig, { limits: { ...CALLBACK_LIMITS, merchantMax: 2 } })
  await untilAnswered(rig, 2)
  assert.deepEqual(
    [await takes(worker, RECEIVER), await takes(worker, busy.url, { merchantId: '2' })],
    [false, true],
  )
  claimAgain()
  await busy.waitForCount(3, 10_000)
  await waitUntil(() => takes(worker, RECEIVER), { timeoutMs: 5_000, what: 'a claim that leaves nothing' })
})

test('in a backlog nothing is taken without a claim, wherever it goes', async (t) => {
  const rig = await openRig(t)
  const hanging = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  await notifyMany(rig.db, 300, () => eventFor(hanging.url))
  const worker = rig.startWorker()
  await hanging.waitForCount(8, 5_000)
  assert.equal(await takes(worker, RECEIVER), false)
})

test('a worker takes nothing before its first claim, at slow receivers, and after its stop', async (t) => {
  const rig = await openRig(t)
  const slow = await callbackReceiver(t, { answer: () => ({ kind: 'reply', status: 200, delayMs: 60 }) })
  const limits = {
    receiverMax: 8,
    quickReceiverMax: 32,
    quickWithinMs: 20,
    merchantMax: 50,
    inAllMax: 2,
    slowMax: 2,
  }
  const worker = rig.startWorker({ pollMs: FOREVER_MS, limits: { ...limits, slowAfterMs: 50 } })
  assert.equal(await takes(worker, RECEIVER), false)
  await waitUntil(() => takes(worker, RECEIVER), { timeoutMs: 5_000, what: 'the first claim' })
  await notify(rig.db, slow.url)
  await slow.waitForCount(1, 5_000)
  await waitUntil(async () => !(await takes(worker, slow.url)), {
    timeoutMs: 5_000,
    what: 'the receiver to be known as slow',
  })
  assert.equal(await takes(worker, RECEIVER), true)
  const fresh = worker.openFresh()
  const leases = [1, 2, 3].map((index) =>
    fresh.lease(eventFor(`http://127.0.0.${index}/`), `http://127.0.0.${index}`),
  )
  assert.deepEqual(
    leases.map((lease) => lease !== undefined),
    [true, true, false],
    'as many as it may have in all',
  )
  fresh.drop()
  await worker.stop()
  assert.equal(await takes(worker, RECEIVER), false)
})
