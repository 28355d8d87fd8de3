import { compareAmounts } from '@tollgate/money'
import { isInEuroArea } from '@tollgate/payment-codes'
import type { BankAccount } from '../bank-accounts/index.ts'
import type { CollectedPayment } from '../payments/index.ts'
import { creditorOf } from './creditor.ts'
import type { TransferSpeed } from './model.ts'

/** Who sends, and by which methods payouts go at once where they can. */
interface InstantRule {
  readonly account: Pick<BankAccount, 'currencyCode' | 'instantMax'>
  readonly methods: readonly string[]
}

/** What must be known of a payment. */
interface Judged extends Pick<CollectedPayment, 'customer'> {
  readonly payment: Pick<CollectedPayment['payment'], 'methodCode' | 'money'>
}

/**
 * At once, when the method says so, our bank takes so much at once, and the payee's bank is in the euro area, where all have to
 * take it (Regulation (EU) 2024/886). Otherwise as the others: the money goes either way, and goes once.
 */
export function speedOf(payable: Judged, { account, methods }: InstantRule): TransferSpeed {
  const { methodCode, money } = payable.payment
  if (account.currencyCode !== 'EUR' || account.instantMax === undefined) return 'NORMAL'
  if (!methods.includes(methodCode) || compareAmounts(money.amount, account.instantMax) === 1) return 'NORMAL'
  const found = creditorOf(payable)
  return 'creditor' in found && isInEuroArea(found.creditor.iban ?? '') ? 'INSTANT' : 'NORMAL'
}
