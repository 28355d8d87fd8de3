import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { verifyBooks } from '../../../rooms/books.ts'
import { fund } from '../../../test/support/shop.ts'
import type { PaymentKey, Proposal } from '../index.ts'
import {
  accepted,
  CANCELLED,
  countedAs,
  EXPIRED,
  endTimeToPay,
  FAILED,
  newPayment,
  openRig,
  paid,
  REVERSED,
  type Rig,
} from './rig.ts'

const PAID = paid({ amount: '100', currencyCode: 'EUR' })

/** Status, statuses of the timeline, statuses told of by a callback, and events booked. */
async function traceOf(rig: Rig, { idPayment }: PaymentKey) {
  const [row] = await rig.sql(
    `select p.status,
      (select string_agg(status, ' ' order by entry_no) from payment_timeline l where l.id_payment = p.id_payment) as timeline,
      (select string_agg(l.status, ' ' order by entry_no) from payment_timeline l
        join callback_events e on e.id_entity = l.id_payment and e.timeline_entry_no = l.entry_no where l.id_payment = p.id_payment) as told,
      (select string_agg(event, ' ' order by event desc) from ledger_transfers t where t.id_payment = p.id_payment) as booked
    from payments p where id_payment = $1`,
    [idPayment],
  )
  return row
}

const BY_TWO = {
  actor: 'operator:ada',
  evidence: { class: 'PEOPLE', operators: ['ada', 'jana'] },
} as const

test('payments that are made together and paid together find room for their new rows on their pages', async (t) => {
  const rig = await openRig(t)
  const keys = await Promise.all(Array.from({ length: 120 }, () => accepted(rig)))
  const pages = async () => {
    const rows = await rig.sql('select id_payment, (ctid::text::point)[0] as page from payments')
    return new Map(rows.map((row) => [row['id_payment'], row['page']]))
  }
  const before = await pages()
  await Promise.all(keys.map((key) => rig.service.propose(key, PAID)))
  const after = await pages()
  const stayed = keys.filter(({ idPayment }) => before.get(idPayment) === after.get(idPayment)).length
  assert.ok(stayed > keys.length / 4, `${stayed} of ${keys.length}`)
})

test('a success is written whole: status, phase, money, time, history, books, callback, and no task is left', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const outcome = await rig.service.propose(key, { ...PAID, reason: 'as reported' })
  assert.equal(outcome.kind, 'CHANGED')
  const payment = await rig.service.find(key)
  assert.equal(payment?.status, 'SUCCESS')
  assert.equal(payment.processorStatus, 'CONFIRMED')
  assert.deepEqual(payment.received, { amount: '100', currencyCode: 'EUR' })
  assert(payment.processedAt !== undefined && payment.processedAt >= payment.createdAt)
  const timeline = await rig.service.listTimeline(key)
  assert.deepEqual(
    timeline.map(({ entryNo, status, processorStatus, actor, reason }) => [
      entryNo,
      status,
      processorStatus,
      actor,
      reason,
    ]),
    [
      [1, 'CREATED', 'AWAITING_CUSTOMER', 'merchant', undefined],
      [2, 'SUCCESS', 'CONFIRMED', 'rail:test', 'as reported'],
    ],
  )
  assert.deepEqual(await rig.sql('select account, amount::text from ledger_postings order by posting_no'), [
    { account: 'CLEARING', amount: '-100' },
    { account: 'NOT_SETTLED', amount: '97' },
    { account: 'FEES', amount: '3' },
  ])
  assert.deepEqual(await traceOf(rig, key), {
    status: 'SUCCESS',
    timeline: 'CREATED SUCCESS',
    told: 'SUCCESS',
    booked: 'PAYIN_SUCCESS',
  })
  assert.deepEqual(await rig.sql('select 1 from payment_tasks'), [])
  assert.deepEqual(await rig.sql('select 1 from payment_personal_data'), [])
  assert.equal(await countedAs(rig, 'SUCCESS'), 1)
})

