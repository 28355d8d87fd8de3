import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import type { RailReport } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { sealPersonalData } from '../index.ts'
import { claimTasks, findNextDueSeconds } from '../progress/task-store.ts'
import {
  accepted,
  EXPIRED,
  endTimeToPay,
  keyOf,
  newPayment,
  openRig,
  type Rig,
  railThat,
  WAITING,
} from './rig.ts'

const PAID: RailReport = {
  kind: 'SUCCEEDED',
  received: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
}
const patience = (what: string) => ({ timeoutMs: 15_000, what })

const countOf = async (rig: Rig, condition: string): Promise<number> => {
  const [row] = await rig.sql(`select count(*)::int as n from ${condition}`)
  return Number(row?.['n'])
}
const ended = (rig: Rig) => countOf(rig, `payments where status <> 'CREATED'`)

test('two workers at once on 500 due tasks end each payment once', async (t) => {
  const rig = await openRig(t)
  await Promise.all(
    Array.from({ length: 500 }, (_, index) => accepted(rig, { startsAtOnce: index % 2 === 0 })),
  )
  await rig.sql(`update payments set expire_at = clock_timestamp() where id_payment in
    (select id_payment from payment_tasks group by id_payment having count(*) = 1)`)
  await rig.sql(`update payment_tasks set due_at = clock_timestamp() where id_payment in
    (select id_payment from payments where expire_at <= clock_timestamp())`)
  let asked = 0
  const rail = railThat(() => {
    asked += 1
    return PAID
  })
  rig.startWorker({ rail })
  rig.startWorker({ rail, service: rig.openService() })
  await waitUntil(async () => (await ended(rig)) === 500, patience('500 ends'))
  assert.equal(asked, 250)
  assert.deepEqual(await rig.sql('select status, count(*)::int as n from payments group by 1 order by 1'), [
    { status: 'EXPIRED', n: 250 },
    { status: 'SUCCESS', n: 250 },
  ])
  assert.equal(await countOf(rig, 'payment_tasks'), 0)
  assert.equal(await countOf(rig, 'callback_events'), 500)
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('a payment expires when its time is over by the database’s clock, and not before', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { expiresAfterSeconds: 1 })
  await accepted(rig, { expiresAfterSeconds: 3600 })
  rig.startWorker({})
  await waitUntil(async () => (await rig.service.find(key))?.status === 'EXPIRED', patience('expiry'))
  assert.deepEqual(
    await rig.sql(`select processed_at >= expire_at as late_enough, processed_at < expire_at + interval '5 s' as soon_enough
      from payments where status = 'EXPIRED'`),
    [{ late_enough: true, soon_enough: true }],
  )
  assert.equal(await ended(rig), 1)
})

test('the tasks of a worker that died are due again when its lease ends, and not before', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const claimed = await claimTasks(rig.db, {
    task: 'RAIL',
    limit: 10,
    leaseToken: '00000000-0000-4000-8000-000000000001',
    leaseSeconds: 1,
  })
  assert.deepEqual(
    claimed.map((task) => task.idPayment),
    [key.idPayment],
  )
  rig.startWorker({ rail: railThat(() => PAID) })
  await waitUntil(async () => (await ended(rig)) === 1, patience('the second worker'))
  assert.deepEqual(
    await rig.sql(`select processed_at >= created_at + interval '0.9 s' as after_the_lease from payments`),
    [{ after_the_lease: true }],
  )
})

test('a worker that lost its lease while it was away puts nothing off and removes nothing', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  let asked = 0
  rig.startWorker({
    leaseSeconds: 1,
    rail: railThat(async () => {
      asked += 1
      if (asked > 1) return WAITING
      // Meanwhile the customer submits a reference, which makes the task due for whoever comes next.
      await rig.service.setExternalReference(key, 'R')
      return WAITING
    }),
  })
  await waitUntil(() => asked === 2, patience('the second question'))
  await waitUntil(
    async () => (await countOf(rig, `payment_tasks where task = 'RAIL'`)) === 0,
    patience('the end'),
  )
})

