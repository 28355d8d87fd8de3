import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Amount,
  addAmounts,
  fromMinorUnits,
  isNegative,
  isPositive,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '@tollgate/money'
import fc from 'fast-check'
import {
  assertBalanced,
  type Balance,
  balanceDeltas,
  HOUSE_MERCHANT_ID,
  inLockOrder,
  LEDGER_ACCOUNTS,
  LEDGER_EVENTS,
  type LedgerEntry,
  type LedgerEvent,
  planTransfers,
  postingsOf,
  takesFromBalance,
  totalBalance,
} from '../model.ts'

const RUNS = 3_000
const DECIMALS = { EUR: 2, ETH: 18, KWD: 3, JPY: 0 } as const
const CURRENCIES = ['EUR', 'ETH', 'KWD', 'JPY'] as const

const currency = fc.constantFrom(...CURRENCIES)
/** Money of a currency down to its smallest unit, and a fee of at most as much. */
const paymentOf = (code: (typeof CURRENCIES)[number]) =>
  fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.bigInt({ min: 0n, max: 10n ** 24n }))
    .map(([gross, fee]) => ({
      currencyCode: code,
      gross: fromMinorUnits(gross, DECIMALS[code]),
      fee: fromMinorUnits(fee % (gross + 1n), DECIMALS[code]),
    }))
const payment = currency.chain(paymentOf)
const amount = fc.bigInt({ min: 0n, max: 10n ** 20n }).map((units) => fromMinorUnits(units, 2))

const NOTHING = { available: ZERO, notSettled: ZERO, receivable: ZERO }

const sumOf = (postings: readonly { readonly amount: Amount }[]): Amount =>
  sumAmounts(postings.map((posting) => posting.amount))

/** Of 100 with a fee of 3, for a merchant that has 60 not settled and 30 available, and owes 20. */
const WRITTEN_OUT: Readonly<Record<LedgerEvent, readonly string[]>> = {
  PAYIN_SUCCESS: ['CLEARING -100', 'NOT_SETTLED 97', 'FEES 3'],
  PAYIN_REVERSED: ['CLEARING 100', 'NOT_SETTLED -60', 'AVAILABLE -30', 'RECEIVABLE -10'],
  PAYOUT_HELD: ['AVAILABLE -103', 'RESERVED 103'],
  PAYOUT_SUCCESS: ['RESERVED -103', 'CLEARING 100', 'FEES 3'],
  PAYOUT_SUCCESS_LATE: ['AVAILABLE -30', 'NOT_SETTLED -60', 'RECEIVABLE -13', 'CLEARING 100', 'FEES 3'],
  PAYOUT_RELEASED: ['RESERVED -103', 'AVAILABLE 103'],
  PAYOUT_REVERSED: ['CLEARING -100', 'AVAILABLE 100'],
  TOPUP_SUCCESS: ['CLEARING -100', 'AVAILABLE 97', 'FEES 3'],
  TOPUP_REVERSED: ['CLEARING 100', 'AVAILABLE -30', 'NOT_SETTLED -60', 'RECEIVABLE -10'],
  SETTLED: ['NOT_SETTLED -100', 'RECEIVABLE 20', 'AVAILABLE 80'],
  SETTLED_SOLD: ['NOT_SETTLED -100', 'EXCHANGE 100'],
  SETTLED_BOUGHT: ['EXCHANGE -100', 'RECEIVABLE 20', 'AVAILABLE 80'],
  SUSPENSE_RECEIVED: ['CLEARING -100', 'SUSPENSE 100'],
  SUSPENSE_APPLIED: ['SUSPENSE -100', 'CLEARING 100'],
  SUSPENSE_COVERED: ['FEES -100', 'CLEARING 100'],
  SUSPENSE_RETURNED: ['SUSPENSE -100', 'CLEARING 100'],
  NETWORK_FEE: ['FEES -100', 'CLEARING 100'],
}

