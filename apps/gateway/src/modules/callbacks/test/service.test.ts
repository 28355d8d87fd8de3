import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import { insertCallbackEvents } from '../index.ts'
import { callbackOf, claimAndForget, eventFor, notify, openRig, type Rig } from './rig.ts'

const MISSING = '00000000-0000-4000-8000-000000000000'

async function untilDone(rig: Rig, eventId: string, state: string): Promise<void> {
  await waitUntil(async () => (await callbackOf(rig, eventId)).state === state, {
    timeoutMs: 15_000,
    what: state,
  })
}

test('a list is narrowed by merchant, state and payment, the latest first', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t)
  const delivered = await notify(rig.db, receiver.url, { merchantId: '1', idEntity: 'A' })
  rig.startWorker()
  await untilDone(rig, delivered, 'DELIVERED')
  const blocked = await notify(rig.db, 'http://169.254.169.254/', { merchantId: '2', idEntity: 'A' })
  const other = await notify(rig.db, 'http://169.254.169.254/', {
    merchantId: '2',
    idEntity: 'B',
    kind: 'PAYOUT',
  })
  await untilDone(rig, other, 'EXHAUSTED')
  await untilDone(rig, blocked, 'EXHAUSTED')
  const ids = async (filter: object) =>
    (await rig.service.listCallbacks({ limit: 10, ...filter })).map(({ eventId }) => eventId)
  assert.deepEqual(await ids({}), [other, blocked, delivered])
  assert.deepEqual(await ids({ limit: 1 }), [other])
  assert.deepEqual(await ids({ merchantId: '2' }), [other, blocked])
  assert.deepEqual(await ids({ state: 'DELIVERED' }), [delivered])
  assert.deepEqual(await ids({ state: 'EXHAUSTED', merchantId: '2', idEntity: 'A' }), [blocked])
  assert.deepEqual(await ids({ idEntity: 'A' }), [blocked, delivered])
  assert.deepEqual(await ids({ state: 'PENDING' }), [])
  assert.equal(await rig.service.pendingCount(), 0)
})

test('a resend gives a finished callback a fresh series', async (t) => {
  const rig = await openRig(t)
  let status = 500
  const receiver = await callbackReceiver(t, { answer: () => status })
  rig.startWorker()
  const eventId = await notify(rig.db, receiver.url)
  await untilDone(rig, eventId, 'EXHAUSTED')
  assert.equal(await rig.service.resendCallback(eventId), 'RESENT')
  await receiver.waitForCount(7, 10_000)
  status = 200
  await untilDone(rig, eventId, 'DELIVERED')
  const { attempts, attemptsMax } = await callbackOf(rig, eventId)
  assert.equal(attemptsMax, 10)
  assert.deepEqual(
    attempts.map(({ attemptNo }) => attemptNo),
    Array.from(attempts, (_, index) => index + 1),
  )
  assert.equal(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size, 1)

  const before = receiver.requests.length
  assert.equal(await rig.service.resendCallback(eventId), 'RESENT')
  await receiver.waitForCount(before + 1, 5_000)
})

test('all that are out of attempts are sent again, of one merchant and of a time, and nothing else', async (t) => {
  const rig = await openRig(t)
  let status = 500
  const receiver = await callbackReceiver(t, { answer: () => status })
  rig.startWorker()
  const [one, other, delivered] = [
    await notify(rig.db, receiver.url),
    await notify(rig.db, receiver.url, { merchantId: '2' }),
    await notify(rig.db, receiver.url),
  ]
  for (const eventId of [one, other, delivered]) await untilDone(rig, eventId, 'EXHAUSTED')
  status = 200
  assert.equal(await rig.service.resendCallback(delivered), 'RESENT')
  await untilDone(rig, delivered, 'DELIVERED')
  const before = receiver.requests.length
  const ever = { merchantId: undefined, from: undefined, to: undefined }
  const past = { ...ever, to: new Date(0) }
  assert.deepEqual(await rig.service.resendExhausted(past), { resent: 0, hasMore: false })
  assert.deepEqual(await rig.service.resendExhausted({ ...ever, merchantId: '2' }), {
    resent: 1,
    hasMore: false,
  })
  await untilDone(rig, other, 'DELIVERED')
  assert.equal(receiver.requests.length, before + 1)
  assert.deepEqual(await rig.service.resendExhausted(ever), { resent: 1, hasMore: false })
  await untilDone(rig, one, 'DELIVERED')
  assert.deepEqual(await rig.service.resendExhausted(ever), { resent: 0, hasMore: false })
  assert.equal((await callbackOf(rig, one)).attemptsMax, 10)
})

