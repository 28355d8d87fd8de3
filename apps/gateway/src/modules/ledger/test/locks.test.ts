import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { waitUntil } from '@tollgate/testkit'
import { gate } from '../../../platform/test/gate.ts'
import { run } from '../../../platform/test/postgres.ts'
import type { LedgerEntry } from '../model.ts'
import { bookEntries } from '../service.ts'
import { entryOf, openRig, type Rig } from './rig.ts'

const recallOf = (payin: LedgerEntry): LedgerEntry => ({
  ...payin,
  transferId: randomIds.uuid(),
  event: 'PAYIN_REVERSED',
})

async function untilWaiting(rig: Rig, sessions: number): Promise<void> {
  await waitUntil(
    async () => {
      const [row] = await rig.sql(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.['n'] === sessions
    },
    { timeoutMs: 10_000, what: `${sessions} sessions that wait for a lock` },
  )
}

/** What became of each: booked, or the error. */
async function outcomesOf(bookings: readonly Promise<void>[]): Promise<readonly string[]> {
  const settled = await Promise.allSettled(bookings)
  return settled.map((each) => (each.status === 'rejected' ? String(each.reason) : 'booked'))
}

test('a batch that recalls and makes a new balance never waits in a circle with one for the same merchants', async (t) => {
  const rig = await openRig(t)
  const payin = entryOf({ merchantId: '1' })
  await rig.book(payin, entryOf({ merchantId: '4' }))
  const [held, release] = [gate(), gate()]
  // Somebody works on merchant 4, so that the first batch stops when it has made the balance of merchant 3.
  const other = rig.db.transaction(async (tx) => {
    await run(tx, 'update balances set updated_at = now() where merchant_id = 4')
    held.open()
    await release.promise
  })
  await held.promise
  const mixed = rig.book(recallOf(payin), entryOf({ merchantId: '3' }), entryOf({ merchantId: '4' }))
  await untilWaiting(rig, 1)
  const successes = rig.book(entryOf({ merchantId: '1' }), entryOf({ merchantId: '3' }))
  await untilWaiting(rig, 2)
  release.open()
  await other
  assert.deepEqual(await outcomesOf([mixed, successes]), ['booked', 'booked'])
})

test('batches at once over the same merchants, in any order and with recalls among them, are all booked', async (t) => {
  const rig = await openRig(t)
  const merchantIds = Array.from({ length: 12 }, (_, index) => String(index + 1))
  for (let round = 0; round < 6; round += 1) {
    const payins = merchantIds.map((merchantId) => entryOf({ merchantId }))
    await rig.book(...payins)
    const outcomes = await outcomesOf([
      rig.book(...merchantIds.map((merchantId) => entryOf({ merchantId }))),
      rig.book(...payins.toReversed().map(recallOf)),
      rig.book(...merchantIds.toReversed().map((merchantId) => entryOf({ merchantId, currencyCode: 'USD' }))),
      rig.book(...merchantIds.toReversed().map((merchantId) => entryOf({ merchantId }))),
    ])
    assert.deepEqual(new Set(outcomes), new Set(['booked']))
  }
})

test('two recalls at once that share one balance take from it one after the other', async (t) => {
  const rig = await openRig(t)
  const [one, two] = [entryOf({ gross: '60', fee: '0' }), entryOf({ gross: '40', fee: '0' })]
  await rig.book(one, two)
  await rig.sql('update balances set not_settled = 70')
  await Promise.all([
    rig.book(recallOf(one), recallOf(entryOf({ merchantId: '2' }))),
    rig.book(recallOf(two)),
  ])
  assert.deepEqual(await rig.sql('select not_settled, receivable from balances where merchant_id = 1'), [
    { not_settled: '0', receivable: '-30' },
  ])
})

test('an error of the caller after booking takes the booking back', async (t) => {
  const rig = await openRig(t)
  const failing = rig.db.transaction(async (tx) => {
    await bookEntries(tx, [entryOf()])
    throw new Error('the caller failed')
  })
  await assert.rejects(failing, /the caller failed/)
  for (const table of ['ledger_transfers', 'ledger_postings', 'balances'])
    assert.deepEqual(await rig.sql(`select 1 from ${table}`), [], table)
})

const IDS = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const
for (const { what, postings } of [
  { what: 'one posting', postings: `(1, '${IDS[0]}', 11, 'CLEARING', 'EUR', -10)` },
  {
    what: 'postings that are zero only across currencies',
    postings: `(1, '${IDS[0]}', 11, 'CLEARING', 'EUR', -10), (1, '${IDS[0]}', 12, 'FEES', 'USD', 10)`,
  },
  {
    what: 'postings to two transfers whose faults cancel out',
    postings: `(1, '${IDS[0]}', 11, 'CLEARING', 'EUR', -10), (1, '${IDS[1]}', 11, 'FEES', 'EUR', 10)`,
  },
]) {
  test(`the database refuses to add ${what} to what is booked`, async (t) => {
    const rig = await openRig(t)
    await rig.book(...IDS.map((transferId) => entryOf({ transferId })))
    await assert.rejects(rig.sql(`insert into ledger_postings values ${postings}`), /does not balance/)
    assert.deepEqual(await rig.sql('select count(*)::int as n from ledger_postings'), [{ n: 6 }])
  })
}
