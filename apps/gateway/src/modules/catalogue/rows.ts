import type { AccountScheme } from '@tollgate/payment-codes'
import type { Availability, Currency, Direction, FieldName, Method, Segment, Speed } from './model.ts'

// What the database holds, row by row. Amounts are texts: a JSON number would lose digits on its way through the driver.

export interface OperatorRow {
  readonly code: string
  readonly name: string
  readonly type: 'BANK' | 'WALLET'
  readonly countryCode: string | null
  readonly currencyCodes: readonly string[]
  readonly payin: Availability
  readonly payout: Availability
  readonly popularRank: number | null
  readonly bic: string | null
  readonly aliases: readonly string[]
}
export interface MethodRow
  extends Pick<Method, 'code' | 'name' | 'flow' | 'rail' | 'externalReference' | 'expiresAfterSeconds'> {
  readonly payinSpeed: Speed | null
  readonly payoutSpeed: 'INSTANT' | null
}
export interface MethodOperatorRow {
  readonly methodCode: string
  readonly operatorCode: string
}
export interface LimitRow {
  readonly methodCode: string
  readonly direction: Direction
  readonly currencyCode: string
  readonly segmentCode: string
  readonly min: string
  readonly max: string
}
export interface ExcludedSegmentRow {
  readonly methodCode: string
  readonly segmentCode: string
}
export interface FieldRow {
  readonly methodCode: string
  readonly direction: Direction
  readonly name: FieldName
  readonly required: boolean
  readonly pattern: string | null
  readonly maxLength: number | null
  readonly checksum: AccountScheme | null
}
export interface FeeRow {
  readonly direction: Direction
  readonly methodCode: string
  readonly operatorCode: string
  readonly segmentCode: string
  readonly currencyCode: string
  readonly fixed: string
  readonly percentage: string
  readonly minimum: string | null
  readonly maximum: string | null
  /** Both or neither: the currency of the fixed part and the bounds, and the list that converts them. */
  readonly pricedCurrencyCode: string | null
  readonly rateListCode: string | null
}

/** Whether an institution is there, as people say it or, if they do not, as the workers see it. */
export interface HealthRow {
  readonly type: 'OPERATOR' | 'RAIL'
  readonly code: string
  readonly direction: 'PAYIN' | 'PAYOUT'
  readonly availability: Availability
  /** What people say counts even where the catalogue says otherwise. */
  readonly isByHand: boolean
}

/** The rows of everything that is switched on, each list in the order in which it is shown. */
export interface CatalogueRows {
  readonly currencies: readonly Currency[]
  readonly segments: readonly Segment[]
  readonly operators: readonly OperatorRow[]
  readonly methods: readonly MethodRow[]
  readonly methodOperators: readonly MethodOperatorRow[]
  readonly limits: readonly LimitRow[]
  readonly excludedSegments: readonly ExcludedSegmentRow[]
  readonly fields: readonly FieldRow[]
  readonly fees: readonly FeeRow[]
  /** Of institutions that are, or were, anything but well. */
  readonly health: readonly HealthRow[]
}

export interface MerchantMethodRow {
  readonly methodCode: string
  readonly direction: Direction
}
export interface MerchantLimitRow extends MerchantMethodRow {
  readonly currencyCode: string
  readonly min: string | null
  readonly max: string | null
  readonly dailyAmountMax: string | null
  readonly dailyCountMax: number | null
}

export interface MerchantTermsRows {
  readonly methods: readonly MerchantMethodRow[]
  readonly limits: readonly MerchantLimitRow[]
  readonly fees: readonly FeeRow[]
}
