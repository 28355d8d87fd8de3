import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NewPayment, Proposal } from '../../payments/index.ts'
import { findWaitingLines } from '../index.ts'
import { choicesOf, faultsOf, openRig, type Rig, refusal } from './rig.ts'

// What banks say of money that was paid out: that it left, that it left twice, that it came back.

const BY = { operatorCode: 'ada', reason: 'as the bank says' }

/** A merchant with 1000 EUR. The lines that say so are not of the tests. */
async function openWithMoney(t: Parameters<typeof openRig>[0]): Promise<Rig> {
  const rig = await openRig(t)
  await rig.sql(`insert into balances (merchant_id, currency_code, available) values (1, 'EUR', 0)`)
  const topUp = await rig.accept({ kind: 'TOPUP', amount: '1000', feeAmount: '0' })
  await rig.take({ statements: [{ id: 'A', entries: [{ amount: '1000', text: topUp.reference }] }] })
  return rig
}

/** A payout of 100 EUR that was handed over. */
async function payOut(rig: Rig): Promise<NewPayment> {
  const payout = await rig.accept({
    kind: 'PAYOUT',
    processorStatus: 'QUEUED',
    holdTransferId: crypto.randomUUID(),
  })
  await rig.sql('update payments set submitted_at = now() where id_payment = $1', [payout.idPayment])
  await rig.sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'RAIL', now() + interval '1 day' from payments where id_payment = $1`,
    [payout.idPayment],
  )
  return payout
}

async function become(rig: Rig, payment: NewPayment, proposal: Omit<Proposal, 'actor'>): Promise<void> {
  const { merchantId, kind, idPayment } = payment
  const outcome = await rig.payments.propose(
    { merchantId, kind, idPayment },
    { actor: 'rail:test', failure: { code: 'NO', message: 'No.' }, reason: 'so', ...proposal },
  )
  assert.equal(outcome.kind, 'CHANGED', JSON.stringify(outcome))
}

let bookings = 0

/** The bank books amounts under the payment's reference, each as a booking of its own. Answers the ids of the lines. */
async function book(rig: Rig, { reference }: NewPayment, ...amounts: string[]): Promise<readonly string[]> {
  const known = await rig.lineIds()
  const entries = amounts.map((amount) => {
    bookings += 1
    return { amount, endToEndId: reference, bankReference: `B${bookings}` }
  })
  await rig.take({ message: '054', statements: [{ id: `N${bookings}`, entries }] })
  return (await rig.lineIds()).filter((lineId) => !known.includes(lineId))
}

/** The states of all lines but the first, which brought the merchant's money. */
const statesOf = async (rig: Rig): Promise<readonly string[]> => (await rig.lines()).slice(1)

test('money that came back never pays the payout that it names', async (t) => {
  const rig = await openWithMoney(t)
  const [open, failed] = [await payOut(rig), await payOut(rig)]
  await become(rig, failed, { status: 'FAILED', evidence: { class: 'RAIL' } })
  for (const payout of [open, failed]) {
    const before = await rig.statusOf(payout)
    const [lineId = ''] = await book(rig, payout, '100')
    assert.deepEqual((await rig.statements.show(lineId)).suggestions, [])
    assert.deepEqual(await choicesOf(rig, lineId), ['RETURN'])
    for (const decision of ['ACCEPT', 'COVER'] as const)
      assert.match(
        await refusal(rig.statements.decide({ ...BY, lineId, decision })),
        /is money that leaves, so money that came cannot pay it/,
      )
    assert.equal(await rig.statusOf(payout), before)
  }
  const [gift = ''] = await book(rig, { ...open, reference: 'GIFT' }, '100')
  const payment = { merchantCode: 'SHOP', kind: 'PAYOUT', idPayment: open.idPayment }
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId: gift, decision: 'ACCEPT', payment })),
    /is money that leaves/,
  )
  assert.deepEqual(await statesOf(rig), ['UNKNOWN 100', 'DOUBLE 100', 'UNKNOWN 100'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a payout that the bank debits twice is taken once: every further debit waits', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  const [first = '', second = ''] = await book(rig, payout, '-100', '-100')
  const [third = ''] = await book(rig, payout, '-100')
  assert.deepEqual(await statesOf(rig), ['MATCHED 0', 'DOUBLE 0', 'DOUBLE 0'])
  assert.equal(await rig.statusOf(payout), 'SUCCESS CONFIRMED')
  for (const lineId of [second, third]) {
    const { reasons, payment } = await rig.statements.show(lineId)
    assert.equal(payment?.idPayment, payout.idPayment)
    assert.match(reasons.join('; '), new RegExp(`statement line ${first} took its money already`))
    assert.deepEqual(await choicesOf(rig, lineId), ['NOTE'])
  }
  assert.equal((await findWaitingLines(rig.db))?.count, 2)
  await rig.statements.decide({ ...BY, lineId: second, decision: 'NOTE' })
  assert.deepEqual(await faultsOf(rig), [])
})

test('a debit after the return of a payout waits', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  await book(rig, payout, '-100')
  await book(rig, payout, '100')
  await book(rig, payout, '-100')
  assert.deepEqual(await statesOf(rig), ['MATCHED 0', 'MATCHED 0', 'DOUBLE 0'])
  assert.equal(await rig.statusOf(payout), 'REVERSED RETURNED')
  assert.deepEqual(await faultsOf(rig), [])
})

test('of two imports at once one has the first debit', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  await Promise.all([book(rig, payout, '-100'), book(rig, payout, '-100')])
  assert.deepEqual((await statesOf(rig)).toSorted(), ['DOUBLE 0', 'MATCHED 0'])
})

test('a debit that a later statement has, too, is the same one', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  const entry = { amount: '-100', endToEndId: payout.reference, bankReference: 'ONCE' }
  await rig.take({ message: '054', statements: [{ id: 'N', entries: [entry] }] })
  await rig.take({ statements: [{ id: 'S', opening: '1000', entries: [entry] }] })
  assert.deepEqual(await statesOf(rig), ['MATCHED 0'])
})

test('debits of a batch are each the first of their payout', async (t) => {
  const rig = await openWithMoney(t)
  const [one, two] = [await payOut(rig), await payOut(rig)]
  const sum = { amount: '-200', text: 'batch', bankReference: 'BATCH' }
  const parts = [one, two].map(({ reference }) => ({ amount: '-100', endToEndId: reference }))
  await rig.take({ message: '054', statements: [{ id: 'N', entries: [sum] }] })
  await rig.take({ statements: [{ id: 'S', opening: '1000', entries: [{ ...sum, parts }] }] })
  assert.deepEqual(await statesOf(rig), ['SPLIT 0', 'MATCHED 0', 'MATCHED 0'])
})

test('money that comes back after two debits may be what was taken too often, and waits', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  await book(rig, payout, '-100', '-100', '100')
  assert.deepEqual(await statesOf(rig), ['MATCHED 0', 'DOUBLE 0', 'DOUBLE 100'])
  assert.equal(await rig.statusOf(payout), 'SUCCESS CONFIRMED')
  assert.deepEqual(await faultsOf(rig), [])
})

const TWO_PEOPLE = { class: 'PEOPLE', operators: ['ada', 'olga'] } as const

/** What institutions hold for us, by the books. */
async function clearingOf(rig: Rig): Promise<string> {
  const [row] = await rig.sql(
    `select trim_scale(-sum(amount))::text as held from ledger_postings where account = 'CLEARING' and currency_code = 'EUR'`,
  )
  return String(row?.['held'])
}

test('money that comes back after two people reversed its payout is the same money, once', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  await book(rig, payout, '-100')
  await become(rig, payout, { status: 'REVERSED', evidence: TWO_PEOPLE })
  const [first = '', second = ''] = await book(rig, payout, '100', '100')
  assert.deepEqual(await statesOf(rig), ['MATCHED 0', 'DOUBLE 100', 'DOUBLE 100'])
  assert.deepEqual(await choicesOf(rig, first), ['SAME_MONEY', 'RETURN'])
  await rig.statements.decide({ ...BY, lineId: first, decision: 'SAME_MONEY' })
  assert.equal(await clearingOf(rig), '1100', 'the second one lies in suspense')
  assert.deepEqual(await choicesOf(rig, second), ['RETURN'])
  assert.match(
    await refusal(rig.statements.decide({ ...BY, lineId: second, decision: 'SAME_MONEY' })),
    new RegExp(`Statement line ${first} is this payment's money already`),
  )
  assert.deepEqual(await faultsOf(rig), [])
})