test('the postings of each event, written out', () => {
  const has = { notSettled: amountOf('60'), available: amountOf('30'), receivable: amountOf('-20') }
  const money = { gross: amountOf('100'), fee: amountOf('3') }
  const written = LEDGER_EVENTS.map((event) => [
    event,
    postingsOf(event, money, has).map((posting) => `${posting.account} ${posting.amount}`),
  ])
  assert.deepEqual(Object.fromEntries(written), WRITTEN_OUT)
  const used = Object.values(WRITTEN_OUT).flatMap((postings) => postings.map((each) => each.split(' ')[0]))
  assert.deepEqual(LEDGER_ACCOUNTS.toSorted(), [...new Set(used)].sort())
})

test('what only adds needs no lock, and neither suspense nor a network’s fee is a merchant’s', () => {
  const without = ['PAYIN_SUCCESS', 'PAYOUT_REVERSED', 'TOPUP_SUCCESS', 'SUSPENSE_RECEIVED']
  assert.deepEqual(
    LEDGER_EVENTS.filter((event) => !takesFromBalance(event)),
    [...without, 'SUSPENSE_APPLIED', 'SUSPENSE_COVERED', 'SUSPENSE_RETURNED', 'NETWORK_FEE'],
  )
})

test('each transfer finds the balance as the one before left it, and only balances of merchants are moved', () => {
  const locked: Balance = {
    merchantId: '7',
    currencyCode: 'EUR',
    available: amountOf('10'),
    notSettled: ZERO,
    reserved: ZERO,
    receivable: ZERO,
    updatedAt: new Date(0),
  }
  const money = { gross: amountOf('100'), fee: amountOf('3'), currencyCode: 'EUR' }
  const planned = planTransfers(
    [
      entryOf({ event: 'PAYIN_SUCCESS', ...money }, '7'),
      entryOf({ event: 'PAYIN_REVERSED', ...money }, '7'),
      entryOf({ event: 'PAYIN_REVERSED', ...money, currencyCode: 'USD' }, '7'),
      entryOf({ event: 'SUSPENSE_RECEIVED', ...money }, HOUSE_MERCHANT_ID),
    ],
    [locked],
  )
  assert.deepEqual(
    planned.map(({ postings }) => postings.map((posting) => `${posting.account} ${posting.amount}`)),
    [
      ['CLEARING -100', 'NOT_SETTLED 97', 'FEES 3'],
      ['CLEARING 100', 'NOT_SETTLED -97', 'AVAILABLE -3'],
      ['CLEARING 100', 'RECEIVABLE -100'],
      ['CLEARING -100', 'SUSPENSE 100'],
    ],
  )
  const zero = { merchantId: '7', available: ZERO, notSettled: ZERO, reserved: ZERO, receivable: ZERO }
  assert.deepEqual(balanceDeltas(planned), [
    { ...zero, currencyCode: 'EUR', available: '-3' },
    { ...zero, currencyCode: 'USD', receivable: '-100' },
  ])
  const held = planTransfers([entryOf({ event: 'PAYOUT_HELD', ...money }, '7')], [])
  assert.deepEqual(balanceDeltas(held), [
    { ...zero, currencyCode: 'EUR', available: '-103', reserved: '103' },
  ])
})

test('the postings of a success sum to zero, none is zero, and the merchant gets gross less fee', () => {
  fc.assert(
    fc.property(payment, ({ gross, fee }) => {
      const postings = postingsOf('PAYIN_SUCCESS', { gross, fee }, NOTHING)
      assert.equal(sumOf(postings), ZERO)
      assert(postings.every((posting) => posting.amount !== ZERO))
      const net = postings.find((posting) => posting.account === 'NOT_SETTLED')?.amount ?? ZERO
      assert.equal(net, subtractAmounts(gross, fee))
    }),
    { numRuns: RUNS },
  )
})

