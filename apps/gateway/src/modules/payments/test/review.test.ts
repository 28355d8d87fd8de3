import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import type { RailReport } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { fund, refusalOf } from '../../../test/support/shop.ts'
import { listReviews, type PaymentKey, type ReviewOutcome } from '../index.ts'
import { accepted, EXPIRED, endTimeToPay, FAILED, openRig, paid, type Rig, railThat } from './rig.ts'

const UNKNOWN: RailReport = { kind: 'UNKNOWN', askAgainSeconds: 600 }
const EUR = { amount: '100', currencyCode: 'EUR' }

const say = (rig: Rig, key: PaymentKey, operatorCode: string, outcome: ReviewOutcome) =>
  rig.service.decideReview(key, { operatorCode, outcome, reason: 'the bank said so by phone' })

const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code

async function payout(rig: Rig, phase = 'UNKNOWN'): Promise<PaymentKey> {
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '103' })
  const key = await accepted(rig, { kind: 'PAYOUT', startsAtOnce: true })
  const worker = rig.startWorker({ rail: railThat(() => UNKNOWN) })
  await waitUntil(async () => (await rig.service.find(key))?.processorStatus === phase, {
    timeoutMs: 15_000,
    what: phase,
  })
  await worker.stop()
  return key
}

const holdings = async (rig: Rig) =>
  (await rig.sql(`select available::float8, reserved::float8 from balances where merchant_id = 1`))[0]

test('a payout of which nobody knows is ended by two operators who say the same', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  assert.equal((await say(rig, key, 'ada', 'EXECUTED')).isCarriedOut, false)
  assert.equal((await rig.service.find(key))?.status, 'CREATED')
  assert.equal(await codeOf(say(rig, key, 'ada', 'EXECUTED')), 'REVIEW_REPEATED')
  // Somebody who says something else does not count for it.
  assert.equal((await say(rig, key, 'otto', 'NOT_EXECUTED')).isCarriedOut, false)
  const verdict = await say(rig, key, 'grace', 'EXECUTED')
  assert.deepEqual([verdict.isCarriedOut, verdict.changedTo], [true, 'SUCCESS'])
  assert.deepEqual(await holdings(rig), { available: 0, reserved: 0 })
  const last = (await rig.service.listTimeline(key)).at(-1)
  assert.deepEqual(
    [last?.actor, last?.reason],
    ['operator:grace', 'decided by ada and grace: the bank said so by phone'],
  )
  const decisions = (await rig.service.listInquiries(key)).filter(({ question }) => question === 'OPERATOR')
  assert.deepEqual(
    decisions.map(({ operatorCode, answer }) => [operatorCode, answer]),
    [
      ['ada', 'EXECUTED'],
      ['otto', 'NOT_EXECUTED'],
      ['grace', 'EXECUTED'],
    ],
  )
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('that it was not carried out releases the money, and can be corrected later', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  await say(rig, key, 'ada', 'NOT_EXECUTED')
  assert.equal((await say(rig, key, 'grace', 'NOT_EXECUTED')).changedTo, 'FAILED')
  assert.deepEqual(await holdings(rig), { available: 103, reserved: 0 })
  assert.equal((await rig.service.find(key))?.failure?.code, 'NOT_EXECUTED')
  await say(rig, key, 'ada', 'EXECUTED')
  assert.equal((await say(rig, key, 'grace', 'EXECUTED')).changedTo, 'SUCCESS')
  assert.deepEqual(await holdings(rig), { available: 0, reserved: 0 })
  await say(rig, key, 'ada', 'RETURNED')
  assert.equal((await say(rig, key, 'grace', 'RETURNED')).changedTo, 'REVERSED')
  assert.deepEqual(await holdings(rig), { available: 100, reserved: 0 })
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('a word counts for the payment as it was: after a change, two have to say it anew', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  await say(rig, key, 'ada', 'NOT_EXECUTED')
  // The institution knew something in between.
  await say(rig, key, 'otto', 'STILL_WAITING')
  assert.equal((await say(rig, key, 'grace', 'NOT_EXECUTED')).isCarriedOut, false)
  assert.equal((await say(rig, key, 'ada', 'NOT_EXECUTED')).isCarriedOut, true)
})

test('asking again takes one operator: the institution is asked at once, by a schedule that begins anew', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  await rig.sql(`update payment_tasks set due_at = 'infinity', unknown_answers = 70`)
  assert.equal((await say(rig, key, 'ada', 'STILL_WAITING')).isCarriedOut, true)
  assert.deepEqual(
    await rig.sql(
      `select task, due_at <= clock_timestamp() as due, unknown_answers from payment_tasks order by task`,
    ),
    [{ task: 'RAIL', due: true, unknown_answers: 0 }],
  )
  const money = paid(EUR).received
  rig.startWorker({
    rail: railThat(() => (money === undefined ? UNKNOWN : { kind: 'SUCCEEDED', received: money })),
  })
  await waitUntil(async () => (await rig.service.find(key))?.status === 'SUCCESS', {
    timeoutMs: 15_000,
    what: 'the answer',
  })
})

