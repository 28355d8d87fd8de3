import type { MessageKey } from '../messages/index.ts'

/** The shapes of what customers type in. */
export const FORMATS = [
  'NAME',
  'IBAN',
  'ACCOUNT_NUMBER',
  'BANK_CODE',
  'EMAIL',
  'VPA',
  'WALLET_ACCOUNT',
  'CRYPTO_ADDRESS',
  'RRN',
  'NEFT_UTR',
  'RTGS_UTR',
  'PIX_END_TO_END_ID',
  'TRANSACTION_ID',
  'REFERENCE',
] as const
export type Format = (typeof FORMATS)[number]

/** How a value is cleaned: as prose, as a reference (prose with ASCII digits), as one word, or as a code
 * without spaces and dashes. */
export type Cleaning = 'PROSE' | 'REFERENCE' | 'WORD' | 'LOWER_WORD' | 'CODE' | 'UPPER_CODE'

/** One thing that has to hold of a clean value, and what is said when it does not. */
export interface Rule {
  /** Matches a good value; linear in its length. */
  readonly good: RegExp
  readonly fault: MessageKey
  /** What the fault tells: the first character that matches, a fixed text, or how many were wanted. */
  readonly stranger?: RegExp
  readonly args?: Readonly<Record<string, string | number>>
}

/** All that is known of a format. */
interface FormatRow {
  readonly cleaning: Cleaning
  /** In characters, after cleaning. */
  readonly lengthMax: number
  readonly rules: readonly Rule[]
  readonly label: MessageKey
  readonly hint: MessageKey
  readonly example?: string
  readonly inputMode: 'text' | 'numeric' | 'email'
  readonly autocomplete: 'name' | 'email' | 'off'
  /** Always written from left to right, whatever the language of the page. */
  readonly isCode: boolean
}

const CODE_FORM = { inputMode: 'text', autocomplete: 'off', isCode: true } as const

const onlyDigits: Rule = { good: /^\d*$/, fault: 'fault.reference.digitsOnly', stranger: /\D/u }
const onlySymbols: Rule = {
  good: /^[A-Za-z0-9]*$/,
  fault: 'fault.reference.characters',
  stranger: /[^A-Za-z0-9]/u,
}

function ofLength(count: number, fault: MessageKey): Rule {
  return { good: new RegExp(`^.{${String(count)}}$`, 'su'), fault, args: { count } }
}

/** The table: a new format is a new row. */
export const FORMAT_TABLE: Readonly<Record<Format, FormatRow>> = {
  NAME: {
    cleaning: 'PROSE',
    lengthMax: 140,
    rules: [{ good: /\p{L}/u, fault: 'fault.name' }],
    label: 'field.accountName',
    hint: 'field.accountName.hint',
    inputMode: 'text',
    autocomplete: 'name',
    isCode: false,
  },
  IBAN: {
    cleaning: 'UPPER_CODE',
    lengthMax: 60, // its own check says more about a long one
    rules: [],
    label: 'field.iban',
    hint: 'field.iban.hint',
    example: 'DE89\u00a03704',
    ...CODE_FORM,
  },
  ACCOUNT_NUMBER: {
    cleaning: 'WORD',
    lengthMax: 42,
    rules: [{ good: /^[A-Za-z0-9/-]*$/, fault: 'fault.characters', stranger: /[^A-Za-z0-9/-]/u }],
    label: 'field.accountNumber',
    hint: 'field.accountNumber.hint',
    ...CODE_FORM,
  },
  BANK_CODE: {
    cleaning: 'UPPER_CODE',
    lengthMax: 11,
    rules: [{ good: /^[A-Z0-9]*$/, fault: 'fault.characters', stranger: /[^A-Z0-9]/u }],
    label: 'field.bankCode',
    hint: 'field.bankCode.hint',
    ...CODE_FORM,
  },
  EMAIL: {
    cleaning: 'WORD',
    lengthMax: 254,
    rules: [
      {
        good: /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/,
        fault: 'fault.email',
        args: { example: 'name@example.com' },
      },
    ],
    label: 'field.emailAddress',
    hint: 'field.emailAddress.hint',
    example: 'name@example.com',
    inputMode: 'email',
    autocomplete: 'email',
    isCode: true,
  },
  VPA: {
    cleaning: 'LOWER_WORD',
    lengthMax: 140,
    rules: [{ good: /^[a-z0-9._-]+@[a-z]+$/, fault: 'fault.vpa', args: { example: 'name@bank' } }],
    label: 'field.vpa',
    hint: 'field.vpa.hint',
    example: 'name@bank',
    ...CODE_FORM,
    inputMode: 'email',
  },
  WALLET_ACCOUNT: {
    cleaning: 'WORD',
    lengthMax: 140,
    rules: [{ good: /^[A-Za-z0-9+._@-]*$/, fault: 'fault.characters', stranger: /[^A-Za-z0-9+._@-]/u }],
    label: 'field.walletAccount',
    hint: 'field.walletAccount.hint',
    ...CODE_FORM,
  },
  CRYPTO_ADDRESS: {
    cleaning: 'WORD',
    lengthMax: 128,
    rules: [
      { good: /^[A-Za-z0-9]*$/, fault: 'fault.characters', stranger: /[^A-Za-z0-9]/u },
      { good: /^.{20}/, fault: 'fault.pattern' },
    ],
    label: 'field.address',
    hint: 'field.address.hint',
    ...CODE_FORM,
  },
  RRN: {
    cleaning: 'CODE',
    lengthMax: 60,
    rules: [onlyDigits, ofLength(12, 'fault.reference.digits')],
    label: 'field.rrn',
    hint: 'field.rrn.hint',
    ...CODE_FORM,
    inputMode: 'numeric',
  },
  NEFT_UTR: {
    cleaning: 'UPPER_CODE',
    lengthMax: 60,
    rules: [onlySymbols, ofLength(16, 'fault.reference.length')],
    label: 'field.neftUtr',
    hint: 'field.neftUtr.hint',
    ...CODE_FORM,
  },
  RTGS_UTR: {
    cleaning: 'UPPER_CODE',
    lengthMax: 60,
    rules: [
      onlySymbols,
      ofLength(22, 'fault.reference.length'),
      { good: /^.{4}R/, fault: 'fault.reference.rtgs' },
    ],
    label: 'field.rtgsUtr',
    hint: 'field.rtgsUtr.hint',
    ...CODE_FORM,
  },
  PIX_END_TO_END_ID: {
    cleaning: 'CODE',
    lengthMax: 60,
    rules: [
      onlySymbols,
      { good: /^E/, fault: 'fault.reference.start', args: { start: 'E' } },
      ofLength(32, 'fault.reference.length'),
      { good: /^E\d{20}/, fault: 'fault.pattern' }, // the bank (8 digits), the minute (12), then its own sequence
    ],
    label: 'field.endToEndId',
    hint: 'field.endToEndId.hint',
    ...CODE_FORM,
  },
  TRANSACTION_ID: {
    cleaning: 'CODE',
    lengthMax: 130,
    rules: [onlySymbols, { good: /^(?:0x)?[0-9A-Fa-f]{64}$/, fault: 'fault.pattern' }],
    label: 'field.transactionId',
    hint: 'field.transactionId.hint',
    ...CODE_FORM,
  },
  REFERENCE: {
    cleaning: 'REFERENCE',
    lengthMax: 250,
    rules: [],
    label: 'field.reference',
    hint: 'field.reference.hint',
    ...CODE_FORM,
  },
}
