import type { FoundPaymentListSchema, Printed } from '@tollgate/contract'
import type { OptionRow, Pen } from './client-command.ts'
import type { OperatorCall } from './operator-call.ts'
import { moment } from './values.ts'

// The search for payments, in one gateway and in all cells: its options, and how a payment is listed.

/** A payment as the operator API lists it. */
export type FoundPayment = Printed<typeof FoundPaymentListSchema>['data'][number]

/** A filter of the search, by the name that the API has for it. */
const FILTERS = [
  ['idPayment', '--id <id>', 'the payment’s id'],
  ['reference', '--reference <text>', 'ours, the one the payer was shown, or the institution’s'],
  ['idCustomer', '--customer <id>', 'the customer’s id; needs --merchant'],
  ['merchantCode', '--merchant <code>', 'only of this merchant'],
  ['kind', '--kind <kind>', 'PAYIN, PAYOUT, TOPUP, SETTLEMENT'],
  ['status', '--status <status>', 'for example CREATED, SUCCESS, FAILED'],
  ['currencyCode', '--currency <code>', 'only in this currency'],
  ['paymentMethodCode', '--method <code>', 'only by this payment method'],
  ['amountFrom', '--amount-from <amount>', 'at least'],
  ['amountTo', '--amount-to <amount>', 'at most'],
  ['createdFrom', '--created-from <moment>', 'created then or later: a day or moment (UTC)'],
  ['createdTo', '--created-to <moment>', 'created before'],
] as const

/** The options of the search. */
export const PAYMENT_FILTERS: readonly OptionRow[] = FILTERS.map(([, flags, says]) => {
  const [flag = '', value] = flags.split(' ')
  return value === '<moment>' ? { flags, says, read: moment(flag) } : { flags, says }
})

/** The query of `GET /operator/payments`, of the options as they were parsed. */
export const paymentQuery = (options: object): NonNullable<OperatorCall['query']> =>
  Object.fromEntries(FILTERS.map(([name, flags]) => [name, textOf(Reflect.get(options, typedAs(flags)))]))

/** The name that the parser of the command line has for a flag: `--amount-from <amount>` is amountFrom. */
const typedAs = (flags: string): string =>
  flags.slice(2, flags.indexOf(' ')).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export const PAYMENT_COLUMNS = [
  'CREATED',
  'MERCHANT',
  'KIND',
  'ID',
  'MONEY',
  'STATUS',
  'PHASE',
  'REFERENCE',
] as const

/** A payment under these columns. */
export const paymentRow = (found: FoundPayment, pen: Pick<Pen, 'momentOf' | 'money'>): readonly string[] => [
  pen.momentOf(found.createdAt),
  found.merchantCode,
  found.kind,
  found.idPayment,
  pen.money(found.money),
  found.status,
  found.processorStatus,
  found.reference,
]
