import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../../../platform/database.ts'
import { fund } from '../../../test/support/shop.ts'
import { CapExceeded, type PaymentService } from '../index.ts'
import { countedAs, digestOf, keyOf, newPayment, openRig } from './rig.ts'

test('of many identical creates on two services at once exactly one is accepted; the rest learn of it', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  for (const round of [1, 2, 3]) {
    const idPayment = `same-${round}`
    const verdicts = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? rig.service : other).accept(newPayment({ idPayment })),
      ),
    )
    const accepted = verdicts.filter((verdict) => verdict.kind === 'ACCEPTED')
    assert.equal(accepted.length, 1)
    for (const verdict of verdicts) {
      assert(verdict.kind !== 'INSUFFICIENT')
      assert.deepEqual(verdict.acceptedAt, accepted[0]?.acceptedAt)
      if (verdict.kind === 'DUPLICATE') assert.deepEqual(verdict.requestDigest, digestOf(idPayment))
    }
  }
  assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 3 }])
  assert.deepEqual(await rig.sql('select count(*)::int as n from payment_timeline'), [{ n: 3 }])
  assert.equal(await countedAs(rig, 'CREATED'), 3)
})

test('ids crossed between two services never wait for each other in a circle', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  const ids = Array.from({ length: 80 }, (_, index) => `crossed-${index}`)
  const verdicts = await Promise.all(
    [ids, ids.toReversed()].flatMap((order, index) =>
      order.map((idPayment) => (index === 0 ? rig.service : other).accept(newPayment({ idPayment }))),
    ),
  )
  assert.equal(verdicts.filter((verdict) => verdict.kind === 'ACCEPTED').length, ids.length)
})

test('two different requests for one id in one batch: the first is accepted, the second told of it', async (t) => {
  const rig = await openRig(t)
  const first = newPayment({ idPayment: 'twice', amount: '1', requestDigest: digestOf('one euro') })
  const second = newPayment({ idPayment: 'twice', amount: '2', requestDigest: digestOf('two euro') })
  const [one, two] = await Promise.all([rig.service.accept(first), rig.service.accept(second)])
  assert.equal(one.kind, 'ACCEPTED')
  assert(two.kind === 'DUPLICATE')
  assert.deepEqual(two.requestDigest, digestOf('one euro'))
  assert.equal((await rig.service.find(keyOf(first)))?.money.amount, '1')
})

test('one id belongs to a merchant and a kind: others may use it too', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { merchantId: '1', amount: '103', currencyCode: 'EUR' })
  const verdicts = await Promise.all(
    (
      [
        ['1', 'PAYIN'],
        ['1', 'PAYOUT'],
        ['1', 'TOPUP'],
        ['2', 'PAYIN'],
      ] as const
    ).map(([merchantId, kind]) => rig.service.accept(newPayment({ idPayment: 'shared', merchantId, kind }))),
  )
  assert.deepEqual(new Set(verdicts.map((verdict) => verdict.kind)), new Set(['ACCEPTED']))
})

const POISON = [
  { what: 'an amount that violates a constraint', given: { amount: '-1' } },
  { what: 'a NUL character in a text', given: { reference: 'a\u0000b' } },
  { what: 'a NUL character in the instructions', given: { instructions: { redirectUrl: 'a\u0000b' } } },
  { what: 'an id with a character that is not allowed', given: { idPayment: 'öre' } },
  { what: 'an id of 251 characters', given: { idPayment: 'x'.repeat(251) } },
  { what: 'an amount that is no number', given: { amount: 'ten' } },
] as const
for (const { what, given } of POISON) {
  test(`${what} fails alone, and its neighbours in the batch are accepted`, async (t) => {
    const rig = await openRig(t)
    const batch = Array.from({ length: 21 }, (_, index) => newPayment(index === 13 ? given : {}))
    const settled = await Promise.allSettled(batch.map((payment) => rig.service.accept(payment)))
    assert.deepEqual(
      settled.flatMap((each, index) => (each.status === 'rejected' ? [index] : [])),
      [13],
    )
    assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 20 }])
    assert.equal(await countedAs(rig, 'CREATED'), 20)
  })
}

test('an id of 250 characters is accepted', async (t) => {
  const rig = await openRig(t)
  const payment = newPayment({ idPayment: 'x'.repeat(250) })
  assert.equal((await rig.service.accept(payment)).kind, 'ACCEPTED')
  assert.equal((await rig.service.find(keyOf(payment)))?.idPayment.length, 250)
})

