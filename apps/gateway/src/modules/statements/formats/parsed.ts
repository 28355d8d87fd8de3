import type { Amount } from '@tollgate/money'

/** Of one file: about a hundred thousand bookings of camt.053 in full. */
export const FILE_BYTES_MAX = 64 * 1_048_576

/** The forms of files that are read. */
const FILE_FORMATS = ['CAMT_053', 'CAMT_054', 'MT940', 'CSV'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

const LINE_DIRECTIONS = ['CREDIT', 'DEBIT'] as const
/** Whether money came (CREDIT) or went (DEBIT). */
export type LineDirection = (typeof LINE_DIRECTIONS)[number]

/** A file as it was understood, before anything is asked of the database. */
export interface ParsedFile {
  readonly format: FileFormat
  readonly statements: readonly ParsedStatement[]
  /** What is strange about the file, but no reason to refuse it. */
  readonly warnings: readonly string[]
}

/** How the file names one of our accounts. */
export interface NamedAccount {
  readonly iban?: string
  readonly accountNumber?: string
  readonly bankCode?: string
  /** As the file has it, for people. */
  readonly text: string
}

export interface ParsedBalance {
  /** Below zero when the account is overdrawn. */
  readonly amount: Amount
  readonly currencyCode: string
  /** ISO 8601. */
  readonly on: string | undefined
  readonly where: string
}

export interface ParsedStatement {
  /** For people: `statement 2 (254EUR)`. */
  readonly label: string
  /** Path or line in the file. */
  readonly where: string
  readonly account: NamedAccount
  readonly currencyCode: string
  readonly isNotification: boolean
  /** How the bank names it: its id, or its number. */
  readonly bankName: string | undefined
  readonly opening: ParsedBalance | undefined
  readonly closing: ParsedBalance | undefined
  /** Whether the closing balance is that of the end of a day; a page in the middle has one, too. */
  readonly isFinal: boolean
  /** Booked entries. */
  readonly entries: readonly ParsedEntry[]
  /** Entries that the bank has not booked: they are not money, and nothing of them is kept. */
  readonly pendingCount: number
  /**
   * The index, in the file, of the statement of which this is a further page. Equal entries on two pages are two
   * entries; in two statements they are one that came twice.
   */
  readonly pageOf: number | undefined
}

/** One booking. */
export interface ParsedEntry {
  readonly where: string
  readonly direction: LineDirection
  readonly isReversal: boolean
  readonly amount: Amount
  readonly currencyCode: string
  /** ISO 8601. */
  readonly bookedOn: string
  readonly valuedOn: string | undefined
  /** The bank's own reference of the booking. */
  readonly bankReference: string | undefined
  readonly transactionCode: string | undefined
  /** One, or as many as a batch names with amounts of their own. */
  readonly parts: readonly ParsedPart[]
  /** Why the parts of the batch do not make the booked sum; the parts are then one. */
  readonly difference: string | undefined
}

/** One transfer: a booking, or a transaction within it. */
export interface ParsedPart {
  readonly amount: Amount
  /** What a bank took on the way, where it says so. */
  readonly charge: Amount | undefined
  readonly details: PartDetails
}

/** What names persons and purposes; kept encrypted. */
export interface PartDetails {
  /** Who is at the other end. */
  readonly partyName?: string
  readonly partyAccount?: string
  readonly partyBank?: string
  readonly endToEndId?: string
  /** Further references of the banks and of the payer. */
  readonly references?: readonly string[]
  /** Those of them by which banks name this very transfer, such as a UTR: a customer may type one. */
  readonly transferReferences?: readonly string[]
  /** RF creditor references and their like. */
  readonly structuredReferences?: readonly string[]
  readonly variableSymbol?: string
  readonly specificSymbol?: string
  readonly constantSymbol?: string
  /** What the payer wrote. */
  readonly texts?: readonly string[]
}

/** The details without what is empty. */
export function detailsOf(
  given: {
    readonly [Member in keyof PartDetails]: PartDetails[Member] | undefined
  },
): PartDetails {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '',
    ),
  )
}
