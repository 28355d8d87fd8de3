import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, waitUntil } from '@tollgate/testkit'
import { Refusal } from '../../../platform/refusal.ts'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import type { PaymentKey } from '../index.ts'
import {
  accepted,
  acceptedPayout,
  digestOf,
  EXPIRED,
  endTimeToPay,
  openRigThatPays,
  type Rig,
  WAITING,
} from './rig.ts'

const ANNA = { operatorCode: 'anna', reason: 'a stolen token' }
const BERT = { operatorCode: 'bert', reason: 'the merchant says it is right' }

/** An institution that notes what it is given. */
function notingRail(): Rail & { readonly given: ReadonlySet<string> } {
  const given = new Set<string>()
  return {
    code: 'test',
    capabilities: { directions: ['PAYOUT'], flows: [], cancels: false },
    plan: () => ({ instructions: {}, startsAtOnce: true }),
    advance: () => Promise.resolve(WAITING),
    async submit({ idPayment }): Promise<RailReport> {
      given.add(idPayment)
      return WAITING
    },
    inquire: () => Promise.resolve(WAITING),
    given,
  }
}

const phaseOf = async (rig: Rig, key: PaymentKey): Promise<unknown> =>
  (await rig.service.find(key))?.processorStatus

const reaches = (rig: Rig, key: PaymentKey, phase: string): Promise<void> =>
  waitUntil(async () => (await phaseOf(rig, key)) === phase, { timeoutMs: 10_000, what: phase })