test('a rail that hangs is given up, counts as unknown, is asked again, and holds up no expiry', async (t) => {
  const rig = await openRig(t)
  const hanging = await accepted(rig, { startsAtOnce: true })
  const other = await accepted(rig, { expiresAfterSeconds: 1 })
  let givenUp = 0
  const worker = rig.startWorker({
    railDeadlineSeconds: 2,
    rail: railThat(
      (_payment, _progress, signal) =>
        new Promise<RailReport>(() => {
          signal.addEventListener('abort', () => {
            givenUp += 1
          })
        }),
    ),
  })
  await waitUntil(
    async () => (await rig.service.find(other))?.status === 'EXPIRED',
    patience('the neighbour'),
  )
  await waitUntil(
    async () => (await rig.service.find(hanging))?.processorStatus === 'UNKNOWN',
    patience('the answer that does not come'),
  )
  // By its deadline; a stop would give it up as well. On a slow machine it has been asked again by now.
  assert.ok(givenUp >= 1)
  await worker.stop()
})

test('an outcome that is not known is asked for again and never expires; known again, it may', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  let asked = 0
  let isKnown = false
  const report = (): RailReport => {
    asked += 1
    return isKnown ? WAITING : { kind: 'UNKNOWN', askAgainSeconds: 0.05 }
  }
  rig.startWorker({ rail: railThat(report) })
  const phase = async () => (await rig.service.find(key))?.processorStatus
  await waitUntil(async () => (await phase()) === 'UNKNOWN', patience('UNKNOWN'))
  await endTimeToPay(rig)
  assert.equal((await rig.service.propose(key, EXPIRED)).kind, 'REFUSED')
  await waitUntil(() => asked > 1, patience('a further question'))
  isKnown = true
  await waitUntil(async () => (await phase()) === 'AWAITING_CUSTOMER', patience('WAITING'))
  assert.deepEqual(
    (await rig.service.listTimeline(key)).map((entry) => entry.processorStatus),
    ['AWAITING_CUSTOMER', 'UNKNOWN', 'AWAITING_CUSTOMER'],
  )
  assert.equal((await rig.service.propose(key, EXPIRED)).kind, 'CHANGED')
})

test('while its outcome is not known, a payin whose time is over is looked at less and less often; then it expires', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  const makeDue = (phase: string) =>
    rig.sql(`with p as (update payments set processor_status = '${phase}', expire_at = clock_timestamp() - interval '100 s')
      update payment_tasks set due_at = clock_timestamp() where task = 'EXPIRE'`)
  await makeDue('UNKNOWN')
  rig.startWorker({})
  const putOff = `payment_tasks where lease_token is null and due_at > clock_timestamp() + interval '40 s'`
  await waitUntil(async () => (await countOf(rig, putOff)) === 1, patience('the expiry that is put off'))
  assert.equal((await rig.service.find(key))?.status, 'CREATED')
  await makeDue('AWAITING_CUSTOMER')
  await waitUntil(async () => (await rig.service.find(key))?.status === 'EXPIRED', patience('expiry'))
  assert.equal(await countOf(rig, 'payment_tasks'), 0)
})

test('other money than was asked for goes to review, is written down, and ends no payment', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { startsAtOnce: true })
  const received = { amount: parsePlainAmount('99.99'), currencyCode: 'EUR' }
  rig.startWorker({ rail: railThat(() => ({ kind: 'SUCCEEDED', received })) })
  await waitUntil(
    async () => (await countOf(rig, `payment_tasks where task = 'RAIL'`)) === 0,
    patience('the report'),
  )
  const payment = await rig.service.find(key)
  assert.deepEqual([payment?.status, payment?.processorStatus], ['CREATED', 'IN_REVIEW'])
  const [, entry] = await rig.service.listTimeline(key)
  assert.equal(entry?.reason, '99.99 EUR arrived instead of 100 EUR')
  assert.deepEqual(await rig.sql('select 1 from callback_events'), [])
})

