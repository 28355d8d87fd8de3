import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBalanceService } from '../service.ts'
import { entryOf, openRig, type Rig } from './rig.ts'

const balances = (rig: Rig) =>
  rig.sql(`select merchant_id::text as merchant, currency_code as currency, available::text, not_settled::text, receivable::text
    from balances order by merchant_id, currency_code`)

/** Balances that the postings do not explain. */
const DIFFERENCES = `select b.merchant_id, b.currency_code from balances b full join (
    select merchant_id, currency_code, sum(amount) filter (where account = 'AVAILABLE') as available,
      sum(amount) filter (where account = 'NOT_SETTLED') as not_settled, sum(amount) filter (where account = 'RECEIVABLE') as receivable
    from ledger_postings group by 1, 2) s using (merchant_id, currency_code)
  where (b.available, b.not_settled, b.receivable) is distinct from
    (coalesce(s.available, 0), coalesce(s.not_settled, 0), coalesce(s.receivable, 0))`

test('a success and its recall: the fee stays earned and what is missing is owed', async (t) => {
  const rig = await openRig(t)
  const payin = entryOf()
  await rig.book(payin)
  assert.deepEqual(await balances(rig), [
    { merchant: '1', currency: 'EUR', available: '0', not_settled: '97', receivable: '0' },
  ])
  await rig.book(entryOf({ ...payin, transferId: entryOf().transferId, event: 'PAYIN_REVERSED' }))
  assert.deepEqual(await balances(rig), [
    { merchant: '1', currency: 'EUR', available: '0', not_settled: '0', receivable: '-3' },
  ])
})

test('a recall takes settled money when the unsettled is not enough', async (t) => {
  const rig = await openRig(t)
  await rig.book(entryOf({ gross: '30', fee: '0' }))
  await rig.sql(`update balances set available = 50`)
  await rig.book(entryOf({ event: 'PAYIN_REVERSED' }))
  assert.deepEqual(await balances(rig), [
    { merchant: '1', currency: 'EUR', available: '0', not_settled: '0', receivable: '-20' },
  ])
})

test('a recall of a merchant without any balance is owed whole', async (t) => {
  const rig = await openRig(t)
  await rig.book(entryOf({ event: 'PAYIN_REVERSED', merchantId: '7' }))
  assert.deepEqual(await balances(rig), [
    { merchant: '7', currency: 'EUR', available: '0', not_settled: '0', receivable: '-100' },
  ])
})

test('money of 18, 3 and 0 decimals is kept to the unit', async (t) => {
  const rig = await openRig(t)
  await rig.book(
    entryOf({ currencyCode: 'ETH', gross: '1.000000000000000001', fee: '0.000000000000000002' }),
    entryOf({ currencyCode: 'ETH', gross: '2', fee: '0' }),
    entryOf({ currencyCode: 'KWD', gross: '10.005', fee: '0.1' }),
    entryOf({ currencyCode: 'JPY', gross: '500', fee: '5' }),
  )
  const found = await createBalanceService(rig).list('1', undefined)
  assert.deepEqual(
    found.map(({ currencyCode, notSettled }) => `${notSettled} ${currencyCode}`),
    ['2.999999999999999999 ETH', '495 JPY', '9.905 KWD'],
  )
})

test('the same event of the same payment is booked once; the rest of that batch is not booked either', async (t) => {
  const rig = await openRig(t)
  const payin = entryOf()
  await rig.book(payin)
  await assert.rejects(rig.book(entryOf(), { ...payin, transferId: entryOf().transferId }), { code: '23505' })
  assert.deepEqual(await rig.sql('select count(*)::int as n from ledger_transfers'), [{ n: 1 }])
  assert.deepEqual(await rig.sql(DIFFERENCES), [])
})

test('the database itself refuses what does not balance, a change of the past, and a negative balance', async (t) => {
  const rig = await openRig(t)
  const payin = entryOf()
  await rig.book(payin)
  const second = entryOf()
  await assert.rejects(
    rig.sql(
      `with t as (insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment) values (1, '${second.transferId}', 'X', 'PAYIN', 'x'))
      insert into ledger_postings values (1, '${second.transferId}', 1, 'CLEARING', 'EUR', -5), (1, '${second.transferId}', 2, 'FEES', 'EUR', 4)`,
    ),
    /does not balance: -1 EUR/,
  )
  const half = `insert into ledger_postings values (1, '${payin.transferId}', 9, 'FEES', 'EUR', 1)`
  await assert.rejects(rig.sql(half), /does not balance: 1 EUR/, 'nothing is added to a transfer later')
  for (const change of [
    'update ledger_postings set amount = amount * 2',
    'delete from ledger_postings',
    'truncate ledger_transfers cascade',
    `update ledger_transfers set event = 'X'`,
  ])
    await assert.rejects(rig.sql(change), /append-only/, change)
  await assert.rejects(rig.sql('update balances set not_settled = -1'), /check constraint/)
})

test('balances are listed whole or by currency; unknown ones are left out, others’ are never seen', async (t) => {
  const rig = await openRig(t)
  await rig.book(
    entryOf(),
    entryOf({ currencyCode: 'USD' }),
    entryOf({ currencyCode: 'GBP', merchantId: '2' }),
  )
  const codes = async (asked?: readonly string[]) =>
    (await createBalanceService(rig).list('1', asked)).map((balance) => balance.currencyCode)
  assert.deepEqual(await codes(), ['EUR', 'USD'])
  assert.deepEqual(await codes(['USD', 'XXX', 'GBP', '']), ['USD'])
  assert.deepEqual(await codes([]), [])
})

test('after any sequence of bookings, in batches and at once, the balances are the sums of the postings', async (t) => {
  const rig = await openRig(t)
  const step = fc.record({
    merchantId: fc.constantFrom('1', '2', '3'),
    currencyCode: fc.constantFrom('EUR', 'ETH'),
    units: fc.bigInt({ min: 1n, max: 10n ** 20n }),
    isRecalled: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 }),
      async (batches) => {
        await Promise.all(
          batches.map(async (batch) => {
            const payins = batch.map(({ merchantId, currencyCode, units }) =>
              entryOf({ merchantId, currencyCode, gross: String(units), fee: String(units / 10n) }),
            )
            const recalls = payins
              .filter((_, index) => batch[index]?.isRecalled)
              .map((payin) => ({
                ...payin,
                transferId: entryOf().transferId,
                event: 'PAYIN_REVERSED' as const,
              }))
            await rig.book(...payins)
            if (recalls.length > 0) await rig.book(...recalls.toReversed())
          }),
        )
        assert.deepEqual(await rig.db.rows({ name: 'differences', text: DIFFERENCES }, []), [])
      },
    ),
    { numRuns: 200 },
  )
  assert.deepEqual(
    await rig.sql(
      'select 1 from ledger_postings group by transfer_id, currency_code having sum(amount) <> 0',
    ),
    [],
  )
})
