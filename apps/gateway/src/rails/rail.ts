import type { Money } from '@tollgate/money'

/** The customer's data that a rail may need. Personal: never logged, never stored in clear. */
export interface RailCustomer {
  readonly accountName?: string
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly emailAddress?: string
}

/** A payment as a rail sees it. `reference` is ours, unique, and travels with the money. */
export interface RailPayment {
  readonly kind: 'PAYIN' | 'PAYOUT' | 'TOPUP'
  readonly idPayment: string
  readonly merchantCode: string
  readonly reference: string
  readonly money: Money
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly customer: RailCustomer
  readonly returnUrl: string | undefined
}

/** Where the customer pays to. */
export interface PayeeAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly bankName: string
}

/** What the customer needs in order to pay, and what follows for us. Kept as JSON without numbers, which would lose digits. */
export interface Instructions {
  readonly account?: PayeeAccount
  readonly redirectUrl?: string
  readonly qr?: { readonly format: string; readonly content: string }
  readonly deepLinks?: readonly string[]
  /** The customer may bring back a reference. Kept with the payment: the catalogue may change meanwhile. */
  readonly takesReference?: true
}

export interface Plan {
  readonly instructions: Omit<Instructions, 'takesReference'>
  /** Shortens the method's time to pay. */
  readonly expiresAfterSeconds?: number
  /** Whether the rail has something to do as soon as the payment is durable, or waits for the outside. */
  readonly startsAtOnce: boolean
  /** The payment waits for a reference from the customer, even where its method takes none. */
  readonly awaitsReference?: boolean
}

/** How far a payment has come when the rail is asked. */
export interface RailProgress {
  /** Seconds since the payment was accepted, by the database's clock. */
  readonly ageSeconds: number
  readonly externalReference: string | undefined
}

/** The payer's account as the institution reported it. */
export interface CollectedAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode?: string
  readonly bankName?: string
}

/** What a rail knows of a payment. An outcome that is not known is said to be UNKNOWN and asked for again, never guessed. */
export type RailReport =
  | { readonly kind: 'SUCCEEDED'; readonly received: Money; readonly payer?: CollectedAccount }
  | { readonly kind: 'FAILED'; readonly code: string; readonly message: string }
  | { readonly kind: 'CANCELLED'; readonly message: string }
  | { readonly kind: 'WAITING'; readonly askAgainSeconds: number | undefined }
  | { readonly kind: 'UNKNOWN'; readonly askAgainSeconds: number }

/** A bank, wallet or scheme. */
export interface Rail {
  readonly code: string
  /** Pure and fast, without talking to anyone: it runs on the way of the create request. */
  plan(payment: RailPayment): Plan
  /**
   * Talks to the institution, or asks it again; idempotent by the payment's reference. Never called inside a transaction.
   * An answer that takes too long counts as UNKNOWN; `signal` then tells the rail to give up.
   */
  advance(payment: RailPayment, progress: RailProgress, signal: AbortSignal): Promise<RailReport>
}