test('a failure says why and when, and a success later on takes that back', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await rig.service.propose(key, FAILED)
  const failed = await rig.service.find(key)
  assert(failed?.processedAt !== undefined)
  assert.deepEqual([failed.status, failed.processorStatus], ['FAILED', 'REJECTED'])
  const failedAt = failed.processedAt
  assert.deepEqual(failed.failure, { code: 'DECLINED', message: 'No.', failedAt })
  const outcome = await rig.service.propose(key, { ...PAID, ...BY_TWO, reason: 'money is here' })
  assert.equal(outcome.kind, 'CHANGED')
  const paidAfterAll = await rig.service.find(key)
  assert(paidAfterAll !== undefined)
  assert.deepEqual([paidAfterAll.status, paidAfterAll.failure], ['SUCCESS', undefined])
  assert.deepEqual(paidAfterAll.processedAt, failedAt, 'processedAt is that of the first end')
})

test('an expired payin may be paid late; a payment that is not there is MISSING', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  assert.deepEqual(await rig.service.propose(key, EXPIRED), {
    kind: 'REFUSED',
    why: 'its time to pay is not over',
    status: 'CREATED',
  })
  await endTimeToPay(rig)
  await rig.service.propose(key, EXPIRED)
  await rig.service.propose(key, PAID)
  assert.equal((await rig.service.find(key))?.processorStatus, 'CONFIRMED_LATE')
  assert.deepEqual(await rig.service.propose({ ...key, idPayment: 'nobody' }, PAID), { kind: 'MISSING' })
  assert.deepEqual(await rig.service.propose({ ...key, merchantId: '2' }, PAID), { kind: 'MISSING' })
})

test('expiry is judged by the database’s clock, to the moment', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await rig.sql(`update payments set expire_at = clock_timestamp() + interval '400 ms'`)
  let refusals = 0
  while ((await rig.service.propose(key, EXPIRED)).kind === 'REFUSED') refusals += 1
  assert(refusals > 0)
  assert.deepEqual(await rig.sql('select processed_at >= expire_at as late_enough from payments'), [
    { late_enough: true },
  ])
})

test('a top-up is booked as one, and so is its recall', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { kind: 'TOPUP' })
  await rig.service.propose(key, PAID)
  await rig.service.propose(key, REVERSED)
  assert.deepEqual((await traceOf(rig, key))?.['booked'], 'TOPUP_SUCCESS TOPUP_REVERSED')
})

test('an outgoing payment is booked by its own events, and one that is corrected late is taken anew', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '300' })
  const corrected = { ...PAID, ...BY_TWO, reason: 'it left' }
  const ends: readonly (readonly Proposal[])[] = [[PAID], [PAID, REVERSED], [FAILED], [FAILED, corrected]]
  const booked: unknown[] = []
  for (const proposals of ends) {
    const key = await accepted(rig, { kind: 'PAYOUT', startsAtOnce: true })
    for (const proposal of proposals) await rig.service.propose(key, proposal)
    booked.push((await traceOf(rig, key))?.['booked'])
  }
  assert.deepEqual(booked, [
    'PAYOUT_SUCCESS PAYOUT_HELD',
    'PAYOUT_SUCCESS PAYOUT_REVERSED PAYOUT_HELD',
    'PAYOUT_RELEASED PAYOUT_HELD',
    'PAYOUT_SUCCESS_LATE PAYOUT_RELEASED PAYOUT_HELD',
  ])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('what the institution says of the payer is kept, and a payment that is to be watched is asked for again', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  const payer = { accountName: 'Ada', accountNumber: '123' }
  await rig.service.propose(key, { ...PAID, payer, watchSeconds: 60 })
  const kept = await rig.service.listPersonalData(key)
  assert.deepEqual(
    kept.map(({ source, data }) => ({ source, data })),
    [{ source: 'PROCESS', data: payer }],
  )
  const tasks = await rig.sql(
    `select id_payment, round(extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes from payment_tasks`,
  )
  assert.deepEqual(tasks, [{ id_payment: key.idPayment, minutes: 1 }])
})

