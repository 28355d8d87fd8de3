import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { fund } from '../../../test/support/shop.ts'
import type { AcceptVerdict, PaymentKey } from '../index.ts'
import {
  acceptedPayout,
  CANCELLED,
  EXPIRED,
  endTimeToPay,
  FAILED,
  newPayment,
  openRig,
  paid,
  REVERSED,
  type Rig,
  WAITING,
} from './rig.ts'

const PAYOUT = { kind: 'PAYOUT', callbackUrl: undefined } as const
const EUR = { merchantId: '1', currencyCode: 'EUR' }

const kindsOf = (verdicts: readonly AcceptVerdict[]): readonly string[] => verdicts.map(({ kind }) => kind)

/** Available and reserved of merchant 1 in EUR, as texts. */
async function holdingsOf(rig: Rig): Promise<readonly [unknown, unknown]> {
  const [row] = await rig.sql(
    `select trim_scale(available)::text as available, trim_scale(reserved)::text as reserved from balances where merchant_id = 1 and currency_code = 'EUR'`,
  )
  return [row?.['available'], row?.['reserved']]
}

/** Waits until the payment has, or has had, the status or the phase. */
async function reaches(rig: Rig, key: PaymentKey, state: string): Promise<void> {
  await waitUntil(
    async () => {
      const timeline = await rig.service.listTimeline(key)
      return timeline.some(({ status, processorStatus }) => status === state || processorStatus === state)
    },
    { timeoutMs: 10_000, what: state },
  )
}

async function assertBooksAgree(rig: Rig): Promise<void> {
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
}

test('many at once against a balance that affords ten: exactly ten are accepted, from two processes, in every round', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  for (let round = 1; round <= 10; round += 1) {
    await fund(rig.sql, { ...EUR, amount: '1035' })
    const verdicts = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        (index % 2 === 0 ? rig.service : other).accept(newPayment(PAYOUT)),
      ),
    )
    const accepted = kindsOf(verdicts).filter((kind) => kind === 'ACCEPTED')
    const refused = kindsOf(verdicts).filter((kind) => kind === 'INSUFFICIENT')
    // Five are left over from each round; after ten rounds they do not make another one.
    assert.equal(accepted.length, 10)
    assert.equal(accepted.length + refused.length, 64)
  }
  await assertBooksAgree(rig)
})

test('nothing is stored of what the balance does not cover, and its id may be used again', async (t) => {
  const rig = await openRig(t)
  const payment = newPayment(PAYOUT)
  assert.deepEqual(kindsOf([await rig.service.accept(payment)]), ['INSUFFICIENT'])
  for (const table of [
    'payments',
    'payment_timeline',
    'payment_tasks',
    'ledger_transfers',
    'ledger_postings',
  ])
    assert.deepEqual(await rig.sql(`select 1 from ${table}`), [], table)
  await fund(rig.sql, { ...EUR, amount: '103' })
  assert.deepEqual(kindsOf([await rig.service.accept({ ...payment, nonce: crypto.randomUUID() })]), [
    'ACCEPTED',
  ])
  assert.deepEqual(await holdingsOf(rig), ['0', '103'])
  await assertBooksAgree(rig)
})

test('who comes first is served first, and a smaller one that follows a refused one still fits', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '100' })
  const amounts = ['60', '50', '30', '20', '10']
  const verdicts = await Promise.all(
    amounts.map((amount) => rig.service.accept(newPayment({ ...PAYOUT, amount, feeAmount: '0' }))),
  )
  const fits = ['ACCEPTED', 'INSUFFICIENT', 'ACCEPTED', 'INSUFFICIENT', 'ACCEPTED']
  assert.deepEqual(kindsOf(verdicts), fits)
  assert.deepEqual(await holdingsOf(rig), ['0', '100'])
})

