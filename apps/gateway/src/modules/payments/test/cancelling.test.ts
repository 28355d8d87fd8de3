import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../../platform/refusal.ts'
import { runChecks } from '../../ledger/index.ts'
import { BOOKING_CHECKS, PAYMENT_CHECKS } from '../index.ts'
import {
  accepted,
  acceptedPayout,
  EXPIRED,
  endTimeToPay,
  FAILED,
  openRig,
  openRigThatPays,
  paid,
  type Rig,
  railThat,
  WAITING,
} from './rig.ts'

const MONEY = { amount: '100', currencyCode: 'EUR' }

/** What a cancelling comes to, in one word or sentence. */
async function tried(cancelling: Promise<void>): Promise<string> {
  try {
    await cancelling
    return 'CANCELLED'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.code}: ${error.message}`
  }
}

const faultsOf = async ({ db }: Rig) => (await runChecks(db, [...BOOKING_CHECKS, ...PAYMENT_CHECKS])).findings

test('a payin that nothing was paid for ends once, with a callback and no work left', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const answers = await Promise.all(Array.from({ length: 8 }, () => tried(rig.service.cancel(key))))
  assert.deepEqual(new Set(answers), new Set(['CANCELLED']))
  const payment = await rig.service.find(key)
  assert.deepEqual([payment?.status, payment?.failure?.code], ['CANCELLED', 'CANCELLED_BY_MERCHANT'])
  assert.deepEqual(
    (await rig.service.listTimeline(key)).map((entry) => [entry.status, entry.actor, entry.evidence?.class]),
    [
      ['CREATED', 'merchant', undefined],
      ['CANCELLED', 'merchant', 'MERCHANT'],
    ],
  )
  assert.deepEqual(await rig.sql('select task from payment_tasks'), [])
  assert.deepEqual(await rig.sql('select count(*)::int as n from callback_events'), [{ n: 1 }])
  assert.deepEqual(await faultsOf(rig), [])
})

test('what is paid, perhaps paid, partly paid, ended or no payin stays as it is', async (t) => {
  const rig = await openRigThatPays(t)
  const none = await tried(rig.service.cancel({ merchantId: '1', kind: 'PAYIN', idPayment: 'none' }))
  assert.match(none, /^ENTITY_NOT_FOUND/)
  const claimed = await accepted(rig)
  await rig.service.setExternalReference(claimed, 'A')
  const succeeded = await accepted(rig)
  await rig.service.propose(succeeded, paid(MONEY))
  const failed = await accepted(rig)
  await rig.service.propose(failed, FAILED)
  const unknown = await accepted(rig)
  const partly = await accepted(rig)
  await rig.sql(`update payments set processor_status = 'UNKNOWN' where id_payment = $1`, [unknown.idPayment])
  await rig.sql(
    `update payments set received_amount = 40, received_currency_code = 'EUR' where id_payment = $1`,
    [partly.idPayment],
  )
  const expired = await accepted(rig)
  await endTimeToPay(rig)
  await rig.service.propose(expired, EXPIRED)
  for (const [key, why] of [
    [claimed, 'its customer says that it was paid'],
    [succeeded, 'it is SUCCESS'],
    [failed, 'it is FAILED'],
    [expired, 'it is EXPIRED'],
    [unknown, 'it is not known whether it was paid (UNKNOWN)'],
    [partly, '40 EUR arrived for it'],
    [await acceptedPayout(rig), "the merchant's word is not enough to make it CANCELLED"],
  ] as const) {
    const before = await rig.service.find(key)
    assert.equal(
      await tried(rig.service.cancel(key)),
      `PAYIN_NOT_CANCELLABLE: This payin cannot be cancelled: ${why}.`,
    )
    assert.equal((await rig.service.find(key))?.timelineCount, before?.timelineCount)
  }
})

test('a payin whose institution is being asked is cancelled when the answer comes soon', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const asked = Promise.withResolvers<void>()
  rig.startWorker({
    rail: railThat(async () => {
      asked.resolve()
      await sleep(100)
      return WAITING
    }),
  })
  await asked.promise
  assert.equal(await tried(rig.service.cancel(key)), 'CANCELLED')
})

test('while its institution is asked it is not cancelled, and after the answer it is', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<typeof WAITING>()
  const rail = railThat(() => {
    asked.resolve()
    return answer.promise
  })
  const worker = rig.startWorker({ rail })
  await asked.promise
  assert.match(await tried(rig.service.cancel(key)), /^PAYIN_NOT_CANCELLABLE.*at this moment/)
  await rig.sql(`update payments set processor_status = 'REFERENCE_SUBMITTED'`)
  assert.match(await tried(rig.service.cancel(key)), /its customer says/, 'what lasts is said first')
  await rig.sql(`update payments set processor_status = 'ACCEPTED'`)
  answer.resolve(WAITING)
  await worker.stop()
  assert.equal(await tried(rig.service.cancel(key)), 'CANCELLED')
})

test('cancelled and paid at once, at two services: one of them happens, and money that came too late goes to people', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  for (let round = 0; round < 40; round += 1) {
    const key = await accepted(rig)
    const [cancelled, payment] = await Promise.all([
      tried(rig.service.cancel(key)),
      other.propose(key, paid(MONEY)),
    ])
    const status = (await rig.service.find(key))?.status
    assert.equal(status, cancelled === 'CANCELLED' ? 'CANCELLED' : 'SUCCESS')
    assert.equal(payment.kind, status === 'SUCCESS' ? 'CHANGED' : 'REFUSED')
  }
  assert.deepEqual(await faultsOf(rig), [])
  assert.deepEqual(await rig.sql('select count(*)::int as n from callback_events'), [{ n: 40 }])
})
