import {
  type Amount,
  addAmounts,
  compareAmounts,
  isPositive,
  type Money,
  negateAmount,
  subtractAmounts,
} from '@tollgate/money'

/** CYCLE: a period's money became available. REQUESTED: the merchant asked for available money to be paid out. */
export type SettlementKind = 'CYCLE' | 'REQUESTED'

const ITEM_TYPES = ['PAYIN', 'PAYOUT', 'TOPUP', 'FEE', 'REVERSAL', 'ADJUSTMENT'] as const
export type ItemType = (typeof ITEM_TYPES)[number]

/** Names a settlement: unique per merchant, whoever made it. */
export interface SettlementKey {
  readonly merchantId: string
  readonly idSettlement: string
}

/** What is settled together: everything that a merchant has earned in a currency. */
export interface CycleKey {
  readonly merchantId: string
  readonly currencyCode: string
}

/** A period: `from` belongs to it, `to` does not. */
interface Period {
  readonly from: Date
  readonly to: Date
}

/** How net money became money of another currency. The rate is a text: how much of the target one unit gives. */
interface HowConverted {
  readonly listCode: string
  readonly version: number
  /** The rows of the sheet that were used. */
  readonly currencyCodes: readonly string[]
  readonly side: string
  readonly rate: string
}

export interface SettledConversion extends HowConverted {
  readonly sold: Money
  readonly bought: Money
  /** The part of what was bought that paid what the merchant owed in that currency; absent where it owed nothing. */
  readonly repaid?: Money
}

/** Where a merchant is paid out to, as it may be shown. */
export interface ShownAccount {
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly maskedNumber: string
}

/** The payment that pays a requested settlement out. */
interface PaidOut {
  readonly status: string
  readonly processorStatus: string
  readonly processedAt: Date | undefined
  readonly failure: { readonly code: string; readonly message: string; readonly failedAt: Date } | undefined
  readonly isTest: boolean
}

export interface Settlement extends SettlementKey {
  readonly kind: SettlementKind
  readonly currencyCode: string
  /** Of a cycle only. */
  readonly period: Period | undefined
  readonly gross: Amount
  readonly fees: Amount
  /** Recalls, mostly: below zero. */
  readonly adjustments: Amount
  readonly net: Amount
  /** The part of net that paid what the merchant owed. */
  readonly repaid: Amount
  readonly conversion: SettledConversion | undefined
  /** Of a requested one only. */
  readonly account: ShownAccount | undefined
  readonly reference: string
  readonly requestDigest: Buffer | undefined
  readonly createdAt: Date
  /** Of a requested one only. */
  readonly paidOut: PaidOut | undefined
}

/** One transfer of the ledger in a settlement; net = gross - fee, below zero when money was taken back. */
export interface SettlementItem {
  readonly transferId: string
  readonly type: ItemType
  readonly idEntity: string
  readonly gross: Amount
  readonly fee: Amount
  readonly net: Amount
  readonly processedAt: Date
}

/** What the items of one type in a settlement add up to. */
export interface ItemSum extends Pick<SettlementItem, 'type' | 'gross' | 'fee' | 'net'> {
  readonly count: number
}

/** What transfers add up to. */
export interface Totals {
  readonly items: number
  readonly gross: Amount
  readonly fees: Amount
  readonly adjustments: Amount
  /** When the first of them was booked; undefined when there are none. */
  readonly firstAt: Date | undefined
}

/** gross - fees + adjustments: what leaves NOT_SETTLED. */
export function netOf({ gross, fees, adjustments }: Omit<Totals, 'items' | 'firstAt'>): Amount {
  return addAmounts(subtractAmounts(gross, fees), adjustments)
}

export function addTotals(a: Totals, b: Totals): Totals {
  return {
    items: a.items + b.items,
    gross: addAmounts(a.gross, b.gross),
    fees: addAmounts(a.fees, b.fees),
    adjustments: addAmounts(a.adjustments, b.adjustments),
    firstAt: earlier(a.firstAt, b.firstAt),
  }
}

function earlier(a: Date | undefined, b: Date | undefined): Date | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

/** Why a period is not settled now: its transfers stay where they are, for the next one. */
export type Carried = 'NOTHING' | 'NOT_POSITIVE' | 'BELOW_MINIMUM'

/** Undefined when the totals are to be settled. */
export function whyCarried(totals: Totals, minimum: Amount | undefined): Carried | undefined {
  if (totals.items === 0) return 'NOTHING'
  const net = netOf(totals)
  if (!isPositive(net)) return 'NOT_POSITIVE'
  return minimum !== undefined && compareAmounts(net, minimum) < 0 ? 'BELOW_MINIMUM' : undefined
}

/** What becomes of net: what the merchant owes in the currency is paid first. `receivable` is zero or negative. */
export function splitNet(
  net: Amount,
  receivable: Amount,
): { readonly repaid: Amount; readonly left: Amount } {
  const owed = negateAmount(receivable)
  const repaid = compareAmounts(net, owed) < 0 ? net : owed
  return { repaid, left: subtractAmounts(net, repaid) }
}

/** The start of the day (UTC) in which the first transfer was booked: a merchant's first period begins there. */
export function dayOf(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()))
}

const FORMER_MASK = /^\*{4}/

/** A masked number as it is shown everywhere: rows of earlier versions begin with four stars. */
export const shownNumber = (maskedNumber: string): string => maskedNumber.replace(FORMER_MASK, '…')

/** An id such as `2026-11-20-EUR-7Q2M8K`, for the period that ended then. */
export function cycleIdOf(to: Date, currencyCode: string, chance: string): string {
  return `${to.toISOString().slice(0, 10)}-${currencyCode}-${chance}`
}

/** The place in a list after which the next page begins, as callers carry it about. */
export function cursorAfter(id: string): string {
  return Buffer.from(id).toString('base64url')
}

/** The id in a cursor; undefined when it is not a cursor of ours. */
export function readCursor(cursor: string, pattern: RegExp): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('utf8')
  return pattern.test(id) && cursorAfter(id) === cursor ? id : undefined
}