const makeDue = (rig: Rig, key: PaymentKey): Promise<unknown> =>
  rig.sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) values ($1, $2, $3, 'RAIL', clock_timestamp())`,
    [key.merchantId, key.kind, key.idPayment],
  )

const holdsOf = (rig: Rig): Promise<readonly object[]> =>
  rig.sql('select event, cause, phase, operator_code, reason from payment_holds order by entry_no')

test('a payment on hold is handed over to nobody, until another operator releases it', async (t) => {
  const rig = await openRigThatPays(t)
  const rail = notingRail()
  const key = await acceptedPayout(rig)
  await rig.service.hold(key, ANNA)
  await makeDue(rig, key)
  rig.startWorker({ rail })
  await waitUntil(
    async () => (await rig.sql(`select 1 from payment_tasks where task = 'RAIL'`)).length === 0,
    { timeoutMs: 10_000, what: 'the task to be done' },
  )
  assert.equal(await phaseOf(rig, key), 'ON_HOLD')
  await assert.rejects(
    rig.service.release(key, ANNA),
    (error) => error instanceof Refusal && error.details.items?.[0]?.code === 'HOLD_OWN',
  )
  await assert.rejects(rig.service.hold(key, BERT), /on hold already/)
  await rig.service.release(key, BERT)
  await reaches(rig, key, 'SUBMITTED')
  await waitUntil(() => rail.given.has(key.idPayment), { timeoutMs: 10_000, what: 'the hand-over' })
  await assert.rejects(rig.service.hold(key, BERT), /an institution has it/)
  await assert.rejects(rig.service.release(key, BERT), /not on hold/)
  assert.deepEqual(await holdsOf(rig), [
    { event: 'HELD', cause: 'OPERATOR', phase: 'QUEUED', operator_code: 'anna', reason: 'a stolen token' },
    {
      event: 'RELEASED',
      cause: null,
      phase: null,
      operator_code: 'bert',
      reason: 'the merchant says it is right',
    },
  ])
})

test('what is cancelled on hold gives its money back, and what nobody decides expires', async (t) => {
  const rig = await openRigThatPays(t)
  const [one, two] = [await acceptedPayout(rig), await acceptedPayout(rig)]
  for (const key of [one, two]) await rig.service.hold(key, ANNA)
  await rig.service.cancelHeld(one, BERT)
  await endTimeToPay(rig)
  assert.equal((await rig.service.propose(two, EXPIRED)).kind, 'CHANGED')
  const statuses = await rig.sql(`select status from payments where kind = 'PAYOUT' order by created_at`)
  assert.deepEqual(statuses, [{ status: 'CANCELLED' }, { status: 'EXPIRED' }])
  const [balance] = await rig.sql('select available::float8, reserved::float8 from balances')
  assert.deepEqual(balance, { available: 1_000_000, reserved: 0 })
  assert.deepEqual(
    (await rig.sql('select event from payment_holds order by id_payment, entry_no')).map(
      ({ event }) => event,
    ),
    ['HELD', 'CANCELLED', 'HELD'],
  )
  assert.deepEqual(await rig.sql('select 1 from payment_tasks'), [])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('what has been said about a hold can be neither changed nor removed', async (t) => {
  const rig = await openRigThatPays(t)
  await rig.service.hold(await acceptedPayout(rig), ANNA)
  for (const statement of [`update payment_holds set operator_code = 'bert'`, 'delete from payment_holds'])
    await assert.rejects(rig.sql(statement), /append-only/)
})

test('a disabled merchant’s payout is stopped when it is handed over, and goes on when both allow it', async (t) => {
  const rig = await openRigThatPays(t)
  const rail = notingRail()
  const key = await acceptedPayout(rig)
  await rig.sql(`update merchants set status = 'DISABLED'`)
  await makeDue(rig, key)
  rig.startWorker({ rail })
  await reaches(rig, key, 'ON_HOLD')
  // Everything is looked at once more: to release it is not enough.
  await rig.service.release(key, BERT)
  await waitUntil(async () => (await holdsOf(rig)).length === 3, { timeoutMs: 10_000, what: 'a second stop' })
  assert.equal(rail.given.size, 0)
  await rig.sql(`update merchants set status = 'ACTIVE'`)
  await rig.service.release(key, BERT)
  await reaches(rig, key, 'SUBMITTED')
  await waitUntil(() => rail.given.size === 1, { timeoutMs: 10_000, what: 'the hand-over' })
})

test('P22 a refund whose payin was reversed before the hand-over is stopped, and another one is handed over', async (t) => {
  const rig = await openRigThatPays(t)
  const rail = notingRail()
  const [reversed, paid] = [await acceptedPayout(rig), await acceptedPayout(rig)]
  for (const [index, { merchantId, idPayment }] of [reversed, paid].entries()) {
    const payin = await accepted(rig)
    await rig.sql(
      `insert into refunds (merchant_id, id_payin, id_refund, id_payment, amount, currency_code) values ($1, $2, 'R', $3, 40, 'EUR')`,
      [merchantId, payin.idPayment, idPayment],
    )
    await rig.sql(`update payments set status = $2 where id_payment = $1`, [
      payin.idPayment,
      index === 0 ? 'REVERSED' : 'SUCCESS',
    ])
  }
  for (const key of [reversed, paid]) await makeDue(rig, key)
  rig.startWorker({ rail })
  await reaches(rig, reversed, 'ON_HOLD')
  await reaches(rig, paid, 'SUBMITTED')
  assert.deepEqual([...rail.given], [paid.idPayment])
  assert.partialDeepStrictEqual(await holdsOf(rig), [
    { event: 'HELD', cause: 'PAYIN_REVERSED', operator_code: null },
  ])
})

test('S20 an account that is blocked while workers hand over: what was blocked before the note is never handed over, in every round', async (t) => {
  const rig = await openRigThatPays(t)
  const rail = notingRail()
  for (let worker = 0; worker < 2; worker += 1) rig.startWorker({ rail })
  let stopped = 0
  for (let round = 1; round <= 12; round += 1) {
    const digests = Array.from({ length: 8 }, (_, index) => digestOf(`${round} ${index}`))
    const keys: PaymentKey[] = []
    const blocked: { readonly key: PaymentKey; readonly at: Date }[] = []
    const accept = async (digest: Buffer): Promise<void> => {
      const key = await acceptedPayout(rig, { beneficiaryDigest: digest, startsAtOnce: true })
      keys.push(key)
      await runSql(
        rig.url,
        `insert into blocked_beneficiaries (merchant_id, beneficiary_digest, created_by) values (1, $1, 'test')`,
        [digest],
      )
      const [now] = await rig.sql('select clock_timestamp() as at')
      if (now?.['at'] instanceof Date) blocked.push({ key, at: now['at'] })
    }
    await Promise.all(digests.map(accept))
    for (const key of keys)
      await waitUntil(async () => (await phaseOf(rig, key)) !== 'QUEUED', {
        timeoutMs: 10_000,
        what: 'a worker',
      })
    for (const { key, at } of blocked) {
      const payment = await rig.service.find(key)
      assert(payment)
      if (payment.processorStatus === 'ON_HOLD') {
        stopped += 1
        assert.ok(!rail.given.has(key.idPayment), 'a stopped payment was handed over')
      } else
        assert.ok(payment.submittedAt !== undefined && payment.submittedAt <= at, 'noted after the block')
    }
  }
  assert.ok(stopped > 0, 'no round met the block in time')
})

test('S20 a block waits for the hand-over that is being noted at that moment', async (t) => {
  const rig = await openRigThatPays(t)
  const block = `set lock_timeout = '100ms'; insert into blocked_beneficiaries (merchant_id, beneficiary_digest, created_by) values (1, decode(repeat('00', 32), 'hex'), 'test')`
  const look = { name: 'test_outgoing_stop', text: `select outgoing_stop(1, 'PAYOUT', 'X', '\\x00', null)` }
  await rig.db.transaction(async (tx) => {
    await tx.rows(look, [])
    await assert.rejects(runSql(rig.url, block), /lock timeout/)
  })
  await runSql(rig.url, block)
})

test('a hold that waits for a worker’s lock, or the reverse: one of the two happens, never both', async (t) => {
  const rig = await openRigThatPays(t)
  const rail = notingRail()
  for (let worker = 0; worker < 2; worker += 1) rig.startWorker({ rail })
  for (let round = 1; round <= 12; round += 1) {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => acceptedPayout(rig, { startsAtOnce: true })),
    )
    const held = await Promise.allSettled(keys.map((key) => rig.service.hold(key, ANNA)))
    for (const [index, key] of keys.entries()) {
      const isHeld = held[index]?.status === 'fulfilled'
      await reaches(rig, key, isHeld ? 'ON_HOLD' : 'SUBMITTED')
      if (isHeld) assert.ok(!rail.given.has(key.idPayment), 'it was held, and handed over')
    }
  }
})
