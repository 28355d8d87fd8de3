import type { Amount } from './amount.ts'

/** An amount of one currency (specification section 2.1): a three-letter ISO 4217 code, or a crypto currency's usual one. */
export interface Money {
  readonly amount: Amount
  readonly currencyCode: string
}
