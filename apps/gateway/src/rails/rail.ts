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
  /** Who pays, or who is paid. */
  readonly customer: RailCustomer
  readonly returnUrl: string | undefined
  /** Until when the customer may pay. Not known yet while the payment is planned. */
  readonly expireAt?: Date
}

/** Where the customer pays to. */
export interface PayeeAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode: string
  readonly bankName: string
}

/** An address of a chain that coins go to, of this payment alone. */
interface PayeeWallet {
  readonly address: string
  /** What payers know the chain by. */
  readonly network: string
  readonly chainId: string
  /** The contract of the token; left out for the chain's own coin. */
  readonly token?: string
}

/** What the customer needs in order to pay, and what follows for us. Kept as JSON without numbers, which would lose digits. */
export interface Instructions {
  readonly account?: PayeeAccount
  readonly wallet?: PayeeWallet
  readonly redirectUrl?: string
  readonly qr?: { readonly format: string; readonly content: string }
  readonly deepLinks?: readonly string[]
  /** Our reference in the form that the customer is to write; left out where that is the reference itself. */
  readonly reference?: string
  /** The customer may bring back a reference. Kept with the payment: the catalogue may change meanwhile. */
  readonly takesReference?: true
  /** Where the institution sends the customer back to, where that is not the merchant's address: the hosted payment page. */
  readonly returnTo?: string
  /** Of a payout that is a refund: the id of its payin, which the merchant is told in place of the payout's. */
  readonly refundOf?: string
}

export interface Plan {
  readonly instructions: Omit<Instructions, 'takesReference' | 'returnTo' | 'refundOf'>
  /** Shortens the method's time to pay. */
  readonly expiresAfterSeconds?: number
  /** Whether the rail has something to do as soon as the payment is durable, or waits for the outside. */
  readonly startsAtOnce: boolean
  /** The payment waits for a reference from the customer, even where its method takes none. */
  readonly awaitsReference?: boolean
  /** An outgoing payment waits for people to approve it, whatever the merchant's rules say. */
  readonly needsApproval?: boolean
  /** The code of another rail that carries the payment from then on. */
  readonly carriedBy?: string
}