test('the postings of a recall sum to zero, take from what is there in order, and owe only the rest', () => {
  fc.assert(
    fc.property(amount, amount, amount.filter(isPositive), (notSettled, available, gross) => {
      const postings = postingsOf(
        'PAYIN_REVERSED',
        { gross, fee: ZERO },
        { ...NOTHING, notSettled, available },
      )
      assert.equal(sumOf(postings), ZERO)
      const of = (account: string): Amount =>
        postings.find((posting) => posting.account === account)?.amount ?? ZERO
      const left = {
        notSettled: addAmounts(notSettled, of('NOT_SETTLED')),
        available: addAmounts(available, of('AVAILABLE')),
      }
      assert(!isNegative(left.notSettled) && !isNegative(left.available))
      if (of('AVAILABLE') !== ZERO) assert.equal(left.notSettled, ZERO, 'unsettled money goes first')
      if (of('RECEIVABLE') !== ZERO)
        assert.equal(left.available, ZERO, 'nothing is owed while there is money')
      assert(!isPositive(of('RECEIVABLE')))
    }),
    { numRuns: RUNS },
  )
})

test('the postings of every event sum to zero, none is zero, whatever the merchant has', () => {
  const holdings = fc.record({
    available: amount,
    notSettled: amount,
    receivable: amount.map((owed) => subtractAmounts(ZERO, owed)),
  })
  fc.assert(
    fc.property(fc.constantFrom(...LEDGER_EVENTS), payment, holdings, (event, { gross, fee }, has) => {
      const postings = postingsOf(event, { gross, fee }, has)
      assert.equal(sumOf(postings), ZERO)
      assert(postings.every((posting) => posting.amount !== ZERO))
      const accounts = postings.map((posting) => posting.account)
      assert.equal(new Set(accounts).size, accounts.length, 'an account is posted to once')
    }),
    { numRuns: RUNS },
  )
})

test('what is settled repays first what the merchant owes', () => {
  const has = { ...NOTHING, receivable: amountOf('-30') }
  const of = (gross: string) =>
    postingsOf('SETTLED', { gross: amountOf(gross), fee: ZERO }, has).map(
      ({ account, amount: each }) => `${account} ${each}`,
    )
  assert.deepEqual(of('100'), ['NOT_SETTLED -100', 'RECEIVABLE 30', 'AVAILABLE 70'])
  assert.deepEqual(of('20'), ['NOT_SETTLED -20', 'RECEIVABLE 20'])
})

test('a hold takes amount and fee from what is available, and gives the same back when it is released', () => {
  const of = (event: 'PAYOUT_HELD' | 'PAYOUT_SUCCESS' | 'PAYOUT_RELEASED') =>
    postingsOf(event, { gross: amountOf('100'), fee: amountOf('0.5') }, NOTHING).map(
      ({ account, amount: each }) => `${account} ${each}`,
    )
  assert.deepEqual(of('PAYOUT_HELD'), ['AVAILABLE -100.5', 'RESERVED 100.5'])
  assert.deepEqual(of('PAYOUT_RELEASED'), ['RESERVED -100.5', 'AVAILABLE 100.5'])
  assert.deepEqual(of('PAYOUT_SUCCESS'), ['RESERVED -100.5', 'CLEARING 100', 'FEES 0.5'])
})

test('examples to the unit: 18 decimals, 3 and none', () => {
  const of = (gross: string, fee: string) =>
    postingsOf('PAYIN_SUCCESS', { gross: amountOf(gross), fee: amountOf(fee) }, NOTHING).map(
      ({ account, amount: each }) => `${account} ${each}`,
    )
  assert.deepEqual(of('1.000000000000000001', '0.000000000000000001'), [
    'CLEARING -1.000000000000000001',
    'NOT_SETTLED 1',
    'FEES 0.000000000000000001',
  ])
  assert.deepEqual(of('10.005', '0.1'), ['CLEARING -10.005', 'NOT_SETTLED 9.905', 'FEES 0.1'])
  assert.deepEqual(of('500', '0'), ['CLEARING -500', 'NOT_SETTLED 500'])
  assert.deepEqual(of('500', '500'), ['CLEARING -500', 'FEES 500'])
})

function amountOf(text: string): Amount {
  const [whole = '', fraction = ''] = text.split('.')
  return fromMinorUnits(BigInt(whole + fraction), fraction.length)
}