test('a repeat is a duplicate when the balance is used up, also while it is being accepted', async (t) => {
  const rig = await openRig(t)
  const other = rig.openService()
  await fund(rig.sql, { ...EUR, amount: '206' })
  const one = newPayment(PAYOUT)
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? rig.service : other).accept({
        ...one,
        nonce: crypto.randomUUID(),
        holdTransferId: crypto.randomUUID(),
      }),
    ),
  )
  assert.equal(kindsOf(verdicts).filter((kind) => kind === 'ACCEPTED').length, 1)
  assert.equal(kindsOf(verdicts).filter((kind) => kind === 'DUPLICATE').length, 39)
  assert.deepEqual(await holdingsOf(rig), ['103', '103'])
  await acceptedPayout(rig)
  assert.deepEqual(kindsOf([await rig.service.accept({ ...one, nonce: crypto.randomUUID() })]), ['DUPLICATE'])
  await assertBooksAgree(rig)
})

test('money of another currency or another merchant does not count', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { merchantId: '1', amount: '1000', currencyCode: 'USD' })
  await fund(rig.sql, { merchantId: '2', amount: '1000', currencyCode: 'EUR' })
  assert.deepEqual(kindsOf([await rig.service.accept(newPayment(PAYOUT))]), ['INSUFFICIENT'])
})

test('a hold is spent, released, and credited back, each by its own way', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '1030' })
  const keys = await Promise.all(Array.from({ length: 5 }, () => acceptedPayout(rig)))
  assert.deepEqual(await holdingsOf(rig), ['515', '515'])
  await endTimeToPay(rig)
  const money = { amount: '100', currencyCode: 'EUR' }
  const [a, b, c, d, e] = keys
  assert(a && b && c && d && e)
  await rig.service.propose(a, paid(money))
  await rig.service.propose(b, FAILED)
  await rig.service.propose(c, CANCELLED)
  await rig.service.propose(d, EXPIRED)
  await rig.service.propose(e, paid(money))
  await rig.service.propose(e, REVERSED)
  // 1030 less one payout with its fee, and the fee of the one that came back.
  assert.deepEqual(await holdingsOf(rig), ['924', '0'])
  await assertBooksAgree(rig)
})

test('a failure that an operator corrects is taken from what is there, and owed beyond it', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '103' })
  const first = await acceptedPayout(rig)
  await rig.service.propose(first, FAILED)
  await acceptedPayout(rig, { amount: '90', feeAmount: '0' })
  const corrected = {
    ...paid({ amount: '100', currencyCode: 'EUR' }),
    actor: 'operator:ada',
    evidence: { class: 'PEOPLE', operators: ['ada', 'bob'] },
    reason: 'it left',
  } as const
  assert.equal((await rig.service.propose(first, corrected)).kind, 'CHANGED')
  const [row] = await rig.sql('select available::float8, reserved::float8, receivable::float8 from balances')
  assert.deepEqual(row, { available: 0, reserved: 90, receivable: -90 })
  await assertBooksAgree(rig)
})

/** An institution that counts what it is given, and answers what it is told to. */
function countingRail(answers: {
  readonly submit: () => RailReport | Promise<RailReport>
  readonly inquire: () => RailReport
  readonly takesTwice?: true
}): Rail & { readonly submissions: () => number } {
  let submissions = 0
  const { takesTwice } = answers
  return {
    code: 'test',
    capabilities: { directions: ['PAYOUT'], flows: [], cancels: false, ...(takesTwice && { takesTwice }) },
    plan: () => ({ instructions: {}, startsAtOnce: true }),
    advance: () => Promise.resolve(WAITING),
    async submit() {
      submissions += 1
      return answers.submit()
    },
    inquire: () => Promise.resolve(answers.inquire()),
    submissions: () => submissions,
  }
}

const MONEY = paid({ amount: '100', currencyCode: 'EUR' }).received
const SUCCEEDED: RailReport | undefined = MONEY && { kind: 'SUCCEEDED', received: MONEY }

test('O4 an institution that fails after it was given the payment is asked, and never given it again', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '103' })
  assert(SUCCEEDED)
  const rail = countingRail({
    submit: () => Promise.reject(new Error('the connection was lost')),
    inquire: () => SUCCEEDED,
  })
  const key = await acceptedPayout(rig, { startsAtOnce: true })
  rig.startWorker({ rail })
  await reaches(rig, key, 'UNKNOWN')
  await rig.sql(`update payment_tasks set due_at = clock_timestamp()`)
  await reaches(rig, key, 'SUCCESS')
  assert.equal(rail.submissions(), 1)
  await assertBooksAgree(rig)
})

