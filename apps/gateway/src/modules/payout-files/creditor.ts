import { compareAmounts, fractionDigits, type Money, parsePlainAmount } from '@tollgate/money'
import { compactIban, isBic, problemOfIban } from '@tollgate/payment-codes'
import type { CollectedPayment } from '../payments/index.ts'
import { AMOUNT_FRACTION_DIGITS_MAX, AMOUNT_INTEGER_DIGITS_MAX, type Creditor } from './model.ts'
import { isSepaName, sepaText } from './sepa-text.ts'

const NAME_MAX = 70
const ACCOUNT_MAX = 34
const BANK_CODE_MAX = 35
/** What the SEPA scheme moves at most. */
const SEPA_MOST = parsePlainAmount('999999999.99')

type Found = { readonly creditor: Creditor } | { readonly why: string }

/** Whom the payment goes to, as a file says it; or why no file can carry it. */
export function creditorOf({ payment, customer }: CollectedPayment): Found {
  const amountProblem = problemOfAmount(payment.money)
  if (amountProblem !== undefined) return { why: amountProblem }
  if (customer?.accountNumber === undefined || customer.accountName === undefined)
    return { why: 'The account that it goes to is not there any more, or cannot be read.' }
  const name = sepaText(customer.accountName, NAME_MAX)
  if (!isSepaName(name)) return { why: 'The name cannot be written in the letters that banks take.' }
  const account = accountOf(customer.accountNumber, customer.bankCode)
  const problem = problemOfAccount(account, payment.money.currencyCode)
  return problem === undefined ? { creditor: { name, ...account } } : { why: problem }
}

type Account = Omit<Creditor, 'name'>

function accountOf(number: string, bank: string | undefined): Account {
  const iban = compactIban(number)
  const code = bank?.replace(/\s/g, '').toUpperCase()
  const hasBic = code !== undefined && isBic(code)
  return {
    iban: problemOfIban(iban) === undefined ? iban : undefined,
    accountNumber: sepaText(number, ACCOUNT_MAX),
    bic: hasBic ? code : undefined,
    bankCode: hasBic ? undefined : code,
  }
}

function problemOfAccount({ iban, bic, bankCode }: Account, currencyCode: string): string | undefined {
  if (iban === undefined && currencyCode === 'EUR') return 'In EUR it takes an IBAN.'
  if (iban === undefined && bic === undefined && bankCode === undefined)
    return 'An account number without its bank leads nowhere.'
  const isWritable =
    bankCode === undefined || (bankCode !== '' && sepaText(bankCode, BANK_CODE_MAX) === bankCode)
  return isWritable ? undefined : 'The code of the bank cannot be written in a file.'
}

function problemOfAmount({ amount, currencyCode }: Money): string | undefined {
  const [integer = ''] = amount.split('.')
  if (integer.length > AMOUNT_INTEGER_DIGITS_MAX) return 'The amount is larger than a file can say.'
  if (currencyCode === 'EUR' && compareAmounts(amount, SEPA_MOST) === 1)
    return 'A SEPA transfer moves at most 999999999.99 EUR.'
  return fractionDigits(amount) > AMOUNT_FRACTION_DIGITS_MAX
    ? 'The amount has more decimals than a file can say.'
    : undefined
}
