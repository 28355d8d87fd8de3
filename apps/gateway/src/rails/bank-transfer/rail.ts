import { referenceFormsOf } from '@tollgate/payment-codes'
import type {
  Instructions,
  PayeeAccount,
  Plan,
  Rail,
  RailObjection,
  RailPayment,
  RailQuestion,
  RailReport,
} from '../rail.ts'
import type { AccountFor, TransferAccount } from './account.ts'
import { objectionToBeneficiary } from './beneficiary.ts'
import { codesFor } from './codes.ts'

export const BANK_TRANSFER_CODE = 'bank-transfer'

/** Bank statements tell when money has come, and reports and statements when it has gone: there is nobody to ask. */
const WAITING: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

/**
 * Transfers between banks. A customer is told where to pay and with which reference, and statements say when the money is
 * there. Payouts wait for the next file to the bank.
 */
export function createBankTransferRail(options: { readonly accountFor: AccountFor }): Rail {
  const { accountFor } = options
  return {
    code: BANK_TRANSFER_CODE,
    capabilities: {
      directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
      flows: ['INSTRUCTIONS'],
      cancels: false,
      handsOverByFile: true,
    },
    objectTo: (question) => objectionTo(question, accountFor(question.money.currencyCode)),
    plan: (payment) => planFor(payment, accountFor(payment.money.currencyCode)),
    advance: () => Promise.resolve(WAITING),
    // Its file hands it over; who calls this all the same puts nothing on the wire.
    submit: () => Promise.resolve(WAITING),
    inquire: () => Promise.resolve(WAITING),
  }
}

function planFor(payment: RailPayment, account: TransferAccount | undefined): Plan {
  if (payment.kind === 'PAYOUT') return { instructions: {}, startsAtOnce: false }
  if (account === undefined)
    throw new Error(`a payment in ${payment.money.currencyCode} was let through without an account for it`)
  return { instructions: instructionsFor(payment, account), startsAtOnce: false }
}

/** Where the customer pays to, with the reference as banks of that country carry it, and the code to scan. */
export function instructionsFor(
  payment: Pick<RailPayment, 'money' | 'reference'>,
  account: TransferAccount,
): Instructions {
  const forms = referenceFormsOf(payment.reference)
  const { currencyCode } = payment.money
  const printed = CURRENCIES_OF_SYMBOLS.has(currencyCode)
    ? forms?.variableSymbol
    : account.iban !== undefined && CURRENCIES_OF_CREDITOR_REFERENCES.has(currencyCode)
      ? forms?.creditorReference
      : undefined
  return {
    account: payeeOf(account),
    ...(printed !== undefined && { reference: printed }),
    ...codesFor({ payment, account, forms }),
  }
}

const CURRENCIES_OF_SYMBOLS: ReadonlySet<string> = new Set(['CZK'])
const CURRENCIES_OF_CREDITOR_REFERENCES: ReadonlySet<string> = new Set(['EUR', 'CHF'])

function payeeOf(account: TransferAccount): PayeeAccount {
  const { iban, accountNumber, bankCode, bic, bankName } = account
  const number = iban ?? accountNumber ?? account.upiAddress ?? account.pixKey ?? account.bitcoinAddress ?? ''
  return {
    accountName: account.holder,
    accountNumber: number,
    // An IBAN goes with the BIC, a number with the code that its country uses.
    bankCode: (iban === undefined ? (bankCode ?? bic) : (bic ?? bankCode)) ?? account.currencyCode,
    bankName,
  }
}

function objectionTo(
  { kind, money, methodCode, customer }: RailQuestion,
  account: TransferAccount | undefined,
): RailObjection | undefined {
  const { currencyCode } = money
  if (account === undefined)
    return {
      code: 'CHANNEL_UNAVAILABLE',
      message: `${methodCode} is not available in ${currencyCode} now: the gateway has no bank account for it.`,
    }
  if (kind !== 'PAYOUT') return undefined
  if (account.payoutFormat === undefined)
    return {
      code: 'CHANNEL_UNAVAILABLE',
      message: `${methodCode} pays nothing out in ${currencyCode} now: no payments leave the gateway's bank account for it.`,
    }
  return customer === undefined ? undefined : objectionToBeneficiary(currencyCode, customer)
}