test('amounts of every currency come back to the digit', async (t) => {
  const rig = await openRig(t)
  const amounts = [
    ['1.000000000000000001', 'ETH'],
    ['0.000000000000000001', 'ETH'],
    ['1.234', 'KWD'],
    ['5000', 'JPY'],
    ['1234567890123456789012345678901234567890', 'EUR'],
    ['0.1', 'BTC'],
  ] as const
  for (const [amount, currencyCode] of amounts) {
    const payment = newPayment({ amount, currencyCode, feeAmount: '0' })
    await rig.service.accept(payment)
    assert.deepEqual((await rig.service.find(keyOf(payment)))?.money, { amount, currencyCode })
  }
})

test('acceptance, first timeline row, expiry and the rail’s task are one', async (t) => {
  const rig = await openRig(t)
  const verdict = await rig.service.accept(
    newPayment({ idPayment: 'whole', startsAtOnce: true, expiresAfterSeconds: 90 }),
  )
  assert(verdict.kind === 'ACCEPTED')
  assert.equal(verdict.expireAt.getTime() - verdict.acceptedAt.getTime(), 90_000)
  assert.deepEqual(
    await rig.sql(
      `select t.task, t.due_at = case t.task when 'EXPIRE' then p.expire_at else p.created_at end as on_time
      from payment_tasks t join payments p using (merchant_id, kind, id_payment) order by task`,
    ),
    [
      { task: 'EXPIRE', on_time: true },
      { task: 'RAIL', on_time: true },
    ],
  )
  const [entry, ...more] = await rig.service.listTimeline({
    merchantId: '1',
    kind: 'PAYIN',
    idPayment: 'whole',
  })
  assert.deepEqual(more, [])
  assert.deepEqual(entry, {
    entryNo: 1,
    status: 'CREATED',
    processorStatus: 'AWAITING_CUSTOMER',
    actor: 'merchant',
    reason: undefined,
    evidence: undefined,
    happenedAt: verdict.acceptedAt,
  })
})

/** On a busy machine one of many may wait too long for a connection; then nothing was asked of the database. */
async function acceptAt(service: PaymentService): Promise<unknown> {
  for (let tries = 1; ; tries += 1)
    try {
      return await service.accept(newPayment(), { cap: { countMax: 10 } })
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || tries === TRIES_MAX) throw error
    }
}
const TRIES_MAX = 20

test('50 creates at once under a cap of 10: exactly 10 are accepted', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  const settled = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) => acceptAt(index % 2 === 0 ? rig.service : other)),
  )
  assert.equal(settled.filter((each) => each.status === 'fulfilled').length, 10)
  for (const each of settled) if (each.status === 'rejected') assert(each.reason instanceof CapExceeded)
  assert.deepEqual(await rig.sql('select count(*)::int as n from payments'), [{ n: 10 }])
  assert.deepEqual(await rig.sql('select amount::text, payments from payment_daily_usage'), [
    { amount: '1000', payments: 10 },
  ])
  assert.equal(await countedAs(rig, 'CREATED'), 10)
})

test('a cap on the amount is used to the last minor unit and not beyond', async (t) => {
  const rig = await openRig(t)
  const cap = { cap: { amountMax: '0.3', countMax: 9 } }
  const pay = (amount: string) =>
    rig.service.accept(newPayment({ amount, feeAmount: '0' }), cap).then(
      (verdict) => verdict.kind,
      (error: unknown) => (error instanceof CapExceeded ? 'CAP' : String(error)),
    )
  assert.equal(await pay('0.31'), 'CAP')
  assert.equal(await pay('0.1'), 'ACCEPTED')
  assert.equal(await pay('0.2'), 'ACCEPTED')
  assert.equal(await pay('0.01'), 'CAP')
})

test('a repeat of an accepted payment is a duplicate even when the cap is used up, and counts once', async (t) => {
  const rig = await openRig(t)
  const cap = { cap: { countMax: 1 } }
  assert.equal((await rig.service.accept(newPayment({ idPayment: 'capped' }), cap)).kind, 'ACCEPTED')
  assert.equal((await rig.service.accept(newPayment({ idPayment: 'capped' }), cap)).kind, 'DUPLICATE')
  await assert.rejects(rig.service.accept(newPayment(), cap), CapExceeded)
  assert.deepEqual(await rig.sql('select payments from payment_daily_usage'), [{ payments: 1 }])
})
