import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { bookEntries } from '../../modules/ledger/index.ts'
import { accepted, newPayment, openRig, paid, type Rig } from '../../modules/payments/test/rig.ts'
import { settledEntries } from './books.ts'
import { moneyOf } from './commands.ts'
import { findingsIn } from './installation.ts'

const EUR = { merchantId: '1', currencyCode: 'EUR' } as const
const PAYOUT = { kind: 'PAYOUT', feeAmount: '0', callbackUrl: undefined } as const

/** Lets merchant 1 earn 97 EUR, which are not settled. */
async function earn(rig: Rig): Promise<void> {
  await rig.service.propose(await accepted(rig), paid({ amount: '100', currencyCode: 'EUR' }))
}

/** Settles what merchant 1 has earned; the transaction is open while `during` runs. */
async function settle(rig: Rig, during: () => Promise<void> = async () => undefined): Promise<void> {
  const settled = { settled: moneyOf(97_00n, EUR.currencyCode), bought: undefined }
  const by = { merchantId: EUR.merchantId, idPayment: `cycle-${randomUUID()}`, idOf: () => randomUUID() }
  await rig.db.transaction(async (tx) => {
    await bookEntries(tx, settledEntries(settled, by))
    await during()
  })
}

async function someoneWaitsForALock(rig: Rig): Promise<void> {
  await waitUntil(
    async () => {
      const waiting = await rig.sql(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    },
    { timeoutMs: 10_000, what: 'somebody to wait for a lock' },
  )
}

test('a payout that waits for money which is just arriving is accepted once it is there', async (t) => {
  const rig = await openRig(t)
  await earn(rig)
  let payout: Promise<{ kind: string }> | undefined
  await settle(rig, async () => {
    payout = rig.service.accept(newPayment({ ...PAYOUT, amount: '97' }))
    await someoneWaitsForALock(rig)
  })
  assert.equal((await payout)?.kind, 'ACCEPTED')
  assert.deepEqual(await findingsIn(rig.db), [])
})

test('of several payouts under one id, asked for at once, the first that the balance covers is accepted', async (t) => {
  const rig = await openRig(t)
  await earn(rig)
  await settle(rig)
  const kinds = await Promise.all(
    ['98', '99', '50', '40'].map(async (amount) => {
      const verdict = await rig.service.accept(newPayment({ ...PAYOUT, idPayment: 'one', amount }))
      return verdict.kind
    }),
  )
  assert.deepEqual(kinds, ['INSUFFICIENT', 'INSUFFICIENT', 'ACCEPTED', 'DUPLICATE'])
  assert.deepEqual(await findingsIn(rig.db), [])
})
