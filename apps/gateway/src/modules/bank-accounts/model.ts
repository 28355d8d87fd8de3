import type { Amount } from '@tollgate/money'

/** The forms of the files by which payouts leave an account. */
const PAYOUT_FORMATS = ['PAIN_001_001_03', 'PAIN_001_001_09'] as const
export type PayoutFormat = (typeof PAYOUT_FORMATS)[number]

/** The holder's address, for codes that carry one. */
interface HolderAddress {
  readonly street?: string | undefined
  readonly buildingNumber?: string | undefined
  readonly postalCode?: string | undefined
  readonly town?: string | undefined
  /** Two capital letters. */
  readonly countryCode?: string | undefined
}

/** An account of the operator's in one currency, as it is to be stored: without spaces, in capitals. */
export interface NewBankAccount {
  /** The operator's name for it. */
  readonly code: string
  readonly currencyCode: string
  readonly holder: string
  readonly bankName: string
  readonly iban?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
  readonly bic?: string | undefined
  /** `name@handle`, in INR. */
  readonly upiAddress?: string | undefined
  /** E-mail, phone, tax number or random key, in BRL. */
  readonly pixKey?: string | undefined
  /** In BTC. */
  readonly bitcoinAddress?: string | undefined
  readonly address: HolderAddress
  /** Undefined: no files are made for it. */
  readonly payoutFormat: PayoutFormat | undefined
  /** What its bank moves at once at most, in files of instant transfers; undefined: it takes none. */
  readonly instantMax?: Amount | undefined
}

/** The same once it is there. */
export interface BankAccount extends NewBankAccount {
  /** Whether money of the currency goes here. */
  readonly isDefault: boolean
  readonly status: 'ACTIVE' | 'RETIRED'
  readonly createdAt: Date
}

/** How somebody else names an account: a statement, a report, an institution. In any spelling. */
export type AccountName = (
  | { readonly iban: string }
  | { readonly accountNumber: string; readonly bankCode?: string | undefined }
) & {
  /** Where one account holds several currencies, which of them. */
  readonly currencyCode?: string | undefined
}