test('a rejected payout that the bank took and gave back leaves our account as it was', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  await become(rig, payout, { status: 'FAILED', evidence: { class: 'RAIL' } })
  const [credit = ''] = await book(rig, payout, '100')
  assert.deepEqual(await choicesOf(rig, credit), ['RETURN'])
  const same = { ...BY, lineId: credit, decision: 'SAME_MONEY' } as const
  assert.match(await refusal(rig.statements.decide(same)), /0 statement lines say that its money left/)
  await book(rig, payout, '-100')
  assert.deepEqual(await statesOf(rig), ['DOUBLE 100', 'UNKNOWN 0'])
  assert.deepEqual(await choicesOf(rig, credit), ['SAME_MONEY', 'RETURN'])
  await rig.statements.decide(same)
  assert.deepEqual(await statesOf(rig), ['SAME_MONEY 0', 'UNKNOWN 0'])
  assert.equal(await clearingOf(rig), '1000')
  assert.equal(await rig.statusOf(payout), 'FAILED REJECTED')
  assert.deepEqual(await faultsOf(rig), [])
})

test('what the bank took twice and gave back once is the same money', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  const [, , credit = ''] = await book(rig, payout, '-100', '-100', '100')
  await rig.statements.decide({ ...BY, lineId: credit, decision: 'SAME_MONEY' })
  assert.deepEqual(await statesOf(rig), ['MATCHED 0', 'DOUBLE 0', 'SAME_MONEY 0'])
  assert.equal(await rig.statusOf(payout), 'SUCCESS CONFIRMED')
  assert.equal(await clearingOf(rig), '900')
  assert.deepEqual(await faultsOf(rig), [])
})

test('money that came back before its debit is the same once two people have reversed the payout', async (t) => {
  const rig = await openWithMoney(t)
  const payout = await payOut(rig)
  const [credit = ''] = await book(rig, payout, '100')
  const same = { ...BY, lineId: credit, decision: 'SAME_MONEY' } as const
  assert.match(await refusal(rig.statements.decide(same)), /is CREATED, .*Reviews/)
  await book(rig, payout, '-100')
  assert.match(await refusal(rig.statements.decide(same)), /is SUCCESS, .*Reviews/)
  await become(rig, payout, { status: 'REVERSED', evidence: TWO_PEOPLE })
  await rig.statements.decide(same)
  assert.deepEqual(await statesOf(rig), ['SAME_MONEY 0', 'MATCHED 0'])
  assert.equal(await clearingOf(rig), '1000')
  assert.deepEqual(await faultsOf(rig), [])
})
