import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import type { Claim } from '../claim-store.ts'
import type { ClaimedCallback } from '../model.ts'
import { claimAndForget, eventFor, notify, notifyMany, openRig } from './rig.ts'

const countBy = (callbacks: readonly ClaimedCallback[], key: 'receiver' | 'merchantId') =>
  Object.fromEntries(
    [...Map.groupBy(callbacks, (each) => each[key])].map(([name, list]) => [name, list.length]),
  )

test('a hanging receiver with a backlog of 500 does not delay another merchant', async (t) => {
  const rig = await openRig(t)
  const hanging = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  const healthy = await callbackReceiver(t)
  await notifyMany(rig.db, 500, () => eventFor(hanging.url, { merchantId: '1' }))
  rig.startWorker()
  await hanging.waitForCount(8, 5_000)
  await notifyMany(rig.db, 20, () => eventFor(healthy.url, { merchantId: '2' }))
  const answered = await healthy.waitForCount(20, 4_000)
  assert.equal(new Set(answered.map(({ headers }) => headers['webhook-id'])).size, 20)
  assert.equal(hanging.requests.length, 8, 'the hanging receiver has its share and no more')
})

/** A receiver that counts how many requests it has at the same time. */
async function countingReceiver(t: TestContext, status: number) {
  let underWay = 0
  let underWayMax = 0
  const receiver = await callbackReceiver(t, {
    answer: () => {
      underWay += 1
      underWayMax = Math.max(underWayMax, underWay)
      // Gone before the answer is, so that the next one cannot overlap.
      setTimeout(() => {
        underWay -= 1
      }, 20)
      return { kind: 'reply', status, delayMs: 30 }
    },
  })
  return { receiver, underWayMax: () => underWayMax }
}

test('at most 8 attempts are under way at a receiver that fails, and its next ones follow at once', async (t) => {
  const rig = await openRig(t)
  const { receiver, underWayMax } = await countingReceiver(t, 500)
  await notifyMany(rig.db, 100, () => eventFor(receiver.url))
  rig.startWorker({ pollMs: 60_000, intervalSeconds: 120 })
  await receiver.waitForCount(100, 20_000)
  assert.equal(underWayMax(), 8)
})

test('C6 at most 32 are under way at a receiver that answers well', async (t) => {
  const rig = await openRig(t)
  const { receiver, underWayMax } = await countingReceiver(t, 200)
  await notifyMany(rig.db, 200, () => eventFor(receiver.url))
  rig.startWorker({ pollMs: 60_000 })
  await receiver.waitForCount(200, 20_000)
  assert.ok(underWayMax() > 8 && underWayMax() <= 32, `${underWayMax()} at once`)
})

test('C6 a claim keeps to the limits of receiver, merchant and process, counting what is under way', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 20, () => eventFor('https://one.example/', { merchantId: '1' }))
  await notifyMany(db, 100, (index) => eventFor(`https://${index % 20}.two.example/`, { merchantId: '2' }))
  const { callbacks } = await claimAndForget(db, {
    busyLanes: [
      { receiver: 'https://one.example', merchantId: '9', taken: 3 },
      { receiver: 'https://three.example', merchantId: '2', taken: 10 },
    ],
  })
  assert.deepEqual(countBy(callbacks, 'merchantId'), { '1': 5, '2': 40 })
  await notifyMany(db, 60, (index) => eventFor('https://quick.example/', { merchantId: String(10 + index) }))
  const quick = await claimAndForget(db, {
    quickReceivers: ['https://quick.example'],
    busyLanes: [
      { receiver: 'https://quick.example', merchantId: '9', taken: 2 },
      { receiver: 'https://one.example', merchantId: '1', taken: 8 },
      { receiver: 'https://three.example', merchantId: '2', taken: 50 },
    ],
  })
  assert.deepEqual(countBy(quick.callbacks, 'receiver'), { 'https://quick.example': 30 })
  assert.equal((await claimAndForget(db, { eventsMax: 3 })).callbacks.length, 3)
  assert.equal((await claimAndForget(db, { eventsMax: 0 })).callbacks.length, 0)
})

test('a claim finds every lane behind a backlog of thousands', async (t) => {
  const { db } = await openRig(t)
  for (let part = 0; part < 5; part += 1)
    await notifyMany(db, 1_000, () => eventFor('https://dead.example/', { merchantId: '1' }))
  await notifyMany(db, 90, (index) =>
    eventFor(`https://${index % 30}.example/`, { merchantId: String(index) }),
  )
  const { callbacks, oldestWaitSeconds } = await claimAndForget(db, {
    busyLanes: [{ receiver: 'https://dead.example', merchantId: '1', taken: 8 }],
  })
  assert.equal(callbacks.length, 90)
  assert.equal(countBy(callbacks, 'receiver')['https://dead.example'], undefined)
  assert.ok(oldestWaitSeconds > 0)
})

test('lanes behind a backlog have their turn one part after the other, and the last part says that it is the last', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 1_000, () => eventFor('https://dead.example/', { merchantId: '1' }))
  await notifyMany(db, 600, (index) =>
    eventFor(`https://${index % 300}.example/`, { merchantId: String(2 + index) }),
  )
  const busyLanes = [{ receiver: 'https://dead.example', merchantId: '1', taken: 8 }]
  const found: ClaimedCallback[] = []
  let parts = 0
  let walkedTo: Claim['walkedTo']
  do {
    const claim = await claimAndForget(db, { busyLanes, eventsMax: 1_000, walk: { from: walkedTo } })
    found.push(...claim.callbacks)
    walkedTo = claim.walkedTo
    parts += 1
  } while (walkedTo !== undefined && parts < 10)
  assert.equal(parts, 3)
  assert.equal(new Set(found.map(({ merchantId }) => merchantId)).size, 600)
})

