// What three independent witnesses say: the driver, the database, and the logs of the bank and of the merchants' receivers.
// Times are milliseconds since 1970. Amounts are texts without needless zeros.

export type PaymentKind = 'PAYIN' | 'PAYOUT' | 'TOPUP'

/** Names a payment: unique per merchant and kind. */
export interface PaymentName {
  readonly merchantCode: string
  readonly kind: PaymentKind
  readonly id: string
}

/** A name as one text: for maps and messages. */
export function textOf({ merchantCode, kind, id }: PaymentName): string {
  return `${merchantCode} ${kind} ${id}`
}

export interface Money {
  readonly amount: string
  readonly currencyCode: string
}

/** One request of the driver, and what became of it. */
export interface Call {
  readonly name: PaymentName
  readonly operation: 'CREATE' | 'READ'
  readonly client: number
  /** Which process of the API was asked. */
  readonly api: number
  readonly invokedAtMs: number
  endedAtMs: number | undefined
  /**
   * ok: 201 or 409, or a payment that was read. fail: another 4xx; nothing must have happened. unknown: 5xx or no answer.
   * Undefined: not ended.
   */
  outcome: 'ok' | 'fail' | 'unknown' | undefined
  /** Undefined where no answer came. */
  httpStatus: number | undefined
  /** What was asked for by a create, and what a read showed. */
  money: Money | undefined
  /** `process.status` that a read showed. */
  status: string | undefined
}

export interface PaymentRow extends PaymentName {
  readonly status: string
  /** `process.processorStatus`: the finer phase. */
  readonly phase: string
  /** In a quiet state. */
  readonly expectedStatus: string
  readonly money: Money
  readonly rail: string
  readonly reference: string
  readonly hasCallback: boolean
  /** The id of the payin whose money a payout gives back. */
  readonly refundOf: string | undefined
}

/** An entry of a payment's timeline, in the order of entries. */
export interface TimelineRow extends PaymentName {
  readonly entryNo: number
  readonly status: string
}

/** A transfer of the ledger; `total` is the sum of its postings in a currency. */
export interface TransferRow extends PaymentName {
  readonly transferId: string
  readonly event: string
  readonly currencyCode: string
  readonly total: string
}

/** One part of a merchant's balance as it is stored, and as its postings say. */
interface BalanceRow {
  readonly merchantCode: string
  readonly currencyCode: string
  readonly account: string
  readonly stored: string
  readonly summed: string
}

export interface CallbackRow extends PaymentName {
  readonly eventId: string
  readonly timelineEntryNo: number
  readonly state: string
  readonly createdAtMs: number
}

export interface AttemptRow {
  readonly eventId: string
  readonly attemptNo: number
  readonly startedAtMs: number
  /** How often it was begun: more than once when a process died over it. */
  readonly starts: number
  readonly httpStatus: number | undefined
}

/** Money that moved at the bank. */
export interface Movement {
  readonly reference: string
  readonly kind: string
  readonly money: Money
}

/** A callback as it came to a merchant's receiver. */
export interface Arrival {
  readonly eventId: string
  readonly id: string
  readonly atMs: number
  /** Whether the receiver answered 200. */
  readonly isAccepted: boolean
}

/** A statement that an operator handed in. */
export interface UploadRow {
  readonly fileId: string
  /** SHA-256, in hexadecimal. */
  readonly digest: string
  readonly takenBy: string
  readonly confirmedBy: string | undefined
  /** Who confirmed these bytes, by the list of confirmations. */
  readonly provenBy: string | undefined
  /** `SHOP PAYIN id` of each payment whose money a line of it is. */
  readonly paid: readonly string[]
}

/** A payout that had to wait for two operators. */
export interface ApprovedRow extends PaymentName {
  /** Of its timeline, in the order of entries. */
  readonly phases: readonly string[]
  readonly isHandedOver: boolean
  /** Those from before the hand-over. */
  readonly approvals: readonly { readonly operatorCode: string; readonly contentHash: string }[]
  readonly holds: readonly HoldRow[]
}

/** A status that people said, or that a payment has which nobody but people could end. */
export interface DecidedRow extends PaymentName {
  readonly status: string
  /** `PEOPLE`, or whoever said it. */
  readonly evidence: string
  /** Whom the entry names. */
  readonly operators: readonly string[]
  /** Who gave their word that it is so about the payment as it was before. */
  readonly words: readonly string[]
}

interface HoldRow {
  readonly entryNo: number
  readonly event: string
  readonly operatorCode: string
}

/** All that is known after a phase. */
export interface Facts {
  readonly calls: readonly Call[]
  readonly payments: readonly PaymentRow[]
  readonly timeline: readonly TimelineRow[]
  readonly transfers: readonly TransferRow[]
  readonly balances: readonly BalanceRow[]
  readonly callbacks: readonly CallbackRow[]
  readonly attempts: readonly AttemptRow[]
  readonly movements: readonly Movement[]
  readonly arrivals: readonly Arrival[]
  readonly uploads: readonly UploadRow[]
  readonly approved: readonly ApprovedRow[]
  readonly decided: readonly DecidedRow[]
  readonly callbackIntervalMs: number
  /** For so long an attempt belongs to the worker that began it. */
  readonly callbackLeaseMs: number
  /** When the database's clock jumped. */
  readonly clockJumps: readonly number[]
}

/** A broken invariant. */
export interface Finding {
  readonly invariant: string
  readonly says: string
  readonly name?: PaymentName
}