test('a resend sends a waiting callback early', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: (_request, n) => (n === 1 ? 500 : 200) })
  rig.startWorker({ intervalSeconds: 3_600 })
  const eventId = await notify(rig.db, receiver.url)
  const hasResult = async (): Promise<boolean> => {
    const [attempt] = (await callbackOf(rig, eventId)).attempts
    return attempt?.finishedAt !== undefined
  }
  await waitUntil(hasResult, { timeoutMs: 5_000, what: 'the first result' })
  assert.equal(await rig.service.resendCallback(eventId), 'RESENT')
  await untilDone(rig, eventId, 'DELIVERED')
})

test('a resend is refused while an attempt is under way and for an unknown event', async (t) => {
  const rig = await openRig(t)
  const eventId = await notify(rig.db, 'https://shop.example/')
  await claimAndForget(rig.db, { leaseSeconds: 1 })
  assert.equal(await rig.service.resendCallback(eventId), 'UNDER_WAY')
  assert.equal(await rig.service.resendCallback(MISSING), 'NOT_FOUND')
  await sleep(1_100)
  assert.equal(await rig.service.resendCallback(eventId), 'RESENT', 'the lease has ended')
})

test('the oldest wait grows while nobody sends, and is shown as a metric', async (t) => {
  const rig = await openRig(t)
  assert.equal(await rig.service.oldestPendingSeconds(), 0)
  const receiver = await callbackReceiver(t)
  await notify(rig.db, receiver.url)
  await sleep(300)
  assert.ok((await rig.service.oldestPendingSeconds()) >= 0.3)
  assert.equal(await rig.service.pendingCount(), 1)
  rig.startWorker({ pollMs: 100 })
  await receiver.waitForCount(1, 5_000)
  await waitUntil(async () => (await rig.metrics.callbackOldestPendingSeconds.get()).values[0]?.value === 0, {
    timeoutMs: 5_000,
    what: 'the metric to fall',
  })
  assert.deepEqual(
    (await rig.metrics.callbackAttempts.get()).values.map(({ labels, value }) => [labels.result, value]),
    [['OK', 1]],
  )
})

test('the start of a wrong answer is kept for operators, harmless and short', async (t) => {
  const rig = await openRig(t)
  const body = `oops\u0000\u001b[31m\r\nred${'é'.repeat(5_000)}`
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'reply', status: 500, body }) })
  rig.startWorker({ intervalSeconds: 120 })
  const eventId = await notify(rig.db, receiver.url)
  await waitUntil(async () => (await callbackOf(rig, eventId)).attempts[0]?.outcome === 'WRONG_STATUS', {
    timeoutMs: 5_000,
    what: 'the first result',
  })
  const answerStart = (await callbackOf(rig, eventId)).attempts[0]?.answerStart ?? ''
  assert.match(answerStart, /^oops.*red/u)
  assert.doesNotMatch(answerStart, /\p{Cc}/u)
  assert.ok(Buffer.byteLength(answerStart) <= 4_096)
})

test('a timeline entry has one callback', async (t) => {
  const { db } = await openRig(t)
  const event = eventFor('https://shop.example/')
  await insertCallbackEvents(db, [event])
  const again = { ...event, eventId: MISSING }
  await assert.rejects(insertCallbackEvents(db, [again]), { code: '23505' })
  await insertCallbackEvents(db, [{ ...again, timelineEntryNo: 3 }])
  await insertCallbackEvents(db, [])
})
