import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Amount,
  addAmounts,
  compareAmounts,
  fromMinorUnits,
  isNegative,
  isZero,
  negateAmount,
  parsePlainAmount,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '@tollgate/money'
import fc from 'fast-check'
import {
  assertBalanced,
  type Balance,
  balanceDeltas,
  inLockOrder,
  type LedgerAccount,
  type LedgerEntry,
  type Posting,
  payinReversedPostings,
  payinSuccessPostings,
  planTransfers,
  type Transfer,
  takesFromBalance,
  totalBalance,
} from '../model.ts'

/** Decimals that currencies have: yen, cents, dinars, satoshis, wei. */
const DECIMALS = [0, 2, 3, 8, 18] as const
const UNITS_MAX = 10n ** 24n

const units = fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: UNITS_MAX }))
const decimals = fc.constantFrom(...DECIMALS)

/** A gross of at least one unit and a fee between nothing and all of it, in one currency. */
const grossAndFee = fc.tuple(units, units, decimals).map(([a, b, scale]) => {
  const [fee, gross] = a < b ? [a, b] : [b, a]
  return { gross: fromMinorUnits(gross === 0n ? 1n : gross, scale), fee: fromMinorUnits(fee, scale) }
})

const holdings = fc.tuple(units, units, units, decimals).map(([gross, notSettled, available, scale]) => ({
  gross: fromMinorUnits(gross + 1n, scale),
  has: { notSettled: fromMinorUnits(notSettled, scale), available: fromMinorUnits(available, scale) },
}))

/** The sum of the postings on the account, or on all of them. */
function sumOf(postings: readonly Posting[], account?: LedgerAccount): Amount {
  return sumAmounts(
    postings
      .filter((posting) => account === undefined || posting.account === account)
      .map(({ amount }) => amount),
  )
}

/** Every account at most once, and none with nothing. */
function assertTidy(postings: readonly Posting[]): void {
  const accounts = postings.map(({ account }) => account)
  assert.equal(new Set(accounts).size, accounts.length)
  for (const { amount } of postings) assert(!isZero(amount))
}

test('a success sums to zero; fee and net together are the gross, to the last unit of every currency', () => {
  fc.assert(
    fc.property(grossAndFee, ({ gross, fee }) => {
      const postings = payinSuccessPostings(gross, fee)
      assertTidy(postings)
      assert.equal(sumOf(postings), ZERO)
      assert.equal(sumOf(postings, 'CLEARING'), negateAmount(gross))
      assert.equal(sumOf(postings, 'FEES'), fee)
      assert.equal(addAmounts(sumOf(postings, 'NOT_SETTLED'), fee), gross)
      assert(!isNegative(sumOf(postings, 'NOT_SETTLED')))
    }),
  )
})

test('a payin without a fee has no posting of a fee, and one that the fee uses up none of the merchant', () => {
  const ten = parsePlainAmount('10')
  assert.deepEqual(payinSuccessPostings(ten, ZERO), [
    { account: 'CLEARING', amount: '-10' },
    { account: 'NOT_SETTLED', amount: '10' },
  ])
  assert.deepEqual(payinSuccessPostings(ten, ten), [
    { account: 'CLEARING', amount: '-10' },
    { account: 'FEES', amount: '10' },
  ])
})

test('a reversal takes the gross from what is not settled, then from what is available, and the rest is owed', () => {
  fc.assert(
    fc.property(holdings, ({ gross, has }) => {
      const postings = payinReversedPostings(gross, has)
      assertTidy(postings)
      assert.equal(sumOf(postings), ZERO)
      assert.equal(sumOf(postings, 'CLEARING'), gross)
      assert.equal(sumOf(postings, 'FEES'), ZERO)
      const notSettled = addAmounts(has.notSettled, sumOf(postings, 'NOT_SETTLED'))
      const available = addAmounts(has.available, sumOf(postings, 'AVAILABLE'))
      const owed = sumOf(postings, 'RECEIVABLE')
      assert(!isNegative(notSettled) && !isNegative(available))
      // The next pocket is opened only when the one before is empty.
      if (available !== has.available) assert.equal(notSettled, ZERO)
      if (!isZero(owed)) assert.deepEqual([notSettled, available], [ZERO, ZERO])
      const covered = addAmounts(has.notSettled, has.available)
      const missing = compareAmounts(gross, covered) > 0 ? subtractAmounts(covered, gross) : ZERO
      assert.equal(owed, missing)
    }),
  )
})

