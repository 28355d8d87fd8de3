import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSession, type TestLife, waitUntil } from '@tollgate/testkit'
import { isLockTimeout } from '../../../platform/database.ts'
import { updatePhases } from '../store.ts'
import { accepted, FAILED, newPayment, openRigThatPays } from './rig.ts'

// Rows that somebody else keeps locked.

/** A session that keeps what it reads locked until it is told to let go. */
async function lock(t: TestLife, url: string, text: string) {
  const session = await openSession(url)
  t.after(() => session.close())
  await session.run(`begin; ${text} for update`)
  return { letGo: () => session.run('rollback'), run: session.run }
}

test('payouts that share a batch with those of a merchant whose balance is locked are accepted', async (t) => {
  const rig = await openRigThatPays(t, { queryTimeoutMs: 2_000 })
  await rig.sql(`insert into merchants (merchant_code, channel_name) values ('OTHER', 'Other')`)
  await rig.sql(`insert into balances (merchant_id, currency_code, available) values (2, 'EUR', 1000000)`)
  const { letGo } = await lock(t, rig.url, 'select 1 from balances where merchant_id = 1')
  const payouts = Array.from({ length: 32 }, (_, index) =>
    newPayment({
      kind: 'PAYOUT',
      merchantId: index === 9 || index === 21 ? '1' : '2',
      callbackUrl: undefined,
    }),
  )
  const outcomes = await Promise.allSettled(payouts.map((payout) => rig.service.accept(payout)))
  for (const [index, outcome] of outcomes.entries()) {
    if (payouts[index]?.merchantId === '2')
      assert.equal(outcome.status === 'fulfilled' && outcome.value.kind, 'ACCEPTED', String(index))
    else assert.ok(outcome.status === 'rejected' && isLockTimeout(outcome.reason), String(index))
  }
  await letGo()
  for (const payout of payouts) assert.equal((await rig.service.accept(payout)).kind, 'ACCEPTED')
})

test('a payment that is locked does not keep those from ending that are reported with it', async (t) => {
  const rig = await openRigThatPays(t, { queryTimeoutMs: 2_000 })
  const keys = await Promise.all(Array.from({ length: 8 }, () => accepted(rig)))
  const locked = keys[3]
  assert(locked)
  const { letGo } = await lock(t, rig.url, `select 1 from payments where id_payment = '${locked.idPayment}'`)
  const outcomes = await Promise.allSettled(keys.map((key) => rig.service.propose(key, FAILED)))
  for (const [index, outcome] of outcomes.entries()) {
    if (keys[index] !== locked)
      assert.equal(outcome.status === 'fulfilled' && outcome.value.kind, 'CHANGED', String(index))
    else assert.ok(outcome.status === 'rejected' && isLockTimeout(outcome.reason), String(index))
  }
  await letGo()
  assert.equal((await rig.service.propose(locked, FAILED)).kind, 'CHANGED')
})

test('several phases are noted in the order in which everyone locks payments, which is by the number of the merchant', async (t) => {
  const rig = await openRigThatPays(t)
  const tenth = await accepted(rig, { merchantId: '10' })
  const ninth = await accepted(rig, { merchantId: '9' })
  const { letGo, run } = await lock(t, rig.url, 'select 1 from payments where merchant_id = 9')
  const change = { status: 'CREATED', processorStatus: 'DETECTED', actor: 'chain' } as const
  const noted = rig.db.transaction((tx) =>
    updatePhases(
      tx,
      [tenth, ninth].map((key) => ({ ...key, ...change })),
    ),
  )
  await waitUntil(
    async () => {
      const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return (await rig.sql(text)).length > 0
    },
    { timeoutMs: 10_000, what: 'the lock of the ninth' },
  )
  // Nobody has the tenth yet: who takes both in order is not held up by somebody who waits for the ninth.
  await run('select 1 from payments where merchant_id = 10 for update nowait')
  await letGo()
  await noted
  assert.equal((await rig.service.find(tenth))?.processorStatus, 'DETECTED')
})