test('a worker looks at every lane behind a backlog before it rests', async (t) => {
  const rig = await openRig(t)
  const healthy = await callbackReceiver(t)
  const hanging = await callbackReceiver(t, { answer: () => ({ kind: 'hang' }) })
  await notifyMany(rig.db, 300, () => eventFor(hanging.url, { merchantId: '1' }))
  // Lanes that wait for a repeat are looked at as well, before the last one.
  await notifyMany(rig.db, 600, (index) =>
    eventFor(`${hanging.url}/later`, { merchantId: String(2 + index) }),
  )
  await rig.db.rows(
    {
      name: 'test_later',
      text: `update callback_events set due_at = clock_timestamp() + interval '1 hour' where merchant_id between 2 and 601`,
    },
    [],
  )
  // By its name it comes after them.
  await notify(rig.db, healthy.url.replace('127.0.0.1', 'localhost'), { merchantId: '700' })
  rig.startWorker({ pollMs: 600_000 })
  await healthy.waitForCount(1, 10_000)
})

test('in a backlog, lanes that only wait for a repeat take nothing from the share of the others', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 200, (index) => eventFor(`https://${index}.example/`, { merchantId: String(index) }))
  assert.equal((await claimAndForget(db)).callbacks.length, 200)
  await notifyMany(db, 1_000, () => eventFor('https://busy.example/', { merchantId: '500' }))
  const { callbacks, isCut } = await claimAndForget(db)
  assert.deepEqual([callbacks.length, isCut], [8, false])
})

test('merchants who share a receiver take turns at it', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 50, () => eventFor('https://shared.example/', { merchantId: '1' }))
  await notifyMany(db, 2, () => eventFor('https://shared.example/', { merchantId: '2' }))
  // Seven of the eight are under way, all of the merchant with the backlog: the free one goes to the other.
  const { callbacks } = await claimAndForget(db, {
    busyLanes: [{ receiver: 'https://shared.example', merchantId: '1', taken: 7 }],
  })
  assert.deepEqual(countBy(callbacks, 'merchantId'), { '2': 1 })
})

test('receivers known as slow leave room for the others', async (t) => {
  const { db } = await openRig(t)
  const slow = Array.from({ length: 40 }, (_, index) => `https://slow${index}.example`)
  await notifyMany(db, 320, (index) => eventFor(`${slow[index % 40]}/`, { merchantId: String(index % 40) }))
  await notifyMany(db, 10, (index) => eventFor(`https://quick${index}.example/`, { merchantId: '99' }))
  const { callbacks } = await claimAndForget(db, { slowReceivers: slow, slowEventsMax: 60 })
  assert.equal(callbacks.filter(({ merchantId }) => merchantId === '99').length, 10)
  assert.equal(callbacks.length, 70)
})

test('with many lanes a claim says that it has cut them short', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 300, (index) =>
    eventFor(`https://${index % 100}.example/`, { merchantId: String(index % 100) }),
  )
  const first = await claimAndForget(db, { eventsMax: 200 })
  assert.deepEqual([first.callbacks.length, first.isCut], [200, true])
  assert.equal((await claimAndForget(db)).callbacks.length, 100)
})

test('a claim tells when the next event falls due', async (t) => {
  const { db } = await openRig(t)
  assert.equal((await claimAndForget(db)).nextDueInMs, undefined)
  await notify(db, 'https://one.example/')
  await claimAndForget(db, { leaseSeconds: 30 })
  const { nextDueInMs } = await claimAndForget(db)
  assert.ok(nextDueInMs !== undefined && nextDueInMs > 20_000 && nextDueInMs <= 30_000)
})

test('without a walk a claim keeps to the oldest events and says that there may be others; with one it finds them', async (t) => {
  const { db } = await openRig(t)
  await notifyMany(db, 300, () => eventFor('https://dead.example/', { merchantId: '1' }))
  await notify(db, 'https://behind.example/', { merchantId: '2' })
  const claim = (isWalking: boolean) =>
    claimAndForget(db, {
      busyLanes: [{ receiver: 'https://dead.example', merchantId: '1', taken: 7 }],
      walk: isWalking ? { from: undefined } : undefined,
    })
  const kept = await claim(false)
  assert.deepEqual(
    [countBy(kept.callbacks, 'merchantId'), kept.isBacklog, kept.isBeyondHead],
    [{ '1': 1 }, true, false],
  )
  const walked = await claim(true)
  assert.deepEqual(
    [countBy(walked.callbacks, 'merchantId'), walked.isBacklog, walked.isBeyondHead],
    [{ '1': 1, '2': 1 }, true, true],
  )
})

test('merchants who fill all slots with their backlogs keep nobody behind them from a turn', async (t) => {
  const rig = await openRig(t)
  const receiver = await callbackReceiver(t, { answer: () => ({ kind: 'reply', status: 200, delayMs: 20 }) })
  await notifyMany(rig.db, 2_000, (index) => eventFor(receiver.url, { merchantId: String(1 + (index % 2)) }))
  await notify(rig.db, receiver.url, { merchantId: '3', idEntity: 'behind' })
  rig.startWorker()
  const isBehind = ({ body }: { readonly body: string }) => body.includes('"behind"')
  await waitUntil(() => receiver.requests.some(isBehind), { timeoutMs: 20_000, what: 'the one behind' })
  assert.ok(receiver.requests.findIndex(isBehind) < 1_000, 'long before the backlogs are empty')
})
