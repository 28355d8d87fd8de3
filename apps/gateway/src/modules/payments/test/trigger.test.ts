import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRIGGER_OUTCOMES, type TriggerOutcome } from '@tollgate/contract/words'
import { createLog } from '@tollgate/runtime/log'
import { waitUntil } from '@tollgate/testkit'
import { verifyBooks } from '../../../rooms/books.ts'
import { fund } from '../../../test/support/shop.ts'
import { type NewPayment, type PaymentKey, triggerOutcome } from '../index.ts'
import type { Triggered } from '../progress/trigger.ts'
import { accepted, openRig, paid, type Rig, railThat, WAITING } from './rig.ts'

const log = createLog({ level: 'silent' })

async function trigger(rig: Rig, key: PaymentKey, outcome: TriggerOutcome): Promise<Triggered> {
  const payment = await rig.service.find(key)
  assert.ok(payment)
  return triggerOutcome({ db: rig.db, log, payments: rig.service }, payment, outcome)
}

async function stateOf(rig: Rig, key: PaymentKey): Promise<string> {
  const payment = await rig.service.find(key)
  return `${payment?.status} ${payment?.processorStatus}`
}

/** A payout that an institution has, and of which it says nothing yet. */
async function submittedPayout(rig: Rig, given: Partial<NewPayment> = {}): Promise<PaymentKey> {
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '103' })
  const key = await accepted(rig, { kind: 'PAYOUT', startsAtOnce: true, ...given })
  const worker = rig.startWorker({ rail: railThat(() => WAITING) })
  await waitUntil(async () => (await rig.service.find(key))?.submittedAt !== undefined, {
    timeoutMs: 15_000,
    what: 'the handing over',
  })
  await worker.stop()
  return key
}

test('each outcome does to a payin that waits what an institution would', async (t) => {
  const rig = await openRig(t)
  const expected: Readonly<Record<TriggerOutcome, string>> = {
    paid: 'SUCCESS CONFIRMED',
    declined: 'FAILED REJECTED',
    cancelled: 'CANCELLED AWAITING_CUSTOMER',
    expired: 'EXPIRED AWAITING_CUSTOMER',
    partial: 'CREATED IN_REVIEW',
    over: 'CREATED IN_REVIEW',
    late: 'SUCCESS CONFIRMED_LATE',
    unknown: 'CREATED UNKNOWN',
    returned: 'CREATED IN_REVIEW',
  }
  for (const outcome of TRIGGER_OUTCOMES) {
    const key = await accepted(rig)
    await trigger(rig, key, outcome)
    assert.equal(await stateOf(rig, key), expected[outcome], outcome)
    const actors = (await rig.service.listTimeline(key)).slice(1).map(({ actor }) => actor)
    assert.ok(actors.length > 0 && actors.every((actor) => actor === 'sandbox:trigger'), outcome)
  }
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('what was paid can come back, once', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await trigger(rig, key, 'paid')
  assert.equal((await trigger(rig, key, 'paid')).kind, 'SAME')
  assert.equal((await trigger(rig, key, 'returned')).kind, 'CHANGED')
  assert.equal((await trigger(rig, key, 'returned')).kind, 'SAME')
  assert.equal(await stateOf(rig, key), 'REVERSED RETURNED')
})

test('what waits for people cannot be made unknown again', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  assert.equal((await trigger(rig, key, 'partial')).kind, 'IN_REVIEW')
  assert.deepEqual(await trigger(rig, key, 'unknown'), { kind: 'REFUSED', why: 'it waits for people' })
  assert.equal(await stateOf(rig, key), 'CREATED IN_REVIEW')
})

test('a payout can be triggered once an institution has it, and never past its approval', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '103' })
  const held = await accepted(rig, { kind: 'PAYOUT', processorStatus: 'AWAITING_APPROVAL' })
  for (const outcome of ['paid', 'declined', 'cancelled', 'unknown', 'returned'] as const)
    assert.deepEqual(await trigger(rig, held, outcome), {
      kind: 'REFUSED',
      why: 'no institution has it yet',
    })
  assert.equal((await trigger(rig, held, 'expired')).kind, 'CHANGED')
  const out = await submittedPayout(rig)
  assert.deepEqual(await trigger(rig, out, 'expired'), {
    kind: 'REFUSED',
    why: 'its time to pay is not over',
  })
  assert.equal((await trigger(rig, out, 'over')).kind, 'REFUSED')
  assert.equal((await trigger(rig, out, 'unknown')).kind, 'CHANGED')
  assert.equal((await trigger(rig, out, 'paid')).kind, 'CHANGED')
  assert.equal((await trigger(rig, out, 'returned')).kind, 'CHANGED')
  assert.equal(await stateOf(rig, out), 'REVERSED RETURNED')
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('after it was made unknown, the rail is asked and may know again', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await trigger(rig, key, 'unknown')
  assert.deepEqual(await rig.sql(`select task, unknown_answers from payment_tasks where task = 'RAIL'`), [
    { task: 'RAIL', unknown_answers: 1 },
  ])
  await rig.sql(`update payment_tasks set due_at = clock_timestamp() where task = 'RAIL'`)
  const money = paid({ amount: '100', currencyCode: 'EUR' }).received
  rig.startWorker({ rail: railThat(() => (money ? { kind: 'SUCCEEDED', received: money } : WAITING)) })
  await waitUntil(async () => (await rig.service.find(key))?.status === 'SUCCESS', {
    timeoutMs: 15_000,
    what: 'the answer',
  })
})

test('a payment that is not of the sandbox cannot be triggered at all', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { isTest: false })
  await assert.rejects(trigger(rig, key, 'paid'), /sandbox/)
  assert.equal(await stateOf(rig, key), 'CREATED AWAITING_CUSTOMER')
})
