import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeeRule, fromMinorUnits, isNegative, type Money, sumAmounts, ZERO } from '@tollgate/money'
import fc from 'fast-check'
import { chargeFee } from '../../modules/catalogue/model.ts'
import { type LedgerAccount, type LedgerEvent, postingsOf } from '../../modules/ledger/model.ts'
import { CURRENCIES, decimalsOf, moneyOf, unitsOf } from './commands.ts'

// What merchants can gain by splitting is worked out in packages/money/test/splits.test.ts. Here the fees are those of
// payments: of money that comes in they are taken, and never more than there is; of money that goes out they come on top.

const RUNS = 3_000

const units = fc.oneof(fc.bigInt({ min: 1n, max: 300n }), fc.bigInt({ min: 1n, max: 10n ** 30n }))
const rules = fc.record({
  fixed: fc.bigInt({ min: 0n, max: 200n }),
  /** Hundredths of a percent. */
  percentage: fc.bigInt({ min: 0n, max: 10_000n }),
  minimum: fc.bigInt({ min: 0n, max: 200n }),
})

function ruleIn(
  currencyCode: string,
  given: { fixed: bigint; percentage: bigint; minimum: bigint },
): FeeRule {
  const amountOf = (inUnits: bigint) => moneyOf(inUnits, currencyCode).amount
  return {
    fixed: amountOf(given.fixed),
    percentage: fromMinorUnits(given.percentage, 2),
    minimum: amountOf(given.minimum),
  }
}

const feeOf = (direction: 'PAYIN' | 'PAYOUT', money: Money, rule: FeeRule): Money =>
  chargeFee({ direction, money, rule, minorUnits: decimalsOf(money.currencyCode) })

/** What an event of this payment posts to an account. */
function posted(
  event: LedgerEvent,
  account: LedgerAccount,
  { money, fee }: { money: Money; fee: Money },
): bigint {
  const nothing = { available: ZERO, notSettled: ZERO, receivable: ZERO }
  const postings = postingsOf(event, { gross: money.amount, fee: fee.amount }, nothing)
  const amounts = postings.filter((posting) => posting.account === account).map(({ amount }) => amount)
  return unitsOf({ amount: sumAmounts(amounts), currencyCode: money.currencyCode })
}

test('of money that comes in, fee and rest are the payment to the unit, and neither is below zero', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), units, rules, (currencyCode, gross, given) => {
      const money = moneyOf(gross, currencyCode)
      const payment = { money, fee: feeOf('PAYIN', money, ruleIn(currencyCode, given)) }
      for (const [event, account] of [
        ['PAYIN_SUCCESS', 'NOT_SETTLED'],
        ['TOPUP_SUCCESS', 'AVAILABLE'],
      ] as const) {
        const [fee, rest] = [posted(event, 'FEES', payment), posted(event, account, payment)]
        assert.equal(fee + rest, gross)
        assert(fee >= 0n && rest >= 0n)
      }
    }),
    { numRuns: RUNS },
  )
})

test('of money that goes out, the hold is payment and fee to the unit, and what is released is what was held', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), units, rules, (currencyCode, gross, given) => {
      const money = moneyOf(gross, currencyCode)
      const fee = feeOf('PAYOUT', money, ruleIn(currencyCode, given))
      const payment = { money, fee }
      assert(!isNegative(fee.amount))
      assert.equal(posted('PAYOUT_HELD', 'RESERVED', payment), gross + unitsOf(fee))
      assert.equal(posted('PAYOUT_RELEASED', 'AVAILABLE', payment), gross + unitsOf(fee))
      assert.equal(posted('PAYOUT_SUCCESS', 'CLEARING', payment), gross)
      assert.equal(posted('PAYOUT_SUCCESS', 'FEES', payment), unitsOf(fee))
    }),
    { numRuns: RUNS },
  )
})

test('a fee that is no more than its payment gives nothing away: splitting gains at most n / 2 units here as well', () => {
  const parts = fc.array(fc.bigInt({ min: 1n, max: 400n }), { minLength: 1, maxLength: 40, size: 'max' })
  fc.assert(
    fc.property(fc.constantFrom(...CURRENCIES), rules, parts, (currencyCode, given, all) => {
      const rule = ruleIn(currencyCode, given)
      const fee = (gross: bigint): bigint => unitsOf(feeOf('PAYIN', moneyOf(gross, currencyCode), rule))
      const whole = all.reduce((sum, part) => sum + part, 0n)
      const gain = fee(whole) - all.reduce((sum, part) => sum + fee(part), 0n)
      assert(gain <= BigInt(Math.floor(all.length / 2)))
      if (given.fixed > 0n) assert(gain <= 0n)
    }),
    { numRuns: RUNS },
  )
})