test('money for a payment that was cancelled meanwhile goes to review; a rejection of it is no news', async (t) => {
  const rig = await openRig(t)
  const cases: readonly (readonly [RailReport, string])[] = [
    [PAID, 'IN_REVIEW'],
    [{ kind: 'FAILED', code: 'DECLINED', message: 'No.' }, 'AWAITING_CUSTOMER'],
  ]
  for (const [report, phase] of cases) {
    const key = await accepted(rig, { startsAtOnce: true })
    const worker = rig.startWorker({
      rail: railThat(async () => {
        await rig.service.propose(key, {
          status: 'CANCELLED',
          actor: 'operator:jana',
          reason: 'by phone',
          evidence: { class: 'PEOPLE', operators: ['jana'] },
        })
        // The cancellation takes the task with it; the report that is under way still comes.
        return report
      }),
    })
    await waitUntil(
      async () => (await rig.service.find(key))?.status === 'CANCELLED',
      patience('the cancellation'),
    )
    await worker.stop()
    assert.equal((await rig.service.find(key))?.processorStatus, phase)
  }
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('a rail that throws is asked again and keeps no neighbour waiting', async (t) => {
  const rig = await openRig(t)
  await Promise.all(Array.from({ length: 20 }, () => accepted(rig, { startsAtOnce: true })))
  let asked = 0
  rig.startWorker({
    rail: railThat(() => {
      asked += 1
      if (asked === 5) throw new Error('the rail has a bug')
      return PAID
    }),
  })
  await waitUntil(async () => (await ended(rig)) === 19, patience('the neighbours'))
  assert.deepEqual(
    await rig.sql(
      `select due_at > clock_timestamp() as later, lease_token from payment_tasks where task = 'RAIL'`,
    ),
    [{ later: true, lease_token: null }],
  )
})

test('a rail sees the payment, the merchant’s code, the customer’s data and its reference', async (t) => {
  const rig = await openRig(t)
  const payment = newPayment({ startsAtOnce: false })
  const customer = { emailAddress: 'ada@shop.example' }
  await rig.service.accept({
    ...payment,
    personalData: sealPersonalData(rig.secrets, keyOf(payment), customer),
  })
  await rig.service.setExternalReference(keyOf(payment), 'R-7')
  const seen: unknown[] = []
  rig.startWorker({
    rail: railThat((asked, progress) => {
      seen.push([asked.merchantCode, asked.idPayment, asked.reference, asked.money, asked.customer])
      seen.push([progress.externalReference, progress.ageSeconds >= 0 && progress.ageSeconds < 60])
      return PAID
    }),
  })
  await waitUntil(async () => (await ended(rig)) === 1, patience('the rail'))
  assert.deepEqual(seen, [
    ['M1', payment.idPayment, payment.reference, { amount: '100', currencyCode: 'EUR' }, customer],
    ['R-7', true],
  ])
})

test('a woken worker does not wait for its next look, and a stopped one finishes what it began', async (t) => {
  const rig = await openRig(t)
  let isAsked = false
  const worker = rig.startWorker({
    rail: railThat(async () => {
      isAsked = true
      await new Promise((resolve) => setTimeout(resolve, 300))
      return PAID
    }),
  })
  await accepted(rig, { startsAtOnce: true })
  worker.wake()
  await waitUntil(() => isAsked, patience('the rail'))
  await worker.stop()
  assert.equal(await ended(rig), 1)
  await accepted(rig, { startsAtOnce: true })
  worker.wake()
  assert.equal(await ended(rig), 1)
})

test('where there is no task, none is due: an idle worker sleeps', async (t) => {
  const rig = await openRig(t)
  assert.equal(await findNextDueSeconds(rig.db, 'EXPIRE'), undefined)
  await accepted(rig)
  assert.ok(Number(await findNextDueSeconds(rig.db, 'EXPIRE')) > 0)
  assert.equal(await findNextDueSeconds(rig.db, 'RAIL'), undefined)
  // As a restore leaves payouts that are in doubt.
  await rig.db.rows({ name: 'never_due', text: `update payment_tasks set due_at = 'infinity'` }, [])
  assert.equal(await findNextDueSeconds(rig.db, 'EXPIRE'), undefined)
})
