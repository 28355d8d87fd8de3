import type { Money, Open, PaymentStatus } from './types.ts'

// The records of payments: payins, payouts and top-ups share most of theirs.

/** What was asked for. */
export interface Requested {
  readonly money: Money
  readonly segmentCode?: string
}

/** Where the customer pays to. */
export interface PayeeAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly bankName: string
  readonly bankBranch?: string
  readonly bankCity?: string
  readonly bankProvince?: string
}

/** What the payer needs in order to pay; which members are there depends on the method. */
export interface PaymentInstructions {
  readonly paymentMethodCode: string
  readonly paymentOperatorCode?: string
  readonly account?: PayeeAccount
  readonly money: Money
  /** ISO 8601, UTC. */
  readonly expireAt: string
  readonly reference: string
  readonly returnUrl?: string
  readonly acceptedAt: string
  /** Send the customer here to pay. */
  readonly redirectUrl?: string
  readonly qr?: { readonly format: string; readonly content: string }
  readonly deepLinks?: readonly string[]
}

/** How far a payment has come. */
export interface PaymentProcess {
  readonly status: PaymentStatus
  /** The finer phase, for people. */
  readonly processorStatus?: string
  readonly createdAt: string
  readonly processedAt?: string
  readonly isTest: boolean
  readonly failureReasons?: {
    readonly failedAt: string
    readonly failureReasonCode: string
    readonly message: string
  }
}

/** How a fee that is priced in another currency came about. */
export interface FeeConversion {
  readonly rateListCode: string
  readonly version: number
  readonly currencyCode: string
  readonly side: Open<'BUY' | 'SELL' | 'MID'>
  /** A decimal string. */
  readonly rate: string
  readonly priced: Money
}

/** The members that the details of all payments have beside their own. */
export interface PaymentDetail {
  readonly paymentRequested: Requested
  /** Charged with the success; absent before it. */
  readonly fee?: Money
  readonly feeConversion?: FeeConversion
  readonly customer?: { readonly idCustomer: string }
  readonly process: PaymentProcess
  readonly paymentReceived?: { readonly money: Money }
  /** What went back, and when; of a payment that is REVERSED, instead of `paymentReceived`. */
  readonly paymentReversed?: { readonly money: Money; readonly reversedAt: string }
  readonly externalReference?: string
}

/** What the gateway answers to the create of a payin (specification 2.3). */
export interface PayinAccepted {
  readonly paymentRequested: Requested
  readonly paymentMethodResponse: PaymentInstructions & { readonly idPayin: string }
}
/** The detail of a payin. */
export interface Payin extends PayinAccepted, PaymentDetail {
  readonly paymentRequested: Requested
}

/** What the gateway answers to the create of a payout (specification 2.5): its money is held from then on. */
export interface PayoutAccepted {
  readonly paymentRequested: Requested
  readonly paymentMethodResponse: {
    readonly idPayout: string
    readonly paymentMethodCode: string
    readonly paymentOperatorCode?: string
    readonly money: Money
    readonly expireAt: string
    readonly reference: string
    readonly acceptedAt: string
  }
}
/** The detail of a payout (specification 2.6). */
export interface Payout extends PayoutAccepted, PaymentDetail {
  readonly paymentRequested: Requested
}

/** What the gateway answers to the create of a top-up. */
export interface TopUpAccepted {
  readonly topUpRequested: Requested
  readonly paymentMethodResponse: PaymentInstructions & { readonly idTopUp: string }
}
/** The detail of a top-up: like those of the others it says `paymentRequested`. */
export interface TopUp extends PaymentDetail {
  readonly paymentMethodResponse: PaymentInstructions & { readonly idTopUp: string }
}

/** Account data collected with the request or during the process. */
export interface PaymentAccount {
  readonly source: Open<'REQUEST' | 'PROCESS'>
  readonly accountName?: string
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly bankName?: string
  readonly emailAddress?: string
  readonly paymentOperatorCode?: string
  readonly collectedAt: string
}
