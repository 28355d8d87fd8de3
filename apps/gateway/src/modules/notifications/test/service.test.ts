import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PaymentState, STATE_EXAMPLE } from '@tollgate/rail-protocol'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { openSession, type TestLife, waitUntil } from '@tollgate/testkit'
import { createMetrics } from '../../../platform/metrics.ts'
import { messageOfBank, reportingBank } from '../../../test/support/reporting-bank.ts'
import { MERCHANT_CODE, openShop } from '../../../test/support/shop.ts'
import { FORGERIES_KEPT_MAX, upsertForgery } from '../forgery-store.ts'
import { createNotificationIntake, createNotificationService, createNotificationWorker } from '../index.ts'
import { insertNotification, type NewNotification } from '../store.ts'

/** A shop whose payments go by an institution that only reports. */
async function openRig(t: TestLife) {
  const shop = await openShop(t)
  const metrics = createMetrics()
  const rail = reportingBank()
  const rails = new Map([[rail.code, rail]])
  const deps = {
    ...shop,
    clock: systemClock,
    ids: randomIds,
    log: createLog({ level: 'silent' }),
    metrics,
    rails,
  }
  const worker = createNotificationWorker({ ...deps, merchantCodeOf: () => Promise.resolve(MERCHANT_CODE) })
  const intake = createNotificationIntake({ ...deps, wakeWorker: () => worker.wake() })
  t.after(() => worker.stop())
  return {
    ...shop,
    rails,
    worker,
    intake,
    notifications: createNotificationService(shop),
    report: (state: PaymentState, idNotification: string) =>
      intake.accept('bank', messageOfBank({ idNotification, payment: state })),
    async states(): Promise<readonly unknown[]> {
      const rows = await shop.sql('select state from rail_notifications order by notification_no')
      return rows.map((row) => row['state'])
    },
    /** A payment of the reference, waiting at the bank. */
    async payment(reference: string) {
      await shop.sql(
        `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount,
          method_code, rail, reference, instructions, is_test, expire_at)
        values ($1, 'PAYIN', $2, gen_random_uuid(), '\\x00', 'AWAITING_CUSTOMER', 149.9, 'EUR', 0, 'WALLET', 'bank', $2, '{}', true, now() + interval '1 day')`,
        [shop.merchantId, reference],
      )
    },
  }
}

type Rig = Awaited<ReturnType<typeof openRig>>

const FIND_FIRST = `select state, attempts, due_at, lease_token from rail_notifications where id_notification = 'N-1'`
const LIST_WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

const stateOf = (reference: string, given: Partial<PaymentState> = {}): PaymentState => ({
  ...STATE_EXAMPLE,
  reference,
  merchantCode: MERCHANT_CODE,
  ...given,
})

const settled = (rig: Rig): Promise<void> =>
  waitUntil(async () => !(await rig.states()).includes('PENDING'), {
    timeoutMs: 10_000,
    what: 'the messages',
  })

test('a message is stored before anything follows from it, and applied by a worker', async (t) => {
  const rig = await openRig(t)
  await rig.payment('REF1')
  assert.equal(await rig.report(stateOf('REF1'), 'N-1'), 'TAKEN')
  assert.deepEqual(await rig.states(), ['PENDING'])
  const key = { merchantId: rig.merchantId, kind: 'PAYIN', idPayment: 'REF1' } as const
  assert.equal((await rig.payments.find(key))?.status, 'CREATED')
  rig.worker.start()
  await settled(rig)
  assert.deepEqual(await rig.states(), ['APPLIED'])
  assert.equal((await rig.payments.find(key))?.status, 'SUCCESS')
  const [payer] = await rig.payments.listPersonalData(key)
  assert.equal(payer?.data.accountName, STATE_EXAMPLE.payer.accountName)
})

test('the words of a message are never in clear, and go when nobody needs them', async (t) => {
  const rig = await openRig(t)
  await rig.payment('REF1')
  await rig.report(stateOf('REF1'), 'N-1')
  await rig.report(stateOf('REF1', { merchantCode: 'RIVAL' }), 'N-2')
  const [dump] = await rig.sql(`select string_agg(n::text, ' ') as text from rail_notifications n`)
  assert.doesNotMatch(String(dump?.['text']), /Jana|CZ65/)
  assert.doesNotMatch(String(dump?.['text']), new RegExp(Buffer.from('Jana').toString('hex')))
  rig.worker.start()
  await settled(rig)
  assert.deepEqual(await rig.states(), ['APPLIED', 'QUARANTINED'])
  const applied = await rig.notifications.showInFull('1', 'ann')
  assert.equal(applied?.body, undefined)
  const quarantined = await rig.notifications.showInFull('2', 'ann')
  assert.equal(quarantined?.notification.reason, 'MERCHANT_DIFFERS')
  assert.match(quarantined.body ?? '', /Jana/)
  assert.equal(await rig.notifications.showInFull('3', 'ann'), undefined)
})

test('a repeat is the message that it was, in whatever spelling, while its words may differ in what does not matter', async (t) => {
  const rig = await openRig(t)
  await rig.payment('REF1')
  for (let time = 0; time < 3; time += 1) await rig.report(stateOf('REF1'), 'N-1')
  const [amount] = await rig.notifications.list({
    state: undefined,
    railCode: 'bank',
    beforeNo: undefined,
    limit: 10,
  })
  assert.equal(amount?.repeats, 2)
  await rig.report(stateOf('REF1', { money: { amount: '149.90', currencyCode: 'EUR' } }), 'N-1')
  assert.deepEqual(await rig.states(), ['PENDING'])
})