let transfers = 0
function entryOf(
  given: Pick<LedgerEntry, 'event' | 'gross' | 'fee' | 'currencyCode'>,
  merchantId = '1',
): LedgerEntry {
  transfers += 1
  return { transferId: `t-${transfers}`, merchantId, kind: 'PAYIN', idPayment: `p-${transfers}`, ...given }
}

/** Successes in any order, each perhaps recalled later: cut into batches, as a worker would have it. */
const histories = fc
  .array(fc.tuple(fc.constantFrom('1', '2', '10'), payment, fc.boolean()), { maxLength: 25 })
  .chain((payments) => {
    const entries = payments.flatMap(([merchantId, each, isRecalled]) => [
      entryOf({ event: 'PAYIN_SUCCESS', ...each }, merchantId),
      ...(isRecalled ? [entryOf({ event: 'PAYIN_REVERSED', ...each }, merchantId)] : []),
    ])
    return fc.tuple(fc.constant(entries), fc.integer({ min: 1, max: 7 }))
  })

test('no history makes a balance negative, every sum is zero, and batches give what single steps give', () => {
  fc.assert(
    fc.property(histories, ([entries, batchSize]) => {
      const inBatches = play(entries, batchSize)
      assert.deepEqual(inBatches, play(entries, 1))
      for (const balance of inBatches) {
        assert(![balance.available, balance.notSettled, balance.reserved].some(isNegative))
        assert(!isPositive(balance.receivable))
      }
    }),
    { numRuns: RUNS },
  )
})

/** Books the entries batch by batch on balances in memory. */
function play(entries: readonly LedgerEntry[], batchSize: number): readonly Balance[] {
  const updatedAt = new Date(0)
  let balances: readonly Balance[] = []
  for (let start = 0; start < entries.length; start += batchSize) {
    const planned = planTransfers(entries.slice(start, start + batchSize), balances)
    for (const transfer of planned) assertBalanced(transfer)
    const sums = balanceDeltas([
      ...planned,
      // What there was, as one more transfer into it.
      ...balances.map((balance) => ({
        ...entryOf(
          { event: 'PAYIN_SUCCESS', gross: ZERO, fee: ZERO, currencyCode: balance.currencyCode },
          balance.merchantId,
        ),
        postings: [
          { account: 'AVAILABLE' as const, amount: balance.available },
          { account: 'NOT_SETTLED' as const, amount: balance.notSettled },
          { account: 'RECEIVABLE' as const, amount: balance.receivable },
        ],
      })),
    ])
    balances = sums.map((sum) => ({ ...sum, updatedAt }))
  }
  return balances
}

test('a transfer that does not balance is a bug and says so', () => {
  const {
    gross: _gross,
    fee: _fee,
    ...entry
  } = entryOf({
    event: 'PAYIN_SUCCESS',
    gross: ZERO,
    fee: ZERO,
    currencyCode: 'EUR',
  })
  const transfer = { ...entry, postings: [{ account: 'FEES', amount: amountOf('0.01') }] } as const
  assert.throws(() => assertBalanced(transfer), /does not balance: 0.01 EUR/)
})

test('balances are locked in one order, each once', () => {
  const key = (merchantId: string, currencyCode: string) => ({ merchantId, currencyCode })
  const keys = [key('2', 'EUR'), key('10', 'EUR'), key('1', 'USD'), key('1', 'EUR'), key('2', 'EUR')]
  assert.deepEqual(inLockOrder(keys), [key('1', 'EUR'), key('1', 'USD'), key('10', 'EUR'), key('2', 'EUR')])
  assert.deepEqual(inLockOrder(keys.toReversed()), inLockOrder(keys))
})

test('the balance is what is available, not settled and reserved; what is owed is told apart', () => {
  const balance = {
    merchantId: '1',
    currencyCode: 'EUR',
    available: amountOf('1.10'),
    notSettled: amountOf('2.20'),
    reserved: amountOf('3.30'),
    receivable: fromMinorUnits(-999n, 2),
    updatedAt: new Date(0),
  }
  assert.equal(totalBalance(balance), '6.6')
})
