import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { verifyBooks } from '../../../rooms/books.ts'
import { buildClocks } from '../../../rooms/clocks.ts'
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
} from './rig.ts'

const DAY_SECONDS = 86_400
const INQUIRIES = 'select id_payment from payment_inquiries'

/** A payin that has ended, with all that is kept for a time only, of now. */
async function keepAll(rig: Rig, idPayment: string): Promise<void> {
  await rig.ended(idPayment)
  await keepInquiry(rig, idPayment, { asked: 'clock_timestamp()' })
  await endCallbacks(rig, 'clock_timestamp()', [idPayment])
}

const advance = (rig: Rig, days: number): Promise<unknown> =>
  buildClocks({ db: rig.db, clock: systemClock }).advance({
    merchantId: '1',
    seconds: days * DAY_SECONDS,
    operatorCode: 'grace',
  })

const kept = async (rig: Rig): Promise<readonly (readonly string[])[]> =>
  Promise.all([EVENTS, INQUIRIES, HELD].map((text) => rig.list(text)))

test('each class goes when its days have passed by the merchant’s clock, and not what came after the advance', async (t) => {
  const rig = await openRig(t)
  await rig.sql(
    `insert into merchants (merchant_id, merchant_code, channel_name) overriding system value values (1, 'ONE', 'Shop')`,
  )
  await keepAll(rig, 'before')
  const worker = rig.worker({ isByClocks: true, rowsMax: 1 })
  const steps = [
    { days: DAYS.PERSONAL_DATA - 1, left: [true, true, true] },
    { days: 1, left: [true, true, false] },
    { days: DAYS.INQUIRIES - DAYS.PERSONAL_DATA, left: [true, false, false] },
    { days: DAYS.DELIVERIES - DAYS.INQUIRIES, left: [false, false, false] },
  ]
  for (const [index, { days, left }] of steps.entries()) {
    await advance(rig, days)
    await keepAll(rig, `after-${index}`)
    await worker.sweep()
    const ids = await kept(rig)
    assert.deepEqual(
      ids.map((each) => each.includes('before')),
      left,
      `after ${index}`,
    )
    assert.ok(ids.every((each) => each.includes(`after-${index}`)))
    assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  }
})

test('live looks at no clock but the real one, and a sandbox at the real one as well', async (t) => {
  const rig = await openRig(t)
  await rig.sql(
    `insert into merchants (merchant_id, merchant_code, channel_name) overriding system value values (1, 'ONE', 'Shop')`,
  )
  await keepAll(rig, 'moved')
  await advance(rig, DAYS.DELIVERIES)
  await rig.worker().sweep()
  assert.deepEqual(await kept(rig), [['moved'], ['moved'], ['moved']])
  await keepAll(rig, 'old')
  await datePayments(rig, over(DAYS.PERSONAL_DATA), ['old'])
  await rig.worker({ isByClocks: true }).sweep()
  assert.deepEqual(await kept(rig), [['old'], ['old'], []])
})