test('payins: failed and late ones are corrected by two, and what is merely unpaid is not open', async (t) => {
  const rig = await openRig(t)
  const failed = await accepted(rig)
  await rig.service.propose(failed, FAILED)
  const late = await accepted(rig)
  await endTimeToPay(rig)
  await rig.service.propose(late, EXPIRED)
  for (const key of [failed, late]) {
    await say(rig, key, 'ada', 'EXECUTED')
    assert.equal((await say(rig, key, 'grace', 'EXECUTED')).changedTo, 'SUCCESS')
  }
  assert.equal((await rig.service.find(late))?.processorStatus, 'CONFIRMED_LATE')
  const unpaid = await accepted(rig)
  for (const outcome of ['EXECUTED', 'NOT_EXECUTED', 'RETURNED', 'STILL_WAITING', 'UNCHANGED'] as const)
    assert.equal(await codeOf(say(rig, unpaid, 'ada', outcome)), 'REVIEW_NOT_OPEN', outcome)
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('a review of what has ended is closed without a change, by one operator', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await endTimeToPay(rig)
  await rig.service.propose(key, EXPIRED)
  await rig.service.setExternalReference(key, 'R-1')
  const list = () => listReviews(rig.db, { merchantId: undefined, after: undefined, limit: 10 })
  assert.deepEqual(
    (await list()).map(({ payment }) => payment.idPayment),
    [key.idPayment],
  )
  assert.equal((await say(rig, key, 'ada', 'UNCHANGED')).isCarriedOut, true)
  assert.deepEqual(await list(), [])
  assert.equal((await rig.service.find(key))?.status, 'EXPIRED')
})

test('the list has what is unknown for long and what is in review, the longest waiting first, page by page', async (t) => {
  const rig = await openRig(t)
  const unknown = await payout(rig)
  const query = { merchantId: undefined, after: undefined, limit: 1 }
  assert.deepEqual(await listReviews(rig.db, query), [])
  await rig.sql(`update payment_tasks set unknown_since = unknown_since - interval '1 h' where task = 'RAIL'`)
  const other = await accepted(rig, { merchantId: '2' })
  await endTimeToPay(rig)
  await rig.service.propose(other, EXPIRED)
  await rig.service.setExternalReference(other, 'R-1')
  const [first] = await listReviews(rig.db, query)
  assert.equal(first?.payment.idPayment, unknown.idPayment)
  const second = await listReviews(rig.db, { ...query, after: first.position })
  assert.deepEqual(
    second.map(({ payment }) => payment.idPayment),
    [other.idPayment],
  )
  assert.deepEqual(await listReviews(rig.db, { ...query, after: second[0]?.position }), [])
  const ofTwo = await listReviews(rig.db, { ...query, merchantId: '2', limit: 10 })
  assert.equal(ofTwo.length, 1)
})

test('a decision can be neither changed nor removed', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  await say(rig, key, 'ada', 'EXECUTED')
  for (const change of [
    `update payment_inquiries set answer = 'NOT_EXECUTED' where question = 'OPERATOR'`,
    `delete from payment_inquiries`,
  ])
    await assert.rejects(rig.sql(change), /append-only/)
})

test('many at once: two words make one change', async (t) => {
  const rig = await openRig(t)
  const key = await payout(rig)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => say(rig, key, `op-${index}`, 'EXECUTED')),
  )
  const done = outcomes.filter((each) => each.status === 'fulfilled' && each.value.isCarriedOut)
  assert.equal(done.length, 1)
  assert.equal((await rig.sql(`select 1 from ledger_transfers where event = 'PAYOUT_SUCCESS'`)).length, 1)
})
