import {
  bitcoinLink,
  epcCode,
  PaymentCodeInvalid,
  pixCode,
  type ReferenceForms,
  spaydCode,
  swissQrCode,
  upiLink,
} from '@tollgate/payment-codes'
import type { Instructions, RailPayment } from '../rail.ts'
import type { TransferAccount } from './account.ts'

/** What a code is made of. */
export interface CodeParts {
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
export function codesFor(parts: CodeParts): Codes {
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
      ...{ name, postalCode, town, country },
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