test('a payment without a callback URL changes and tells nobody', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { callbackUrl: undefined })
  await rig.service.propose(key, CANCELLED)
  assert.deepEqual(await rig.sql('select 1 from callback_events'), [])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('callbacks that a worker of this process takes on are sent after the commit, and not after a failure', async (t) => {
  const rig = await openRig(t)
  const log: string[] = []
  const service = rig.openService(rig.url, {
    openFreshCallbacks: () => ({
      leaseSeconds: 20,
      lease({ idEntity }) {
        log.push(`lease ${idEntity}`)
        return '00000000-0000-4000-8000-000000000001'
      },
      noteWritten: (atSeconds) => log.push(`written ${atSeconds > 0}`),
      send: () => log.push('send'),
      drop: () => log.push('drop'),
    }),
  })
  const callbackUrl = 'https://shop.example/hook'
  const good = await accepted(rig, { callbackUrl })
  await service.propose(good, PAID)
  assert.deepEqual(log.splice(0), [`lease ${good.idPayment}`, 'written true', 'send', 'drop'])
  assert.deepEqual(
    await rig.sql(`select state, attempts_started, lease_token is not null as is_leased,
      due_at - last_started_at = interval '20 s' as is_due_later from callback_events`),
    [{ state: 'PENDING', attempts_started: 1, is_leased: true, is_due_later: true }],
  )
  const bad = await accepted(rig, { callbackUrl })
  await rig.sql(
    'alter table ledger_transfers add constraint no_more check (id_payment = $1) not valid'.replace(
      '$1',
      `'${good.idPayment}'`,
    ),
  )
  await assert.rejects(service.propose(bad, PAID), { code: '23514' })
  assert.deepEqual(log, [`lease ${bad.idPayment}`, 'written true', 'drop'])
  assert.equal((await rig.sql('select from callback_events')).length, 1)
})

test('nobody is called back about a settlement, whatever URL it has', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { merchantId: '1', currencyCode: 'EUR', amount: '103' })
  const key = await accepted(rig, { kind: 'SETTLEMENT', startsAtOnce: true })
  assert.equal((await rig.service.find(key))?.callbackUrl, 'https://shop.example/callbacks')
  assert.equal((await rig.service.propose(key, PAID)).kind, 'CHANGED')
  assert.deepEqual(await rig.sql('select 1 from callback_events'), [])
})

test('two proposals for one payment in one batch: the second sees what the first did', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  const outcomes = await Promise.all(
    [PAID, PAID, REVERSED, PAID, FAILED].map((proposal) => rig.service.propose(key, proposal)),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.kind),
    ['CHANGED', 'SAME', 'CHANGED', 'REFUSED', 'REFUSED'],
  )
  assert.deepEqual(await traceOf(rig, key), {
    status: 'REVERSED',
    timeline: 'CREATED SUCCESS REVERSED',
    told: 'SUCCESS REVERSED',
    booked: 'PAYIN_SUCCESS PAYIN_REVERSED',
  })
})

test('one proposal that cannot be written leaves its neighbours alone', async (t) => {
  const rig = await openRig(t)
  const keys = await Promise.all(Array.from({ length: 9 }, () => accepted(rig)))
  const settled = await Promise.allSettled(
    keys.map((key, index) => rig.service.propose(key, index === 4 ? { ...FAILED, actor: 'a\u0000b' } : PAID)),
  )
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value.kind : 'failed')),
    Array.from({ length: 9 }, (_, index) => (index === 4 ? 'failed' : 'CHANGED')),
  )
  assert.equal(await countedAs(rig, 'SUCCESS'), 8)
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

/** Where a payin may end up, whatever the order of the reports and however often they come. */
const ENDS = new Set([
  'CREATED SUCCESS',
  'CREATED SUCCESS REVERSED',
  'CREATED FAILED',
  'CREATED CANCELLED',
  'CREATED EXPIRED',
  'CREATED EXPIRED SUCCESS',
  'CREATED EXPIRED SUCCESS REVERSED',
])
const REPORTS: readonly Proposal[] = [PAID, FAILED, CANCELLED, EXPIRED, REVERSED]

