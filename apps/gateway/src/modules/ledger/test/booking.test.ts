import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import fc from 'fast-check'
import { bookEntries } from '../service.ts'
import {
  BALANCES_AS_STORED,
  BALANCES_FROM_POSTINGS,
  type Books,
  openBooks,
  payin,
  reversal,
} from './books.ts'

test('a success puts the net on the merchant’s unsettled balance, made on the way', async (t) => {
  const books = await openBooks(t)
  await books.book(
    payin({ gross: '100', fee: '3' }),
    payin({ gross: '0.000000000000000001', currencyCode: 'ETH' }),
  )
  assert.deepEqual(await books.sql(BALANCES_AS_STORED), [
    {
      merchant_id: '1',
      currency_code: 'ETH',
      available: '0',
      not_settled: '0.000000000000000001',
      reserved: '0',
      receivable: '0',
    },
    {
      merchant_id: '1',
      currency_code: 'EUR',
      available: '0',
      not_settled: '97',
      reserved: '0',
      receivable: '0',
    },
  ])
})

test('a reversal that the balance cannot cover leaves the merchant owing the rest, also when it comes alone', async (t) => {
  const books = await openBooks(t)
  const paid = payin({ gross: '100', fee: '3' })
  await books.book(paid)
  await books.book(reversal(paid))
  await books.book(reversal(payin({ merchantId: '2', gross: '5' })))
  assert.deepEqual(await books.sql(BALANCES_AS_STORED), [
    {
      merchant_id: '1',
      currency_code: 'EUR',
      available: '0',
      not_settled: '0',
      reserved: '0',
      receivable: '-3',
    },
    {
      merchant_id: '2',
      currency_code: 'EUR',
      available: '0',
      not_settled: '0',
      reserved: '0',
      receivable: '-5',
    },
  ])
})

test('nothing to book is no work', async (t) => {
  const books = await openBooks(t)
  await books.book()
  assert.deepEqual(await books.sql('select 1 from ledger_transfers'), [])
})

for (const { what, postings } of [
  {
    what: 'whose postings do not sum to zero',
    postings: `(1, $1, 1, 'CLEARING', 'EUR', -10), (1, $1, 2, 'FEES', 'EUR', 9.99)`,
  },
  { what: 'with one posting', postings: `(1, $1, 1, 'CLEARING', 'EUR', -10)` },
  {
    what: 'that is zero only across currencies',
    postings: `(1, $1, 1, 'CLEARING', 'EUR', -10), (1, $1, 2, 'FEES', 'USD', 10)`,
  },
  {
    what: 'whose faults cancel out with those of another',
    postings: `(1, $1, 1, 'CLEARING', 'EUR', -10), (1, $2, 1, 'FEES', 'EUR', 10)`,
  },
]) {
  test(`the database refuses a transfer ${what}`, async (t) => {
    const books = await openBooks(t)
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    for (const id of ids) {
      await books.sql(`insert into ledger_transfers values (1, $1, 'PAYIN_SUCCESS', 'PAYIN', $2)`, [
        id,
        `order-${id}`,
      ])
    }
    const named = postings.replaceAll('$1', `'${ids[0]}'`).replaceAll('$2', `'${ids[1]}'`)
    await assert.rejects(books.sql(`insert into ledger_postings values ${named}`), /does not balance/)
    assert.deepEqual(await books.sql('select 1 from ledger_postings'), [])
  })
}

test('postings added to a transfer later are refused unless the whole still balances', async (t) => {
  const books = await openBooks(t)
  await books.book(payin({ transferId: '00000000-0000-4000-8000-000000000001' }))
  await assert.rejects(
    books.sql(`insert into ledger_postings select 1, transfer_id, 9, 'FEES', 'EUR', 1 from ledger_transfers`),
    /does not balance/,
  )
})

test('a posting of nothing and a posting on an unknown account are refused', async (t) => {
  const books = await openBooks(t)
  await books.book(payin())
  for (const values of [`'FEES', 'EUR', 0`, `'POCKET', 'EUR', 1`]) {
    await assert.rejects(
      books.sql(`insert into ledger_postings select 1, transfer_id, 9, ${values} from ledger_transfers`),
      { code: '23514' },
    )
  }
})

for (const { event, twice } of [
  { event: 'success', twice: payin({ idPayment: 'twice' }) },
  { event: 'reversal', twice: reversal(payin({ idPayment: 'twice' })) },
]) {
  test(`a second booking of the same ${event} is refused and takes everything of its batch back`, async (t) => {
    const books = await openBooks(t)
    await books.book(payin({ gross: '50' }), twice)
    const before = await books.snapshot()
    const again = { ...twice, transferId: payin().transferId, gross: parsePlainAmount('7') }
    await assert.rejects(books.book(payin(), again), { code: '23505' })
    await assert.rejects(books.book(again), { code: '23505' })
    assert.deepEqual(await books.snapshot(), before)
  })
}

test('the same payment id of another merchant or another kind is another payment', async (t) => {
  const books = await openBooks(t)
  await books.book(payin({ idPayment: 'shared' }), payin({ idPayment: 'shared', merchantId: '2' }))
  await books.book(payin({ idPayment: 'shared', kind: 'TOPUP' }))
  assert.deepEqual(await books.sql('select count(*)::int as n from ledger_transfers'), [{ n: 3 }])
})

