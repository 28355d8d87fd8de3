import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { EXPIRING } from '../../../rooms/retention.ts'
import { findCutoffUs } from '../store.ts'
import {
  DAYS,
  datePayments,
  EVENTS,
  endCallbacks,
  HELD,
  keepInquiry,
  openRig,
  over,
  type Rig,
  within,
} from './rig.ts'

const NOTHING = { DELIVERIES: 0, INQUIRIES: 0, PERSONAL_DATA: 0 }

/** So many payments with a callback, an inquiry and personal data that are over, each a second younger than the one before. */
async function overdue(rig: Rig, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, (_, n) => `order-${n}`)
  for (const [n, id] of ids.entries()) {
    await rig.ended(id)
    const since = `${over(DAYS.DELIVERIES)} - interval '${count - n} s'`
    await endCallbacks(rig, since, [id])
    await keepInquiry(rig, id, { asked: since })
    await datePayments(rig, since, [id])
  }
  return ids
}

test('a statement looks at so many rows and goes on behind them; a round goes through all', async (t) => {
  const rig = await openRig(t)
  const ids = await overdue(rig, 7)
  // Two that stay, at the beginning: they take the place of others in a statement, and hold up nothing.
  const held = ids.slice(0, 2)
  await rig.sql(
    `update callback_events set done_at = ${within(DAYS.DELIVERIES)} where id_entity = any ($1)`,
    [held],
  )
  const cutoffUs = await findCutoffUs(rig.db, DAYS.DELIVERIES)
  const first = await EXPIRING.rows.DELIVERIES.remove(rig.db, { cutoffUs, afterUs: '0', rowsMax: 3 })
  assert.deepEqual([first.lookedAt, first.removed], [3, 1])
  assert.deepEqual(await rig.list(EVENTS), [...held, ...ids.slice(3)])
  const removed = await rig.worker({ rowsMax: 3 }).sweep()
  assert.deepEqual(removed, { DELIVERIES: 4, INQUIRIES: 7, PERSONAL_DATA: 7 })
  assert.deepEqual(await rig.list(EVENTS), held)
  assert.deepEqual(await rig.worker({ rowsMax: 3 }).sweep(), NOTHING)
})

test('rows of one moment are looked at together, however many they are', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 5)
  await rig.sql(`update callback_events set created_at = '2020-01-01'`)
  await rig.sql(`update payment_inquiries set asked_at = '2020-01-01'`)
  await rig.sql(`update payment_personal_data set collected_at = '2020-01-01'`)
  const removed = await rig.worker({ rowsMax: 2 }).sweep()
  assert.deepEqual(removed, { DELIVERIES: 5, INQUIRIES: 5, PERSONAL_DATA: 5 })
})

test('several workers at once remove everything once', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 12)
  const rounds = await Promise.all([1, 2, 3].map((rowsMax) => rig.worker({ rowsMax }).sweep()))
  // What one has its hands on the others leave to it: here it may be seen by none of them in time, and waits.
  rounds.push(await rig.worker().sweep())
  for (const name of ['DELIVERIES', 'INQUIRIES', 'PERSONAL_DATA'] as const)
    assert.equal(
      rounds.reduce((sum, round) => sum + round[name], 0),
      12,
      name,
    )
  assert.deepEqual([...(await rig.list(EVENTS)), ...(await rig.list(HELD))], [])
})

test('what others have locked is passed over without waiting', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 3)
  await rig.sql('begin')
  for (const table of ['callback_events', 'payment_inquiries', 'payments'])
    await rig.sql(
      `select 1 from ${table} where ${table === 'callback_events' ? 'id_entity' : 'id_payment'} = 'order-1' for update`,
    )
  const removed = await rig.worker().sweep()
  await rig.sql('commit')
  assert.deepEqual(removed, { DELIVERIES: 2, INQUIRIES: 2, PERSONAL_DATA: 2 })
  assert.deepEqual(await rig.worker().sweep(), { DELIVERIES: 1, INQUIRIES: 1, PERSONAL_DATA: 1 })
})

test('a class of 0 days is kept for ever', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 1)
  const days = { DELIVERIES: 0, INQUIRIES: 0, PERSONAL_DATA: 0 }
  assert.deepEqual(await rig.worker({ days }).sweep(), NOTHING)
  const kept = await rig.service(days).list()
  assert.deepEqual(
    kept.map(({ over: count, oldestAt, removedUntil }) => [count, oldestAt, removedUntil]),
    [0, 1, 2, 3].map(() => [0, undefined, undefined]),
  )
  assert.deepEqual(await rig.list('select class from retention_horizons'), [])
})

test('a class that fails is left for the next round, and the others are done', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 1)
  await rig.sql('alter table payment_inquiries rename to hidden')
  assert.deepEqual(await rig.worker().sweep(), { DELIVERIES: 1, INQUIRIES: 0, PERSONAL_DATA: 1 })
  assert.match(rig.lines.join(''), /"class":"INQUIRIES".*could not be removed/)
  await rig.sql('alter table hidden rename to payment_inquiries')
  assert.deepEqual(await rig.worker().sweep(), { DELIVERIES: 0, INQUIRIES: 1, PERSONAL_DATA: 0 })
})

test('a worker that is stopped ends after the statement under way', async (t) => {
  const rig = await openRig(t)
  await overdue(rig, 3)
  const worker = rig.worker({ rowsMax: 1, pauseMs: 60_000 })
  worker.start()
  const isBegun = async (): Promise<boolean> => (await rig.list(EVENTS)).length === 2
  await waitUntil(isBegun, { timeoutMs: 10_000, what: 'the first removal' })
  await worker.stop()
  assert.equal((await rig.list(EVENTS)).length, 2)
})