test('any order and repetition of reports, over two services at once, has each effect once', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.nat(REPORTS.length - 1), { minLength: 1, maxLength: 12 }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (sequences) => {
        const keys = await Promise.all(sequences.map(() => accepted(rig)))
        await endTimeToPay(rig)
        await Promise.all(
          sequences.flatMap((sequence, index) =>
            sequence.map((report, position) => {
              const proposal = REPORTS[report]
              const key = keys[index]
              assert(proposal !== undefined && key !== undefined)
              return (position % 2 === 0 ? rig.service : other).propose(key, proposal)
            }),
          ),
        )
        for (const key of keys) {
          const trace = await traceOf(rig, key)
          const timeline = String(trace?.['timeline'])
          assert(timeline === 'CREATED' || ENDS.has(timeline), timeline)
          assert.equal(trace?.['status'], timeline.split(' ').at(-1))
          assert.equal(trace?.['told'] ?? '', timeline.split(' ').slice(1).join(' '))
          const booked = timeline.split(' ').flatMap((status) => {
            return status === 'SUCCESS' || status === 'REVERSED' ? [`PAYIN_${status}`] : []
          })
          assert.equal(trace?.['booked'] ?? '', booked.join(' '))
        }
      },
    ),
    { numRuns: 40 },
  )
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('times never go back, however many change one payment at once', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  for (let round = 0; round < 20; round += 1) {
    const key = await accepted(rig)
    await endTimeToPay(rig)
    await Promise.all([
      rig.service.propose(key, EXPIRED),
      other.propose(key, PAID),
      rig.service.propose(key, REVERSED),
      other.setExternalReference(key, 'R').catch(() => undefined),
      rig.service.propose(key, PAID),
    ])
  }
  assert.deepEqual(
    await rig.sql(`select * from (
      select happened_at, lag(happened_at) over (partition by id_payment order by entry_no) as earlier from payment_timeline) t
      where happened_at < earlier`),
    [],
  )
})

test('many recalls of one merchant in one batch take from what the ones before left', async (t) => {
  const rig = await openRig(t)
  const keys = await Promise.all(Array.from({ length: 12 }, () => accepted(rig)))
  await Promise.all(keys.map((key) => rig.service.propose(key, PAID)))
  const late = await accepted(rig, { amount: '5', feeAmount: '0' })
  const outcomes = await Promise.all([
    ...keys.map((key) => rig.service.propose(key, REVERSED)),
    rig.service.propose(late, paid({ amount: '5', currencyCode: 'EUR' })),
  ])
  assert.deepEqual(new Set(outcomes.map((outcome) => outcome.kind)), new Set(['CHANGED']))
  // 12 fees of 3 stay earned; the 5 came last, so they do not pay for the recalls.
  assert.deepEqual(await rig.sql('select not_settled::text, receivable::text from balances'), [
    { not_settled: '5', receivable: '-36' },
  ])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('recalls of many merchants and currencies on two services at once all happen', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  const payments = Array.from({ length: 60 }, (_, index) =>
    newPayment({
      merchantId: String((index % 5) + 1),
      currencyCode: ['EUR', 'USD', 'KWD'][index % 3] ?? 'EUR',
      feeAmount: '0.123',
    }),
  )
  await Promise.all(payments.map((payment) => rig.service.accept(payment)))
  const all = (
    service: typeof other,
    list: typeof payments,
    make: (p: (typeof payments)[number]) => Proposal,
  ) => list.map((payment) => service.propose(payment, make(payment)))
  await Promise.all([
    ...all(rig.service, payments.slice(0, 30), paid),
    ...all(other, payments.slice(30).toReversed(), paid),
  ])
  const outcomes = await Promise.all([
    ...all(rig.service, payments, () => REVERSED),
    ...all(other, payments.toReversed(), () => REVERSED),
  ])
  const changed = outcomes.filter((outcome) => outcome.kind === 'CHANGED')
  assert.equal(changed.length, payments.length)
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})