for (const statement of [
  'update ledger_postings set amount = amount * 2',
  'delete from ledger_postings',
  'truncate ledger_postings',
  `update ledger_transfers set id_payment = 'other'`,
  'delete from ledger_transfers',
  'truncate ledger_transfers cascade',
]) {
  test(`the ledger is append-only: "${statement}" is refused`, async (t) => {
    const books = await openBooks(t)
    await books.book(payin())
    const before = await books.snapshot()
    await assert.rejects(books.sql(statement), /append-only/)
    assert.deepEqual(await books.snapshot(), before)
  })
}

/** What a random sequence does: a payin, or the reversal of the oldest one that was not reversed yet. */
const step = fc.record({
  merchantId: fc.constantFrom('1', '2', '10'),
  currency: fc.constantFrom(
    { currencyCode: 'JPY', unit: '' },
    { currencyCode: 'EUR', unit: '.01' },
    { currencyCode: 'KWD', unit: '.001' },
    { currencyCode: 'BTC', unit: '.00000001' },
    { currencyCode: 'ETH', unit: '.000000000000000001' },
  ),
  whole: fc.integer({ min: 1, max: 1_000_000 }),
  isReversal: fc.boolean(),
})

/** Batches of entries, in which every payin is reversed at most once. */
function batchesOf(
  batches: readonly (readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[])[],
) {
  const open: ReturnType<typeof payin>[] = []
  return batches.map((steps) =>
    steps.map(({ merchantId, currency: { currencyCode, unit }, whole, isReversal }) => {
      const oldest = isReversal ? open.shift() : undefined
      if (oldest !== undefined) return reversal(oldest)
      const paid = payin({ merchantId, currencyCode, gross: `${whole}${unit}`, fee: `0${unit}` })
      open.push(paid)
      return paid
    }),
  )
}

test('after any sequence of batches every balance is the sum of its postings, and none is negative', async (t) => {
  const books = await openBooks(t)
  const batches = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(batches, async (drawn) => {
      for (const entries of batchesOf(drawn)) await books.book(...entries)
      assert.deepEqual(await books.sql(BALANCES_AS_STORED), await books.sql(BALANCES_FROM_POSTINGS))
      assert.deepEqual(
        await books.sql(
          'select 1 from ledger_postings group by merchant_id, transfer_id, currency_code having sum(amount) <> 0',
        ),
        [],
      )
    }),
    { numRuns: 25 },
  )
})

const MERCHANTS = Array.from({ length: 12 }, (_, index) => String(index + 1))

test('batches over the same merchants, in any order and with reversals among them, never wait in a circle', async (t) => {
  const books = await openBooks(t)
  for (let round = 0; round < 8; round += 1) {
    const paid = MERCHANTS.map((merchantId) => payin({ merchantId }))
    await books.book(...paid)
    await Promise.all([
      books.book(...MERCHANTS.map((merchantId) => payin({ merchantId }))),
      books.book(...paid.toReversed().map(reversal)),
      books.book(...MERCHANTS.toReversed().map((merchantId) => payin({ merchantId, currencyCode: 'USD' }))),
      books.book(...MERCHANTS.toReversed().map((merchantId) => payin({ merchantId }))),
    ])
  }
  assert.deepEqual(await books.sql(BALANCES_AS_STORED), await books.sql(BALANCES_FROM_POSTINGS))
})

async function untilWaiting(books: Books, sessions: number): Promise<void> {
  await waitUntil(
    async () => {
      const [row] = await books.sql(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return row?.['n'] === sessions
    },
    { timeoutMs: 10_000, what: `${sessions} sessions that wait for a lock` },
  )
}

test('a batch that reverses and makes a new balance does not wait in a circle with one that has the first already', async (t) => {
  const books = await openBooks(t)
  const paid = payin({ merchantId: '1' })
  await books.book(paid, payin({ merchantId: '2' }))
  // Somebody holds merchant 2, so that the successes stop after merchant 1 and before merchant 3, who has no balance yet.
  const held = await books.hold(`select 1 from balances where merchant_id = 2 for update`)
  const successes = books.book(...['1', '2', '3'].map((merchantId) => payin({ merchantId })))
  await untilWaiting(books, 1)
  const mixed = books.book(reversal(paid), payin({ merchantId: '3' }))
  await untilWaiting(books, 2)
  await held.release()
  const settled = await Promise.allSettled([successes, mixed])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  )
  assert.deepEqual(await books.sql(BALANCES_AS_STORED), await books.sql(BALANCES_FROM_POSTINGS))
})

test('two reversals at once that share one balance take from it one after the other', async (t) => {
  const books = await openBooks(t)
  const [one, two] = [payin({ gross: '60' }), payin({ gross: '40' })]
  await books.book(one, two)
  await books.sql(`update balances set not_settled = 70, available = 0`)
  await Promise.all([books.book(reversal(one)), books.book(reversal(two))])
  assert.deepEqual(await books.sql('select not_settled, available, receivable from balances'), [
    { not_settled: '0', available: '0', receivable: '-30' },
  ])
})

test('an error of the caller after booking takes the booking back', async (t) => {
  const books = await openBooks(t)
  const before = await books.snapshot()
  const failing = books.db.transaction(async (tx) => {
    await bookEntries(tx, [payin()])
    throw new Error('the caller failed')
  })
  await assert.rejects(failing, /the caller failed/)
  assert.deepEqual(await books.snapshot(), before)
})
