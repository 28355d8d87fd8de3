import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FaultProxy, faultProxy, type MessageFault } from '@tollgate/testkit'
import { verifyBooks } from '../../../rooms/books.ts'
import { CapExceeded, type PaymentService } from '../index.ts'
import { accepted, countedAs, keyOf, newPayment, openRig, paid, type Rig } from './rig.ts'

const LOSSES = ['REPLY_LOST', 'REQUEST_LOST'] as const

async function openThroughProxy(
  t: Parameters<typeof openRig>[0],
): Promise<{ rig: Rig; proxy: FaultProxy; service: PaymentService }> {
  const rig = await openRig(t)
  const proxy = await faultProxy(t, rig.url)
  return { rig, proxy, service: rig.openService(proxy.url) }
}

/** Does the work while the message with the marker is lost, and makes sure that it was. */
async function withLoss<Result>(
  proxy: FaultProxy,
  fault: MessageFault,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = proxy.faults
  proxy.plan(fault)
  const result = await work()
  assert.equal(proxy.faults - before, fault.times ?? 1)
  return result
}

/** The statement as it travels. A session is set up with `read committed`, which is another word. */
const COMMIT = 'commit\0'

for (const kind of LOSSES) {
  test(`${kind}: a batch is accepted all the same, once, by its nonces`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    const batch = Array.from({ length: 40 }, () => newPayment())
    const verdicts = await withLoss(proxy, { kind, marker: 'payments_insert' }, () =>
      Promise.all(batch.map((payment) => service.accept(payment))),
    )
    assert.deepEqual(new Set(verdicts.map((verdict) => verdict.kind)), new Set(['ACCEPTED']))
    // The first batch is one of several: only its rows were there before.
    const isNew = verdicts.map((verdict) => verdict.kind === 'ACCEPTED' && verdict.isNew)
    assert.equal(isNew.includes(false), kind === 'REPLY_LOST')
    assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 40 }])
    assert.equal(await countedAs(rig, 'CREATED'), 40)
  })

  test(`${kind}: somebody else’s payment under the id is a duplicate and never taken for ours`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    await rig.service.accept(newPayment({ idPayment: 'taken' }))
    const verdict = await withLoss(proxy, { kind, marker: 'payments_insert' }, () =>
      service.accept(newPayment({ idPayment: 'taken' })),
    )
    assert.equal(verdict.kind, 'DUPLICATE')
  })

  test(`${kind} at the COMMIT: the last payment under a cap is accepted, never told that the cap is used up`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    const verdict = await withLoss(proxy, { kind, marker: COMMIT }, () =>
      service.accept(newPayment(), { cap: { countMax: 1 } }),
    )
    assert.equal(verdict.kind, 'ACCEPTED')
    await assert.rejects(service.accept(newPayment(), { cap: { countMax: 1 } }), CapExceeded)
    assert.deepEqual(await rig.sql('select payments from payment_daily_usage'), [{ payments: 1 }])
  })

  test(`${kind} at the COMMIT of a change: it happens once, with one booking and one callback`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    const key = await accepted(rig)
    const outcome = await withLoss(proxy, { kind, marker: COMMIT }, () =>
      service.propose(key, paid({ amount: '100', currencyCode: 'EUR' })),
    )
    assert.equal(outcome.kind, kind === 'REPLY_LOST' ? 'SAME' : 'CHANGED')
    assert.equal((await rig.service.find(key))?.status, 'SUCCESS')
    assert.deepEqual(await rig.sql('select count(*)::int as n from ledger_transfers'), [{ n: 1 }])
    assert.deepEqual(await rig.sql('select count(*)::int as n from callback_events'), [{ n: 1 }])
    assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  })

  test(`${kind} at the COMMIT of a reference: it is stored once`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    const key = await accepted(rig)
    await withLoss(proxy, { kind, marker: COMMIT }, () => service.setExternalReference(key, 'R-1'))
    assert.equal((await rig.service.find(key))?.externalReference, 'R-1')
    assert.deepEqual(await rig.sql('select count(*)::int as n from payment_external_references'), [{ n: 1 }])
  })

  test(`${kind}: a read is asked again`, async (t) => {
    const { rig, proxy, service } = await openThroughProxy(t)
    const payment = newPayment()
    await rig.service.accept(payment)
    const found = await withLoss(proxy, { kind, marker: 'payments_list' }, () => service.find(keyOf(payment)))
    assert.equal(found?.idPayment, payment.idPayment)
  })
}

test('the answer is lost again and again: after a while the caller hears that nothing is known', async (t) => {
  const { rig, proxy, service } = await openThroughProxy(t)
  const payment = newPayment()
  proxy.plan({ kind: 'REPLY_LOST', marker: 'payments_insert', times: 1_000 })
  await assert.rejects(service.accept(payment), { name: 'CommitUnknown' })
  assert(proxy.faults > 1, 'it was tried more than once')
  proxy.plan({ kind: 'REPLY_LOST', marker: 'payments_insert', times: 0 })
  const repeated = await service.accept({ ...newPayment({ idPayment: payment.idPayment }) })
  assert.equal(repeated.kind, 'DUPLICATE')
  assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 1 }])
})
