import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import fc from 'fast-check'
import { createChainer } from '../../../platform/chain/index.ts'
import { JOURNAL } from '../chained.ts'
import { replayBalances } from '../replay.ts'
import { entryOf, type JournalRig, openJournalRig } from './rig.ts'

const BALANCES = `select merchant_id::text as "merchantId", currency_code as "currencyCode", trim_scale(available)::text as available,
    trim_scale(not_settled)::text as "notSettled", trim_scale(reserved)::text as reserved, trim_scale(receivable)::text as receivable
  from balances order by merchant_id, currency_code`

/** A transfer between a merchant's account and clearing, past every check; gives its id. */
async function force(rig: JournalRig, account: string, amount: number): Promise<string> {
  const id = randomIds.uuid()
  await rig.outside.query(
    `insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment) values (1, '${id}', 'FORCED', 'PAYIN', '${id}');
    insert into ledger_postings values (1, '${id}', 1, '${account}', 'EUR', ${amount}), (1, '${id}', 2, 'CLEARING', 'EUR', ${-amount})`,
  )
  return id
}

test('a replay of the journal reproduces every balance', async (t) => {
  const rig = await openJournalRig(t)
  const chainer = createChainer(rig.db, JOURNAL, 50)
  const step = fc.record({
    merchantId: fc.constantFrom('1', '2', '10'),
    currencyCode: fc.constantFrom('EUR', 'ETH'),
    units: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    isRecalled: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      await Promise.all(
        steps.map(async ({ merchantId, currencyCode, units, isRecalled }) => {
          const payin = entryOf({ merchantId, currencyCode, gross: String(units), fee: String(units / 10n) })
          await rig.book(payin)
          if (isRecalled) await rig.book({ ...payin, transferId: randomIds.uuid(), event: 'PAYIN_REVERSED' })
        }),
      )
      await rig.chainAll(chainer)
      const { rows } = await rig.outside.query(BALANCES)
      assert.deepEqual(await replayBalances(rig.db), rows)
      assert.deepEqual(await rig.findings(), [])
    }),
    { numRuns: 20 },
  )
})

test('an account that was below zero at some point of the journal is told, with the first entry', async (t) => {
  const rig = await openJournalRig(t)
  await rig.book(entryOf())
  await force(rig, 'NOT_SETTLED', -500)
  await force(rig, 'NOT_SETTLED', -1)
  await force(rig, 'RECEIVABLE', 5)
  await rig.chainAll()
  // What comes in long after cannot have been there before.
  await rig.outside.query(`update ledger_journal set chained_at = chained_at - interval '1 hour'`)
  await force(rig, 'NOT_SETTLED', 2_000)
  await rig.chainAll()
  assert.deepEqual((await rig.findings()).toSorted(), [
    'journal_keeps_balances_above_zero: merchant 1: NOT_SETTLED was -403 EUR at entry 2',
    'journal_keeps_balances_above_zero: merchant 1: RECEIVABLE was 5 EUR at entry 4',
  ])
})

test('money that was spent by a transaction that began before the one that brought it is no fault', async (t) => {
  const rig = await openJournalRig(t)
  await rig.outside.query('begin; select pg_current_xact_id()')
  const payin = entryOf()
  await rig.book(payin)
  const spent = await force(rig, 'NOT_SETTLED', -97)
  await rig.outside.query('commit')
  await rig.chainAll()
  assert.deepEqual(
    (await rig.journal()).map((entry) => entry.transferId),
    [spent, payin.transferId],
    'the journal has them in the order in which they began',
  )
  assert.deepEqual(await rig.findings(), [])
})
