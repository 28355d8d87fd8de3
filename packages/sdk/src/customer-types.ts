import type { Money, Open, PaymentStatus } from './types.ts'

/** An account of one of your customers. */
export interface CustomerOwnAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode?: string | undefined
  readonly bankName?: string | undefined
}

/** What can be known of a customer. */
export interface CustomerData {
  readonly name?: string | undefined
  readonly emailAddress?: string | undefined
  readonly phone?: string | undefined
  /** ISO 3166-1 alpha-2. */
  readonly countryCode?: string | undefined
  /** The default of this customer's payments. */
  readonly segmentCode?: string | undefined
  readonly accounts?: readonly CustomerOwnAccount[] | undefined
}

/** What to change of a customer: what is absent stays, null removes. `accounts` replaces all of them. */
export type CustomerChange = {
  readonly [Name in keyof CustomerData]?: CustomerData[Name] | null
}

/** A customer. One that was erased has its id, its status and its times, and nothing else. */
export interface Customer extends CustomerData {
  readonly idCustomer: string
  readonly status: Open<'ACTIVE' | 'BLOCKED' | 'ERASED'>
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly erasedAt?: string
}

/** A payment in the list of a customer. */
export interface CustomerPayment {
  readonly kind: Open<'PAYIN' | 'PAYOUT' | 'TOPUP'>
  readonly id: string
  readonly status: PaymentStatus
  readonly money: Money
  readonly paymentMethodCode: string
  readonly createdAt: string
}
