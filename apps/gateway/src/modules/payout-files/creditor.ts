import { compareAmounts, fractionDigits, type Money, parsePlainAmount } from '@tollgate/money'
import { compactBankCode, compactIban, isBic, isIban, isInSepa, payeeIdentity } from '@tollgate/payment-codes'
import type { CollectedPayment } from '../payments/index.ts'
import { AMOUNT_FRACTION_DIGITS_MAX, AMOUNT_INTEGER_DIGITS_MAX, type Creditor } from './model.ts'
import { isSepaName, sepaText } from './sepa-text.ts'

const NAME_MAX = 70
const ACCOUNT_MAX = 34
const BANK_CODE_MAX = 35
/** What the SEPA scheme moves at most. */
const SEPA_MOST = parsePlainAmount('999999999.99')

type Found = { readonly creditor: Creditor } | { readonly why: string }

/** What must be known of a payment. */
interface Payable extends Pick<CollectedPayment, 'customer'> {
  readonly payment: Pick<CollectedPayment['payment'], 'money'>
}

/** Whom the payment goes to, as a file says it; or why no file can carry it. */
export function creditorOf({ payment, customer }: Payable): Found {
  const amountProblem = problemOfAmount(payment.money)
  if (amountProblem !== undefined) return { why: amountProblem }
  if (customer?.accountNumber === undefined || customer.accountName === undefined)
    return { why: 'The account that it goes to is not there any more, or cannot be read.' }
  const name = sepaText(customer.accountName, NAME_MAX)
  if (!isSepaName(name)) return { why: 'The name cannot be written in the letters that banks take.' }
  const account = accountOf(customer.accountNumber, customer.bankCode, payment.money.currencyCode)
  const problem = problemOfAccount(account, payment.money.currencyCode)
  return problem === undefined ? { creditor: { name, ...account } } : { why: problem }
}

type Account = Omit<Creditor, 'name'>

/** The account as its identity has it, so that two payees are one exactly when the file names the same account. */
function accountOf(accountNumber: string, bankCode: string | undefined, currencyCode: string): Account {
  const payee = payeeIdentity({ accountNumber, bankCode, currencyCode })
  const code = compactBankCode(bankCode)
  const hasBic = code !== undefined && isBic(code)
  const bic = hasBic ? code : undefined
  const typed = compactIban(accountNumber)
  const iban = isIban(typed) ? typed : payee?.scheme === 'IBAN' ? payee.account : undefined
  // An IBAN says which bank it is: a national code beside it could only contradict it.
  if (iban !== undefined) return { iban, accountNumber: iban, bic, bankCode: undefined }
  return {
    iban: undefined,
    accountNumber: sepaText(payee?.account ?? '', ACCOUNT_MAX),
    bic,
    bankCode: hasBic ? undefined : code,
  }
}

function problemOfAccount(account: Account, currencyCode: string): string | undefined {
  const { iban, bic, bankCode } = account
  if (currencyCode === 'EUR') return problemInEuro(iban)
  if (iban === undefined && bic === undefined && bankCode === undefined)
    return 'An account number without its bank leads nowhere.'
  const isWritable =
    bankCode === undefined || (bankCode !== '' && sepaText(bankCode, BANK_CODE_MAX) === bankCode)
  return isWritable ? undefined : 'The code of the bank cannot be written in a file.'
}

/** Files in euro are SEPA credit transfers: those that were accepted before this was asked are left out, too. */
function problemInEuro(iban: string | undefined): string | undefined {
  if (iban === undefined) return 'In EUR it takes an IBAN.'
  if (isInSepa(iban)) return undefined
  return `In EUR only accounts in SEPA can be paid, and ${iban.slice(0, 2)} is outside.`
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