test('of two messages with the same id that come at the same moment, the second is quarantined', async (t) => {
  const rig = await openRig(t)
  const message = (nonce: string, contentDigest: Buffer): NewNotification => ({
    nonce,
    railCode: 'bank',
    idNotification: 'N-1',
    contentDigest,
    dataKey: Buffer.alloc(1),
    sealed: Buffer.alloc(1),
    unreadable: undefined,
    reference: 'REF1',
    merchantCode: MERCHANT_CODE,
    report: 'SUCCEEDED',
  })
  const keep = (given: NewNotification) => rig.db.transaction((tx) => insertNotification(tx, given))
  let second: ReturnType<typeof keep> | undefined
  await rig.db.transaction(async (tx) => {
    await insertNotification(tx, message(randomIds.uuid(), Buffer.alloc(32, 1)))
    let isAnswered = false
    second = keep(message(randomIds.uuid(), Buffer.alloc(32, 2))).finally(() => {
      isAnswered = true
    })
    await waitUntil(async () => isAnswered || (await rig.sql(LIST_WAITING)).length > 0, {
      timeoutMs: 10_000,
      what: 'the second message',
    })
  })
  assert.deepEqual(await second, { isNew: true, state: 'QUARANTINED' })
  assert.deepEqual(await rig.states(), ['PENDING', 'QUARANTINED'])
})

test('a message whose payment is held up keeps no other waiting', async (t) => {
  const rig = await openRig(t)
  await rig.payment('HELD')
  await rig.payment('REF1')
  await rig.report(stateOf('HELD'), 'N-1')
  await rig.db.transaction(async (tx) => {
    await tx.rows({ name: 'hold', text: `select 1 from payments where id_payment = 'HELD' for update` }, [])
    rig.worker.start()
    await waitUntil(async () => (await rig.sql(LIST_WAITING)).length > 0, {
      timeoutMs: 10_000,
      what: 'the message that is held up',
    })
    const held = await rig.sql(FIND_FIRST)
    await rig.report(stateOf('REF1'), 'N-2')
    await waitUntil(async () => (await rig.states())[1] === 'APPLIED', {
      timeoutMs: 10_000,
      what: 'the other message',
    })
    // Still the first try: it was not given up before the other message was taken up.
    assert.deepEqual(await rig.sql(FIND_FIRST), held)
  })
  await settled(rig)
  assert.deepEqual(await rig.states(), ['APPLIED', 'APPLIED'])
})

test('messages that nobody can work on are given up, and the others go on', async (t) => {
  const rig = await openRig(t)
  await rig.payment('REF1')
  await rig.report(stateOf('REF1'), 'N-1')
  await rig.report(stateOf('REF1'), 'N-2')
  await rig.sql(`update rail_notifications set attempts = 50 where id_notification = 'N-1'`)
  rig.worker.start()
  await settled(rig)
  const rows = await rig.sql('select state, reason from rail_notifications order by notification_no')
  assert.deepEqual(rows, [
    { state: 'QUARANTINED', reason: 'FAULT' },
    { state: 'APPLIED', reason: null },
  ])
})

test('a message whose payment is locked for long is not given up for that', async (t) => {
  const rig = await openRig(t)
  await rig.payment('HELD')
  await rig.report(stateOf('HELD'), 'N-1')
  await rig.sql('update rail_notifications set attempts = 49')
  const session = await openSession(rig.url)
  t.after(() => session.close())
  await session.run(`begin; select 1 from payments where id_payment = 'HELD' for update`)
  rig.worker.start()
  await waitUntil(
    async () =>
      (await rig.sql('select 1 from rail_notifications where lease_token is null')).length > 0 &&
      (await rig.sql('select 1 from rail_notifications where attempts = 49 and due_at < now()')).length === 0,
    { timeoutMs: 20_000, what: 'the end of the last attempt' },
  )
  await session.run('rollback')
  await settled(rig)
  assert.deepEqual(await rig.states(), ['APPLIED'])
})

test('a message of a rail that is not here any more is kept for people', async (t) => {
  const rig = await openRig(t)
  await rig.report(stateOf('REF1'), 'N-1')
  rig.rails.clear()
  rig.worker.start()
  await settled(rig)
  assert.deepEqual(await rig.states(), ['QUARANTINED'])
  assert.equal(await rig.report(stateOf('REF1'), 'N-2'), 'NO_SUCH_RAIL')
})

test('forgeries fill no disk: the last thousand of a rail are kept', async (t) => {
  const rig = await openRig(t)
  const forgery = { why: 'x', address: '192.0.2.7', byteCount: 1, sealed: Buffer.alloc(1) }
  for (let n = 0; n < FORGERIES_KEPT_MAX + 20; n += 1)
    await upsertForgery(rig.db, { railCode: n === 0 ? 'other' : 'bank', ...forgery })
  const listed = await rig.notifications.listForgeries({ railCode: undefined, limit: 5000 })
  assert.equal(listed.length, FORGERIES_KEPT_MAX + 1)
  assert.equal(listed[0]?.forgeryNo, String(FORGERIES_KEPT_MAX + 20))
})

test('a flood of forgeries is refused and counted, and only a few a second are written down', async (t) => {
  const rig = await openRig(t)
  const message = { ...messageOfBank({ idNotification: 'N-1', payment: stateOf('REF1') }), headers: {} }
  const answers = await Promise.all(Array.from({ length: 200 }, () => rig.intake.accept('bank', message)))
  assert.deepEqual(new Set(answers), new Set(['FORGED']))
  const kept = await rig.notifications.listForgeries({ railCode: 'bank', limit: 5000 })
  assert.ok(kept.length >= 20 && kept.length < 200, String(kept.length))
  assert.deepEqual(await rig.states(), [])
})
