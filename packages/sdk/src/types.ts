/** Values that may grow without a new version of the interface (specification 9.5): handle the ones you know. */
export type Open<Known extends string> = Known | (string & {})

/** `amount` is a decimal string such as `'149.90'`; on the wire it is a JSON number with the same digits. */
export interface Money {
  readonly amount: string
  readonly currencyCode: string
}

/** CREATED is the only status before the end; EXPIRED may still become SUCCESS, and SUCCESS may become REVERSED. */
export type PaymentStatus = Open<'CREATED' | 'SUCCESS' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'REVERSED'>
export type Flow = Open<'REDIRECT' | 'INSTRUCTIONS' | 'QR' | 'REFERENCE'>
export type Availability = Open<'OPERATIONAL' | 'DELAYED' | 'CLOSED'>
export type TokenAction = Open<
  'PAYIN_CREATE' | 'PAYIN_INFO' | 'PAYOUT_CREATE' | 'PAYOUT_INFO' | 'TOPUP_CREATE' | 'TOPUP_INFO'
>

/** An account of a customer; which members a method needs is in its `fields`. */
export interface CustomerAccount {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

/** The range that a rejected amount would have to lie in. */
export interface Limit {
  readonly min: string
  readonly max: string
  readonly currencyCode: string
}
/** A range of amounts that a method takes. */
export interface MethodLimit {
  readonly minAmount: string
  readonly maxAmount: string
  readonly currencyCode: string
}
/** A data point that a method takes from the customer. */
export interface Field {
  readonly name: string
  readonly required: boolean
  readonly pattern?: string
  readonly maxLength?: number
}
/** Something with a code: a segment, an operator of a method. */
export interface Coded {
  readonly code: string
  readonly name: string
}
/** What methods and options share. */
interface Method {
  readonly paymentMethodCode: string
  readonly name: string
  readonly paymentOperators: readonly Coded[]
  readonly flow: Flow
  readonly fields: readonly Field[]
  readonly limits: readonly MethodLimit[]
}
/** A method offered for the requested money (specification 2.7), with a preview of its fee. */
export interface PaymentOption extends Method {
  readonly fee?: Money
}
export interface PaymentMethod extends Method {
  readonly operations: readonly string[]
  readonly currencyCodes: readonly string[]
}
export interface Currency extends Coded {
  /** Decimals an amount may have. */
  readonly minorUnits: number
  readonly type: Open<'FIAT' | 'CRYPTO'>
  readonly operations: readonly string[]
}
export interface PaymentOperator extends Coded {
  readonly type: Open<'BANK' | 'WALLET'>
  readonly countryCode?: string
  readonly currencyCodes: readonly string[]
  readonly availability: { readonly payin: Availability; readonly payout: Availability }
}

/** balance = available + notSettled + reserved. */
export interface Balance {
  readonly currencyCode: string
  readonly balance: Money
  readonly available: Money
  readonly notSettled: Money
  readonly reserved: Money
  readonly updatedAt: string
}

export interface MerchantInfo {
  readonly merchantCode: string
  readonly channelInfo: {
    readonly name: string
    readonly logoUrl?: string
    /** In pixels. */
    readonly logoWidth?: number
    readonly logoHeight?: number
    readonly supportEmail?: string
    readonly supportUrl?: string
    readonly primaryColor?: string
  }
  readonly isTest: boolean
  /** `whpk_` keys for `verifyCallback`, newest first. */
  readonly callbackPublicKeys: readonly string[]
}

/** A part of a list. `nextCursor` asks for the part after it; absent at the end. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly nextCursor?: string
}
/** Which part of a list to read; at first without a cursor. */
export interface PageRequest {
  readonly cursor?: string | undefined
  /** Items of the part: 1 to 100, by default 50. */
  readonly limit?: number | undefined
}