/** How far a payment has come when the rail is asked. */
export interface RailProgress {
  /** Seconds since the payment was accepted, by the database's clock. */
  readonly ageSeconds: number
  readonly externalReference: string | undefined
  /** Whether our books say already that the money arrived. */
  readonly isPaid: boolean
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
  | {
      readonly kind: 'SUCCEEDED'
      readonly received: Money
      readonly payer?: CollectedAccount
      /** Money that went out may come back: when to ask again. */
      readonly watchSeconds?: number
    }
  | { readonly kind: 'FAILED'; readonly code: string; readonly message: string }
  | { readonly kind: 'CANCELLED'; readonly message: string }
  /** Money that had gone out came back. */
  | { readonly kind: 'RETURNED'; readonly code: string; readonly message: string }
  | {
      readonly kind: 'WAITING'
      readonly askAgainSeconds: number | undefined
      /** No connection came about: the institution does not know of the payment. */
      readonly isUnsent?: true
    }
  | {
      readonly kind: 'UNKNOWN'
      readonly askAgainSeconds: number
      /**
       * Asked by `inquire` about money that goes out, the institution proves that it has nothing under the reference. Only a
       * rail whose answers are authenticated, and whose institution takes a reference once, may say so.
       */
      readonly isAbsent?: true
    }

/** How a customer completes a payment: sent to the institution, told where to pay, or paying elsewhere and bringing back a reference. */
type RailFlow = 'REDIRECT' | 'INSTRUCTIONS' | 'REFERENCE'

/** What a rail can do. */
export interface RailCapabilities {
  readonly directions: readonly RailPayment['kind'][]
  readonly flows: readonly RailFlow[]
  /** Whether a payment can be called off at the institution. */
  readonly cancels: boolean
  /** Payments that go out are collected and handed over together, in files: nobody calls `submit`. */
  readonly handsOverByFile?: true
  /** What is handed over twice is taken once, also where the first arrives last: what is absent goes there again at once. */
  readonly takesTwice?: true
}

/** What a rail is asked before a payment is made of it. */
export interface RailQuestion extends Pick<RailPayment, 'kind' | 'money' | 'methodCode'> {
  /** Undefined while it is only asked what can be offered. */
  readonly customer: RailCustomer | undefined
}

/** Why a rail does not take a payment. The message is one sentence for the merchant. */
export interface RailObjection {
  readonly code: 'CHANNEL_UNAVAILABLE' | 'ACCOUNT_INVALID'
  readonly message: string
}

/** A message of an institution as it came in. Names of headers are in lower case. */
export interface InboundNotification {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** When it came in, in milliseconds since 1970: reading it again later gives the same. */
  readonly receivedAtMs: number
}

/** A rail's report that ends a payment, or says that its money came back. */
export type FinalReport = Exclude<RailReport, { kind: 'WAITING' | 'UNKNOWN' }>

/** What a message of an institution turns out to be. */
export type NotificationReading =
  | {
      readonly kind: 'NOTICE'
      /** The institution's own id of the message: the same for all repeats. */
      readonly idNotification: string
      /** Ours, of the payment. */
      readonly reference: string
      /** The merchant, direction and money of the payment, as the institution knows them. */
      readonly merchantCode: string
      readonly direction: RailPayment['kind']
      readonly money: Money
      /** WAITING says that nothing is decided yet. */
      readonly report: FinalReport | Extract<RailReport, { kind: 'WAITING' }>
    }
  /** It does not prove that it comes from the institution. */
  | { readonly kind: 'FORGED'; readonly why: string }
  /** It comes from the institution, but it cannot be understood. */
  | { readonly kind: 'UNREADABLE'; readonly why: string }

/** A bank, wallet or scheme. */
export interface Rail {
  readonly code: string
  readonly capabilities: RailCapabilities
  /** Why the rail takes no such payment now; undefined when it does. Pure and fast, as `plan`. */
  objectTo?(question: RailQuestion): RailObjection | undefined
  /** Pure and fast, without talking to anyone: it runs on the way of the create request. */
  plan(payment: RailPayment): Plan
  /**
   * Money that comes in: talks to the institution, or asks it again; idempotent by the payment's reference. Never called
   * inside a transaction. An answer that takes too long counts as UNKNOWN; `signal` then tells the rail to give up.
   */
  advance(payment: RailPayment, progress: RailProgress, signal: AbortSignal): Promise<RailReport>
  /**
   * Money that goes out: hands the payment to the institution, under the payment's reference as the key. An answer that does
   * not come is UNKNOWN, and `inquire` asks for it. Called once in the life of a payment; once more only after `inquire`
   * reported that the institution proves to have nothing.
   */
  submit(payment: RailPayment, signal: AbortSignal): Promise<RailReport>
  /** Money that goes out: asks what became of a payment that was, or may have been, handed over. Changes nothing. */
  inquire(payment: RailPayment, progress: RailProgress, signal: AbortSignal): Promise<RailReport>
  /** Calls a payment off at the institution, which says what became of it: it may be too late. Idempotent by reference. */
  cancel?(payment: RailPayment, signal: AbortSignal): Promise<RailReport>
  /**
   * Proves and reads a message of the institution; for rails whose institution sends any. Pure: its keys and what it is
   * given, no clock, no network.
   */
  readNotification?(notification: InboundNotification): NotificationReading
}

/** By which chain, wallet and token a payout leaves. */
export interface PayoutWay {
  readonly code: string
  readonly chainId: number
  /** In lower case. */
  readonly wallet: string
  /** The contract, or `EVM_COIN`. */
  readonly token: string
  readonly decimals: number
}

/** Where payouts on chains are kept until they have left: whatever is taken there is sent from durable rows. */
export interface PayoutDesk {
  /** Keeps a payout that is to leave, under the seal of whom it goes to. Taking it twice changes nothing. */
  take(payment: Pick<RailPayment, 'reference' | 'money' | 'customer'>, way: PayoutWay): Promise<RailReport>
  /** What became of one. Of one that was never taken: absent, which the rows prove. */
  tell(payment: Pick<RailPayment, 'reference' | 'money'>, ageSeconds: number): Promise<RailReport>
}
