import {
  bitcoinLink,
  epcCode,
  PaymentCodeInvalid,
  pixCode,
  type ReferenceForms,
  referenceFormsOf,
  spaydCode,
  swissQrCode,
  upiLink,
} from '@tollgate/payment-codes'
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
import { objectionToBeneficiary } from './beneficiary.ts'

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
function instructionsFor(
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

/** What a code is made of. */
interface CodeParts {
  readonly payment: Pick<RailPayment, 'money' | 'reference'>
  readonly account: TransferAccount
  /** Undefined for a reference that is not of our making: then a code carries it as a text. */
  readonly forms: ReferenceForms | undefined
}

type Codes = Pick<Instructions, 'qr' | 'deepLinks'>

/**
 * The code that apps of the currency scan, and the link that opens them. Nothing where there is no such code, or where it
 * cannot carry this payment: the account and the reference are enough to pay.
 */
function codesFor(parts: CodeParts): Codes {
  try {
    return MAKERS[parts.payment.money.currencyCode]?.(parts) ?? {}
  } catch (error) {
    if (error instanceof PaymentCodeInvalid) return {}
    throw error
  }
}

const MAKERS: Readonly<Record<string, (parts: CodeParts) => Codes | undefined>> = {
  EUR: epc,
  CZK: spayd,
  CHF: swiss,
  INR: upi,
  BRL: pix,
  BTC: bitcoin,
}

function epc({ payment, account, forms }: CodeParts): Codes | undefined {
  const { iban, bic, holder } = account
  if (iban === undefined) return undefined
  const content = epcCode({
    name: holder,
    iban,
    ...(bic !== undefined && { bic }),
    amount: payment.money.amount,
    ...(forms === undefined ? { text: payment.reference } : { creditorReference: forms.creditorReference }),
  })
  return { qr: { format: 'EPC069-12', content } }
}

const SPAYD_NAME_MAX = 35

function spayd({ payment, account, forms }: CodeParts): Codes | undefined {
  const { iban, bic, holder } = account
  if (iban === undefined) return undefined
  const content = spaydCode({
    iban,
    ...(bic !== undefined && { bic }),
    amount: payment.money.amount,
    currencyCode: payment.money.currencyCode,
    ...(forms !== undefined && {
      variableSymbol: forms.variableSymbol,
      specificSymbol: forms.specificSymbol,
    }),
    message: payment.reference,
    recipientName: holder.slice(0, SPAYD_NAME_MAX),
  })
  return { qr: { format: 'SPAYD', content } }
}

function swiss({ payment, account, forms }: CodeParts): Codes | undefined {
  const { iban, holder: name } = account
  const { street, buildingNumber, postalCode, town, countryCode: country } = account.address
  if (iban === undefined || postalCode === undefined || town === undefined || country === undefined)
    return undefined
  const content = swissQrCode({
    iban,
    creditor: {
      name,
      postalCode,
      town,
      country,
      ...(street !== undefined && { street }),
      ...(buildingNumber !== undefined && { buildingNumber }),
    },
    amount: payment.money.amount,
    currencyCode: 'CHF',
    ...(forms === undefined
      ? { message: payment.reference }
      : { creditorReference: forms.creditorReference }),
  })
  return { qr: { format: 'SWISS_QR', content } }
}

function upi({ payment, account }: CodeParts): Codes | undefined {
  if (account.upiAddress === undefined) return undefined
  const content = upiLink({
    payeeAddress: account.upiAddress,
    payeeName: account.holder,
    amount: payment.money.amount,
    reference: payment.reference,
  })
  return { qr: { format: 'UPI', content }, deepLinks: [content] }
}

function pix({ payment, account }: CodeParts): Codes | undefined {
  if (account.pixKey === undefined) return undefined
  const content = pixCode({
    key: account.pixKey,
    amount: payment.money.amount,
    payeeName: account.holder,
    payeeCity: account.address.town ?? '',
    reference: payment.reference,
  })
  return { qr: { format: 'PIX', content } }
}

function bitcoin({ payment, account }: CodeParts): Codes | undefined {
  if (account.bitcoinAddress === undefined) return undefined
  const content = bitcoinLink({
    address: account.bitcoinAddress,
    amount: payment.money.amount,
    label: account.holder,
    message: payment.reference,
  })
  return { qr: { format: 'BIP-21', content }, deepLinks: [content] }
}

/** An account of the house, as instructions and files need it. In capitals, without spaces. */
export interface TransferAccount {
  readonly currencyCode: string
  readonly holder: string
  readonly bankName: string
  readonly iban?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
  readonly bic?: string | undefined
  readonly upiAddress?: string | undefined
  readonly pixKey?: string | undefined
  readonly bitcoinAddress?: string | undefined
  readonly address: {
    readonly street?: string | undefined
    readonly buildingNumber?: string | undefined
    readonly postalCode?: string | undefined
    readonly town?: string | undefined
    readonly countryCode?: string | undefined
  }
  /** The form of the files by which payouts leave it; undefined: none do. */
  readonly payoutFormat?: string | undefined
}

/** Where money of a currency goes; undefined when the house has no account for it. */
type AccountFor = (currencyCode: string) => TransferAccount | undefined
