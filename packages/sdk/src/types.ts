import type {
  AuthTokenByActionRequestSchema,
  BalanceListSchema,
  BasicErrorSchema,
  ConversionSchema,
  CurrencyListSchema,
  CustomerCreateSchema,
  CustomerPatchSchema,
  CustomerPaymentListSchema,
  CustomerSchema,
  MerchantInfoSchema,
  MethodListSchema,
  MoneySchema,
  Open,
  OperatorListSchema,
  PayinAcceptedSchema,
  PayinCreateSchema,
  PayinDetailSchema,
  PaymentAccountsSchema,
  PaymentOptionsSchema,
  PayoutAcceptedSchema,
  PayoutDetailSchema,
  RateListListSchema,
  RateSheetSchema,
  Read,
  ReadItem,
  RefundAcceptedSchema,
  RefundDetailSchema,
  RejectionSchema,
  SegmentListSchema,
  Sent,
  SettlementItemSchema,
  SettlementSchema,
  TopUpAcceptedSchema,
  TopUpDetailSchema,
} from '@tollgate/contract'

// The records of the wire, by the schemas that the gateway checks and documents itself. Amounts are decimal strings.

export type { Open }

/** `amount` is a decimal string such as `'149.90'`; on the wire it is a JSON number with the same digits. */
export type Money = Read<typeof MoneySchema>

/** What the gateway answers to the create of a payin (specification 2.3). */
export type PayinAccepted = Read<typeof PayinAcceptedSchema>
/** The detail of a payin. */
export type Payin = Read<typeof PayinDetailSchema>
/** What the gateway answers to the create of a payout (specification 2.5): its money is held from then on. */
export type PayoutAccepted = Read<typeof PayoutAcceptedSchema>
/** What the gateway answers to the create of a refund: its money is held from then on. */
export type RefundAccepted = Read<typeof RefundAcceptedSchema>
/** The detail of a refund. */
export type Refund = Read<typeof RefundDetailSchema>
/** The detail of a payout (specification 2.6). */
export type Payout = Read<typeof PayoutDetailSchema>
/** What the gateway answers to the create of a top-up. */
export type TopUpAccepted = Read<typeof TopUpAcceptedSchema>
/** The detail of a top-up: like those of the others it says `paymentRequested`. */
export type TopUp = Read<typeof TopUpDetailSchema>

/** The members that the details of all payments have beside their own. */
export type PaymentDetail = Omit<Payin, 'paymentMethodResponse'>
/** What was asked for. */
export type Requested = Payin['paymentRequested']
/** What the payer needs in order to pay; which members are there depends on the method. */
export type PaymentInstructions = Omit<Payin['paymentMethodResponse'], 'idPayin'>
/** Where the customer pays to. */
export type PayeeAccount = NonNullable<PaymentInstructions['account']>
/** How far a payment has come. */
export type PaymentProcess = Payin['process']
/** CREATED is the only status before the end; EXPIRED may still become SUCCESS, and SUCCESS may become REVERSED. */
export type PaymentStatus = PaymentProcess['status']
/** How a fee that is priced in another currency came about. */
export type FeeConversion = NonNullable<Payin['feeConversion']>
/** Account data collected with the request or during the process. */
export type PaymentAccount = ReadItem<typeof PaymentAccountsSchema>
/** An account of a customer; which members a method needs is in its `fields`. */
export type CustomerAccount = NonNullable<Sent<typeof PayinCreateSchema>['paymentMethod']['account']>

/** A method offered for the requested money (specification 2.7), with a preview of its fee. */
export type PaymentOption = ReadItem<typeof PaymentOptionsSchema>
export type Flow = PaymentOption['flow']
/** A data point that a method takes from the customer. */
export type Field = PaymentOption['fields'][number]
export type PaymentMethod = ReadItem<typeof MethodListSchema>
export type Currency = ReadItem<typeof CurrencyListSchema>
export type PaymentOperator = ReadItem<typeof OperatorListSchema>
export type Availability = PaymentOperator['availability']['payin']
/** Something with a code: a segment, an operator of a method. */
export type Coded = ReadItem<typeof SegmentListSchema>
export type MerchantInfo = Read<typeof MerchantInfoSchema>
/** balance = available + notSettled + reserved. */
export type Balance = ReadItem<typeof BalanceListSchema>
export type TokenAction = Sent<typeof AuthTokenByActionRequestSchema>['action']

/** What can be known of a customer. */
export type CustomerData = Sent<typeof CustomerCreateSchema>
/** What to change of a customer: what is absent stays, null removes. `accounts` replaces all of them. */
export type CustomerChange = Sent<typeof CustomerPatchSchema>
/** A customer. One that was erased has its id, its status and its times, and nothing else. */
export type Customer = Read<typeof CustomerSchema>
/** An account of one of your customers. */
export type CustomerOwnAccount = NonNullable<CustomerData['accounts']>[number]
/** A payment in the list of a customer. */
export type CustomerPayment = ReadItem<typeof CustomerPaymentListSchema>

/** A rate list. One without a sheet in force has no dates. */
export type RateList = ReadItem<typeof RateListListSchema>
/** A sheet of a rate list; it never changes. */
export type RateSheet = Read<typeof RateSheetSchema>
/**
 * One row of a sheet, with decimal strings as they were quoted. DIRECT: `unit` of `currencyCode` is so many of the base
 * currency. INDIRECT: `unit` of the base currency is so many of `currencyCode`.
 */
export type Rate = RateSheet['rates'][number]
/** What money is worth, and by which rows. */
export type Conversion = Read<typeof ConversionSchema>
/** What the gateway does with the money: buys it, sells it, or neither. */
export type RateSide = Sent<typeof ConversionSchema>['side']

/**
 * What became available in a cycle, or available money that you asked to be paid out. net = gross - fees + adjustments,
 * exactly. Amounts may be below zero where money was taken back.
 */
export type Settlement = Read<typeof SettlementSchema>
/** How money in another currency became part of a settlement. */
export type SettlementConversion = NonNullable<Settlement['conversion']>
/** One booking of a settlement of a cycle: net = money - fee. */
export type SettlementItem = Read<typeof SettlementItemSchema>

/** One invalid member of a request (400). */
export type Violation = NonNullable<Read<typeof BasicErrorSchema>['violations']>[number]
/** One business reason of a 406. */
export type RejectionItem = Read<typeof RejectionSchema>[number]
/** The range that a rejected amount would have to lie in. */
export type Limit = NonNullable<RejectionItem['limit']>

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
