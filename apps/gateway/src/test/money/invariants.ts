import assert from 'node:assert/strict'
import { isZero, type Money, sumAmounts } from '@tollgate/money'
import { LEDGER_ACCOUNTS, type LedgerAccount, type Transfer } from '../../modules/ledger/model.ts'
import { isOutgoing } from '../../modules/payments/model.ts'
import { addDeltas, type BookedPayment, type Books, balanceKey } from './books.ts'
import { unitsOf } from './commands.ts'

/** Sums of postings in smallest units, by merchant, currency and account. */
type Sums = Map<string, bigint>

const add = (sums: Sums, key: string, units: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + units)
}
const accountKey = (owner: string, account: string): string => `${owner} ${account}`

/** Holds the books against what must always be true; knows what was posted so far. */
export interface Auditor {
  /** After every command; `books` must follow from those of the last call. */
  audit(books: Books): void
}

export function createAuditor(): Auditor {
  const sums: Sums = new Map()
  const bookedOnce = new Set<string>()
  let seen = 0
  return {
    audit(books) {
      for (const transfer of books.transfers.slice(seen)) {
        assertTransfer(transfer, bookedOnce)
        for (const { account, amount } of transfer.postings) {
          const { merchantId, currencyCode } = transfer
          add(
            sums,
            accountKey(balanceKey(merchantId, currencyCode), account),
            unitsOf({ amount, currencyCode }),
          )
        }
      }
      seen = books.transfers.length
      assertBalances(books, sums)
      assertStates(books, sums)
    },
  }
}

/** A transfer sums to zero, moves something in every line, and is the only one for its payment and event. */
function assertTransfer(transfer: Transfer, bookedOnce: Set<string>): void {
  const { merchantId, kind, idPayment, event, postings } = transfer
  const name = `${merchantId} ${kind} ${idPayment} ${event}`
  assert(!bookedOnce.has(name), `${name} is booked twice`)
  bookedOnce.add(name)
  assert(isZero(sumAmounts(postings.map(({ amount }) => amount))), `${name} does not sum to zero`)
  assert(postings.every(({ amount }) => !isZero(amount)))
}

const KEPT = [
  ['available', 'AVAILABLE'],
  ['notSettled', 'NOT_SETTLED'],
  ['reserved', 'RESERVED'],
  ['receivable', 'RECEIVABLE'],
] as const

/** Every balance is the sum of its postings, nothing that is held is below zero, and nothing owed above. */
function assertBalances({ balances }: Books, sums: Sums): void {
  for (const [key, balance] of balances) {
    for (const [member, account] of KEPT) {
      const units = unitsOf({ amount: balance[member], currencyCode: balance.currencyCode })
      assert.equal(units, sums.get(accountKey(key, account)) ?? 0n, `${account} of ${key}`)
      assert(account === 'RECEIVABLE' ? units <= 0n : units >= 0n, `${account} of ${key} is ${units}`)
    }
  }
}

/**
 * The books follow from the states of the payments alone, whatever way led there: what each account must hold is worked
 * out here without a single posting. It sums to zero per currency, so that all accounts together do.
 */
function assertStates({ payments, exchanges, balances }: Books, sums: Sums): void {
  const expected: Sums = new Map()
  for (const payment of payments.values()) addPayment(expected, payment)
  for (const { merchantId, sold, bought } of exchanges) {
    for (const [money, sign] of [
      [sold, 1n],
      [bought, -1n],
    ] as const) {
      const owner = balanceKey(merchantId, money.currencyCode)
      add(expected, accountKey(owner, 'EXCHANGE'), sign * unitsOf(money))
      add(expected, accountKey(owner, 'MERCHANT'), -sign * unitsOf(money))
    }
  }
  for (const owner of balances.keys()) {
    const of = (account: LedgerAccount): bigint => sums.get(accountKey(owner, account)) ?? 0n
    const wanted = (account: string): bigint => expected.get(accountKey(owner, account)) ?? 0n
    const merchant = of('AVAILABLE') + of('NOT_SETTLED') + of('RESERVED') + of('RECEIVABLE')
    assert.equal(merchant, wanted('MERCHANT'), `what ${owner} has in all`)
    for (const account of ['RESERVED', 'CLEARING', 'FEES', 'SUSPENSE', 'EXCHANGE'] as const)
      assert.equal(of(account), wanted(account), `${account} of ${owner}`)
    const all = LEDGER_ACCOUNTS.reduce((sum, account) => sum + of(account), 0n)
    assert.equal(all, 0n, `all accounts of ${owner}`)
  }
}

/** What a payment in its state has left in the accounts. A fee stays earned when the money goes back. */
function addPayment(expected: Sums, { merchantId, kind, status, money, fee }: BookedPayment): void {
  const [gross, cost] = [unitsOf(money), unitsOf(fee)]
  const put = (account: string, units: bigint): void =>
    add(expected, accountKey(balanceKey(merchantId, money.currencyCode), account), units)
  if (status === 'CREATED' && isOutgoing(kind)) put('RESERVED', gross + cost)
  if (status !== 'SUCCESS' && status !== 'REVERSED') return
  const moved = status === 'REVERSED' ? 0n : isOutgoing(kind) ? -gross : gross
  put('CLEARING', -moved)
  put('FEES', cost)
  put('MERCHANT', moved - cost)
}

/** What was acknowledged, by the payment's name: it must be there for ever, over the same money. */
export function assertAcknowledged(
  { payments }: Books,
  acknowledged: ReadonlyMap<string, Readonly<Record<'money' | 'fee', Money>>>,
): void {
  for (const [name, { money, fee }] of acknowledged) {
    const payment = payments.get(name)
    assert(payment, `${name} was acknowledged and is gone`)
    assert.deepEqual([payment.money, payment.fee], [money, fee])
  }
}

/** Replaying every transfer from the first on gives every balance. */
export function assertReplay({ transfers, balances }: Books): void {
  let replayed: ReturnType<typeof addDeltas> = new Map()
  for (const transfer of transfers) replayed = addDeltas(replayed, [transfer])
  assert.deepEqual(replayed, balances)
}