const REVERSALS: readonly (readonly [
  string,
  string,
  string,
  readonly (readonly [LedgerAccount, string])[],
])[] = [
  [
    '10',
    '10',
    '0',
    [
      ['CLEARING', '10'],
      ['NOT_SETTLED', '-10'],
    ],
  ],
  [
    '10',
    '9.7',
    '0.3',
    [
      ['CLEARING', '10'],
      ['NOT_SETTLED', '-9.7'],
      ['AVAILABLE', '-0.3'],
    ],
  ],
  [
    '10',
    '0',
    '10.01',
    [
      ['CLEARING', '10'],
      ['AVAILABLE', '-10'],
    ],
  ],
  [
    '10',
    '9.7',
    '0.2',
    [
      ['CLEARING', '10'],
      ['NOT_SETTLED', '-9.7'],
      ['AVAILABLE', '-0.2'],
      ['RECEIVABLE', '-0.1'],
    ],
  ],
  [
    '10',
    '0',
    '0',
    [
      ['CLEARING', '10'],
      ['RECEIVABLE', '-10'],
    ],
  ],
]
for (const [gross, notSettled, available, expected] of REVERSALS) {
  test(`a reversal of ${gross} from ${notSettled} not settled and ${available} available`, () => {
    const has = { notSettled: parsePlainAmount(notSettled), available: parsePlainAmount(available) }
    assert.deepEqual(
      payinReversedPostings(parsePlainAmount(gross), has).map(({ account, amount }) => [account, amount]),
      expected,
    )
  })
}

const MERCHANT_IDS = ['1', '2', '10'] as const
const CURRENCY_CODES = ['EUR', 'ETH'] as const

const entry = fc
  .record({
    merchantId: fc.constantFrom(...MERCHANT_IDS),
    currencyCode: fc.constantFrom(...CURRENCY_CODES),
    event: fc.constantFrom('PAYIN_SUCCESS', 'PAYIN_REVERSED'),
    amounts: grossAndFee,
    transferId: fc.uuid(),
  })
  .map(
    ({ amounts, ...rest }): LedgerEntry => ({
      ...rest,
      ...amounts,
      kind: 'PAYIN',
      idPayment: rest.transferId,
    }),
  )

const balance = fc.tuple(units, units, units, units, decimals).map(([a, b, c, d, scale]) => ({
  available: fromMinorUnits(a, scale),
  notSettled: fromMinorUnits(b, scale),
  reserved: fromMinorUnits(c, scale),
  receivable: fromMinorUnits(-d, scale),
  updatedAt: new Date(0),
}))

/** A balance for each key, as if all had been locked. */
const balances = fc
  .array(balance, { minLength: 6, maxLength: 6 })
  .map((some): readonly Balance[] =>
    MERCHANT_IDS.flatMap((merchantId) =>
      CURRENCY_CODES.map((currencyCode) => ({ merchantId, currencyCode })),
    ).flatMap((key, index) => some.slice(index, index + 1).map((each) => ({ ...key, ...each }))),
  )

const SAMPLE: LedgerEntry = {
  transferId: '00000000-0000-4000-8000-000000000001',
  merchantId: '1',
  event: 'PAYIN_SUCCESS',
  kind: 'PAYIN',
  idPayment: 'order-1',
  currencyCode: 'EUR',
  gross: parsePlainAmount('100'),
  fee: parsePlainAmount('3'),
}

test('planned transfers balance, and no order of events makes a balance negative or an owed sum a credit', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), balances, (entries, before) => {
      const transfers = planTransfers(entries, before)
      assert.deepEqual(
        transfers.map(({ transferId }) => transferId),
        entries.map(({ transferId }) => transferId),
      )
      for (const transfer of transfers) assertBalanced(transfer)
      for (const has of before) {
        const own = transfers.filter(
          (each) => each.merchantId === has.merchantId && each.currencyCode === has.currencyCode,
        )
        const postings = own.flatMap((each) => each.postings)
        assert(!isNegative(addAmounts(has.notSettled, sumOf(postings, 'NOT_SETTLED'))))
        assert(!isNegative(addAmounts(has.available, sumOf(postings, 'AVAILABLE'))))
        assert(compareAmounts(sumOf(postings, 'RECEIVABLE'), ZERO) <= 0)
        assert.equal(sumOf(postings, 'RESERVED'), ZERO)
      }
    }),
  )
})

