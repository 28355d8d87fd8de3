import type { Amount, Money } from '@tollgate/money'
import type { Tx } from '../../platform/database.ts'
import type { BankAccount, PayoutFormat } from '../bank-accounts/index.ts'
import type { PaymentKey } from '../payments/index.ts'

/** A file holds at most so many payments; what is left waits for the next one of the same run. */
export const PAYMENTS_PER_FILE_MAX = 1000
/** A run makes at most so many files of a currency. */
export const FILES_PER_RUN_MAX = 20
/** Digits of an amount before and after the point that still sum up to what a file can say (18 digits). */
export const AMOUNT_INTEGER_DIGITS_MAX = 12
export const AMOUNT_FRACTION_DIGITS_MAX = 3
/** A status report is at most so large. */
export const REPORT_BYTES_MAX = 8 * 1024 * 1024

/** One payment of a file. */
export interface FilePayment extends PaymentKey {
  /** From 1. */
  readonly position: number
  /** Ours: the end-to-end id. */
  readonly reference: string
  readonly money: Money
}

/** Where the money of a file comes from. */
export interface DebtorAccount {
  readonly holder: string
  readonly iban?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
  readonly bic?: string | undefined
  readonly address: BankAccount['address']
}

/** Whether the payments of a file go at once (SEPA Instant), or when banks move the others. Banks take them in files of their own. */
export type TransferSpeed = 'NORMAL' | 'INSTANT'

/** Whom a payment of a file goes to, in the characters that banks take. */
export interface Creditor {
  readonly name: string
  /** Compact; undefined for an account that has none. */
  readonly iban: string | undefined
  readonly accountNumber: string
  readonly bic: string | undefined
  /** A code of the bank that is no BIC. */
  readonly bankCode: string | undefined
}

export interface FileTransfer extends FilePayment {
  readonly creditor: Creditor
}

/** Everything that a file says. */
export interface FileContent {
  readonly fileId: string
  readonly format: PayoutFormat
  readonly speed: TransferSpeed
  readonly currencyCode: string
  readonly createdAt: Date
  /** `2026-11-21`. */
  readonly executionOn: string
  readonly debtor: DebtorAccount
  readonly transfers: readonly FileTransfer[]
  readonly controlSum: Amount
}

/** A file without its bytes. */
export interface PayoutFile {
  readonly fileId: string
  readonly accountCode: string
  readonly format: PayoutFormat
  readonly speed: TransferSpeed
  readonly paymentCount: number
  readonly controlSum: Money
  /** `2026-11-21`. */
  readonly executionOn: string
  readonly byteCount: number
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly contentHash: string
  readonly createdBy: string
  readonly createdAt: Date
  /** When somebody said that the bank has it. */
  readonly submittedAt: Date | undefined
  readonly folder: 'NONE' | 'LAYING' | 'LAID'
  /** How it goes over the bank's channel; undefined where it goes over none. */
  readonly put: FilePut | undefined
}

/**
 * How far a file is on its way over a channel. WAITING; STAGING: its bytes are being brought; RELEASING: the bank is getting it;
 * PUT: it has it. UNCLEAR: nobody can tell. BY_HAND: a person carries it, and the channel does not.
 */
export type PutState = 'WAITING' | 'STAGING' | 'RELEASING' | 'PUT' | 'UNCLEAR' | 'BY_HAND'

export interface FilePut {
  readonly channelCode: string
  readonly state: PutState
  /** Of UNCLEAR: what was seen. Of BY_HAND: who took it over, and why. */
  readonly why: string | undefined
  readonly changedAt: Date
}

/** The channels of banks, as far as files of payouts go over them. */
export interface FileChannels {
  /** Which one takes the files of an account. */
  codeFor(accountCode: string): string | undefined
  /** It has a file to put. In the transaction that stores the file. */
  wake(tx: Tx, channelCode: string): Promise<void>
}

export type FileEvent = 'LAYING' | 'LAID' | 'FETCHED' | 'SUBMITTED'

/** A payment that no file can carry as it is, and why. */
export interface LeftOut extends PaymentKey {
  readonly why: string
}

/** What a status code of a bank means for the money. */
export type ReportedMeaning = 'SETTLED' | 'REJECTED' | 'UNDECIDED' | 'UNCLEAR'

/** What a report says about something, at whichever level. */
export interface ReportedStatus {
  readonly statusCode: string
  readonly reasonCode: string | undefined
}

export interface ReportedTransaction {
  readonly endToEndId: string | undefined
  readonly status: ReportedStatus | undefined
  /** As the report repeats it, if it does. */
  readonly money: Money | undefined
}

/** What a report repeats of what it is about, if it does. */
export interface ReportedTotals {
  readonly paymentCount: number | undefined
  readonly controlSum: Amount | undefined
}

export interface ReportedBatch extends ReportedTotals {
  readonly paymentInformationId: string | undefined
  readonly status: ReportedStatus | undefined
  readonly transactions: readonly ReportedTransaction[]
}

/** A status report as the bank wrote it. */
export interface StatusReport extends ReportedTotals {
  readonly messageId: string
  readonly originalMessageId: string
  readonly status: ReportedStatus | undefined
  readonly batches: readonly ReportedBatch[]
}

export type ReportLevel = 'GROUP' | 'BATCH' | 'TRANSACTION'

/** What a report comes to for one payment, or for none that can be told. */
export interface ReportEntry {
  readonly level: ReportLevel
  readonly reference: string | undefined
  readonly payment: FilePayment | undefined
  readonly statusCode: string
  readonly reasonCode: string | undefined
  readonly says: ReportedMeaning
  /** Why it is put aside; undefined when it is not. */
  readonly aside: string | undefined
}