for (const takesTwice of [undefined, true] as const)
  test(`what was noted and never arrived is handed over again ${takesTwice ? 'at once where twice is once' : 'when nothing of it is on its way any more'}`, async (t) => {
    const rig = await openRig(t)
    await fund(rig.sql, { ...EUR, amount: '103' })
    let inquiries = 0
    const rail = countingRail({
      ...(takesTwice && { takesTwice }),
      submit: () => (rail.submissions() > 1 ? WAITING : Promise.reject(new Error('the connection was lost'))),
      inquire() {
        inquiries += 1
        return { kind: 'UNKNOWN', askAgainSeconds: 0.05, isAbsent: true }
      },
    })
    const key = await acceptedPayout(rig, { startsAtOnce: true })
    rig.startWorker({ rail })
    await reaches(rig, key, 'UNKNOWN')
    await rig.sql(`update payment_tasks set due_at = clock_timestamp()`)
    if (takesTwice !== true) {
      await waitUntil(() => inquiries >= 3, { timeoutMs: 10_000, what: 'three inquiries' })
      assert.equal(rail.submissions(), 1)
      await rig.sql(`update payments set submitted_at = submitted_at - interval '301 seconds'`)
    }
    await waitUntil(() => rail.submissions() === 2, { timeoutMs: 10_000, what: 'the second hand-over' })
    await reaches(rig, key, 'SUBMITTED')
  })

test('two workers and a lease that ends while the institution thinks: it is given the payment once', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '103' })
  assert(SUCCEEDED)
  const { promise, resolve } = Promise.withResolvers<RailReport>()
  const rail = countingRail({
    submit: () => promise,
    inquire: () => ({ kind: 'UNKNOWN', askAgainSeconds: 0.1 }),
  })
  const key = await acceptedPayout(rig, { startsAtOnce: true })
  rig.startWorker({ rail, leaseSeconds: 0.2 })
  rig.startWorker({ rail, leaseSeconds: 0.2 })
  await reaches(rig, key, 'UNKNOWN')
  resolve(SUCCEEDED)
  await reaches(rig, key, 'SUCCESS')
  assert.equal(rail.submissions(), 1)
})

test('what an institution has does not expire, and nobody can cancel it', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '103' })
  const rail = countingRail({ submit: () => WAITING, inquire: () => WAITING })
  const key = await acceptedPayout(rig, { startsAtOnce: true })
  rig.startWorker({ rail })
  await reaches(rig, key, 'SUBMITTED')
  await endTimeToPay(rig)
  assert.equal((await rig.service.propose(key, EXPIRED)).kind, 'REFUSED')
  const cancelled = {
    ...CANCELLED,
    actor: 'operator:ada',
    reason: 'changed my mind',
    evidence: { class: 'PEOPLE', operators: ['ada', 'bob'] },
  } as const
  assert.equal((await rig.service.propose(key, cancelled)).kind, 'REFUSED')
  assert.deepEqual(await holdingsOf(rig), ['0', '103'])
  await assertBooksAgree(rig)
})

test('money that comes back is credited once, however often the institution says so', async (t) => {
  const rig = await openRig(t)
  await fund(rig.sql, { ...EUR, amount: '103' })
  assert(SUCCEEDED)
  const rail = countingRail({
    submit: () => ({ ...SUCCEEDED, watchSeconds: 0.1 }),
    inquire: () => ({ kind: 'RETURNED', code: 'RETURNED', message: 'The account was closed.' }),
  })
  const key = await acceptedPayout(rig, { startsAtOnce: true })
  rig.startWorker({ rail })
  await reaches(rig, key, 'REVERSED')
  await rig.service.propose(key, REVERSED)
  assert.deepEqual(await holdingsOf(rig), ['100', '0'])
  await assertBooksAgree(rig)
})