test('in one batch a reversal finds what the success before it brought, and one before the success does not', () => {
  const reversed: LedgerEntry = { ...SAMPLE, event: 'PAYIN_REVERSED' }
  const accountsOf = (transfer: Transfer | undefined) =>
    transfer?.postings.map(({ account, amount }) => [account, amount])
  assert.deepEqual(accountsOf(planTransfers([SAMPLE, reversed], [])[1]), [
    ['CLEARING', '100'],
    ['NOT_SETTLED', '-97'],
    ['RECEIVABLE', '-3'],
  ])
  assert.deepEqual(accountsOf(planTransfers([reversed, SAMPLE], [])[0]), [
    ['CLEARING', '100'],
    ['RECEIVABLE', '-100'],
  ])
})

test('another merchant’s money and another currency never pay for a reversal', () => {
  const reversed: LedgerEntry = { ...SAMPLE, event: 'PAYIN_REVERSED' }
  const others = [
    { ...SAMPLE, merchantId: '11' },
    { ...SAMPLE, currencyCode: 'USD' },
  ]
  const last = planTransfers([...others, reversed], []).at(-1)
  assert.deepEqual(
    last?.postings.map(({ account }) => account),
    ['CLEARING', 'RECEIVABLE'],
  )
})

test('deltas are what adding up the postings by hand gives, each balance once, in the order of locking', () => {
  const member = {
    available: 'AVAILABLE',
    notSettled: 'NOT_SETTLED',
    reserved: 'RESERVED',
    receivable: 'RECEIVABLE',
  } as const
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), balances, (entries, before) => {
      const transfers = planTransfers(entries, before)
      const deltas = balanceDeltas(transfers)
      assert.deepEqual(deltas, inLockOrder(deltas))
      assert.equal(
        deltas.length,
        new Set(entries.map((each) => `${each.merchantId} ${each.currencyCode}`)).size,
      )
      for (const { merchantId, currencyCode, ...delta } of deltas) {
        const postings = transfers
          .filter((each) => each.merchantId === merchantId && each.currencyCode === currencyCode)
          .flatMap((each) => each.postings)
        assert.deepEqual(delta, {
          available: sumOf(postings, member.available),
          notSettled: sumOf(postings, member.notSettled),
          reserved: sumOf(postings, member.reserved),
          receivable: sumOf(postings, member.receivable),
        })
      }
    }),
  )
})

test('the order of locking does not depend on the order of asking, and names each balance once', () => {
  const key = fc.record({
    merchantId: fc.bigInt({ min: 1n, max: 120n }).map(String),
    currencyCode: fc.constantFrom('EUR', 'ETH', 'USD', 'USDT'),
  })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 30 }), (keys) => {
      const ordered = inLockOrder(keys)
      assert.deepEqual(inLockOrder(keys.toReversed()), ordered)
      assert.deepEqual(
        new Set(ordered.map((each) => JSON.stringify(each))),
        new Set(keys.map((each) => JSON.stringify(each))),
      )
      assert.equal(new Set(ordered.map((each) => JSON.stringify(each))).size, ordered.length)
    }),
  )
})

test('the balance is what is available, not settled and reserved; what is owed is not part of it', () => {
  fc.assert(
    fc.property(balance, (some) => {
      const total = totalBalance({ merchantId: '1', currencyCode: 'EUR', ...some })
      assert.equal(total, addAmounts(addAmounts(some.available, some.notSettled), some.reserved))
    }),
  )
})

test('a transfer that does not balance is refused by name', () => {
  const [transfer] = planTransfers([SAMPLE], [])
  assert(transfer !== undefined)
  const short = { ...transfer, postings: transfer.postings.slice(0, 2) }
  assert.throws(() => assertBalanced(short), /000000000001 does not balance: -3 EUR/)
})

test('only a reversal takes from a balance', () => {
  assert.deepEqual([takesFromBalance('PAYIN_SUCCESS'), takesFromBalance('PAYIN_REVERSED')], [false, true])
})
