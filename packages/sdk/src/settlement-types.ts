import type { PaymentProcess } from './payment-types.ts'
import type { Money, Open } from './types.ts'

/** How money in another currency became part of a settlement. */
export interface SettlementConversion {
  readonly sold: Money
  readonly bought: Money
  readonly rateListCode: string
  readonly version: number
  readonly currencyCodes: readonly string[]
  readonly side: Open<'BUY' | 'SELL' | 'MID'>
  /** How much of the other currency one unit of `sold` gives: a decimal string. */
  readonly rate: string
}

/**
 * What became available in a cycle, or available money that you asked to be paid out. net = gross - fees + adjustments,
 * exactly. Amounts may be below zero where money was taken back.
 */
export interface Settlement {
  readonly idSettlement: string
  readonly kind: Open<'CYCLE' | 'REQUESTED'>
  /** Of a cycle: ISO 8601, UTC; `to` does not belong to it. */
  readonly period?: { readonly from: string; readonly to: string }
  readonly gross: Money
  readonly fees: Money
  readonly adjustments: Money
  readonly net: Money
  /** The part of `net` that paid what you owed after a recall. */
  readonly repaid?: Money
  readonly conversion?: SettlementConversion
  /** Where it is paid to. */
  readonly account?: {
    readonly paymentMethodCode: string
    readonly paymentOperatorCode?: string
    /** All but its end is hidden. */
    readonly accountNumber: string
  }
  readonly reference: string
  readonly process: PaymentProcess
}

/** One booking of a settlement of a cycle: net = money - fee. */
export interface SettlementItem {
  readonly type: Open<'PAYIN' | 'PAYOUT' | 'TOPUP' | 'FEE' | 'REVERSAL' | 'ADJUSTMENT'>
  /** The idPayin, idPayout or idTopUp. */
  readonly idEntity: string
  readonly money: Money
  readonly fee: Money
  readonly net: Money
  readonly processedAt: string
}
