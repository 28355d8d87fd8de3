import type {
  FoundPaymentListSchema,
  OperatorPayoutSchema,
  PaymentHistorySchema,
  Printed,
  VolumesSchema,
} from '@tollgate/contract'
import { PAYMENT_KINDS } from '@tollgate/contract/words'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { PAYMENT_COLUMNS, PAYMENT_FILTERS, paymentQuery, paymentRow } from '../found-payments.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { day, idPayment, oneOf, reason } from '../values.ts'
import { LIMIT } from './options.ts'
import { showPayin } from './payment-show.ts'
import { describePayout } from './payout-words.ts'

const OUTGOING = ['payout', 'settlement'] as const
const HOLDS = [
  ['hold', 'payments.hold', 'put an outgoing payment on hold before an institution has it'],
  ['release', 'payments.release', 'release a payment that another operator or the gateway put on hold'],
  [
    'cancel',
    'payments.release',
    'cancel a payment on hold; its money is released and the merchant gets the reason',
  ],
] as const

/** Stopping one outgoing payment before an institution has it. */
const holds = HOLDS.map(([action, permission, says]) =>
  clientCommand({
    command: `${action} <kind> <merchant> <id>`,
    says: `${says} (kind: ${OUTGOING.join(', ')})`,
    options: [{ flags: '--reason <text>', says: 'for the record', read: reason, isRequired: true }],
    permission,
    isByName: true,
    asks: (typed, { reason: why }: OperatorOptions & { readonly reason: string }) => {
      const kind = oneOf('<kind>', OUTGOING)(typed.kind).toUpperCase()
      return post(
        `${pathOf`/operator/payments/${kind}/${typed.merchant}/${idPayment(typed.id)}`}/!${action}`,
        { reason: why },
      )
    },
    shows: (payout: Printed<typeof OperatorPayoutSchema>, pen) => describePayout(payout, pen),
  }),
)

const list = clientCommand({
  command: 'list',
  says: 'find payments of all kinds by --id, --reference, --customer, or --created-from',
  options: [...PAYMENT_FILTERS, LIMIT],
  permission: 'payouts.read',
  asks: (_typed, options: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: '/operator/payments',
    query: paymentQuery(options),
    upTo: options.limit,
  }),
  shows: ({ data }: Printed<typeof FoundPaymentListSchema>, pen) =>
    pen.table(
      PAYMENT_COLUMNS,
      data.map((found) => paymentRow(found, pen)),
      'No payment matches.',
    ),
})

const history = clientCommand({
  command: 'history <kind> <merchant> <id>',
  says: 'show everything that happened to a payment: statuses, evidence, people, bookings, callbacks',
  permission: 'payouts.read',
  asks: (typed) => {
    const kind = oneOf('<kind>', KINDS)(typed.kind).toUpperCase()
    return get(`${pathOf`/operator/payments/${kind}/${typed.merchant}/${idPayment(typed.id)}`}/history`)
  },
  shows: ({ data }: Printed<typeof PaymentHistorySchema>, pen) =>
    pen.table(
      ['TIME', 'WHAT', 'SAYS', 'BY', 'MORE'],
      data.map(({ happenedAt, what, says, by = '', facts = {} }) => [
        pen.momentOf(happenedAt),
        what,
        says,
        by,
        Object.entries(facts)
          .map(([name, value]) => `${name}: ${value}`)
          .join(', '),
      ]),
      'Nothing has happened yet.',
    ),
})

const KINDS = PAYMENT_KINDS.map((kind) => kind.toLowerCase())

interface VolumeWish extends OperatorOptions {
  readonly from: string
  readonly to: string
  readonly hours?: true
  readonly by?: string
  readonly merchant?: string
  readonly currency?: string
}

const volumes = clientCommand({
  command: 'volumes',
  says: 'show how many payments were created and how they ended, with amounts, by day or hour',
  options: [
    { flags: '--from <day>', says: 'for example 2026-11-01', read: day('--from'), isRequired: true },
    { flags: '--to <day>', says: 'not included', read: day('--to'), isRequired: true },
    { flags: '--hours', says: 'by the hour; at most 31 days' },
    {
      flags: '--by <what>',
      says: 'merchant or method: a row for each',
      read: oneOf('--by', ['merchant', 'method']),
    },
    { flags: '--merchant <code>', says: 'only of this merchant' },
    { flags: '--currency <code>', says: 'only in this currency' },
  ],
  permission: 'payouts.read',
  asks: (_typed, { from, to, hours, by, merchant, currency }: VolumeWish) => ({
    method: 'GET',
    path: '/operator/volumes',
    query: {
      step: hours === true ? 'HOUR' : 'DAY',
      by: by?.toUpperCase(),
      from: `${from}T00:00:00Z`,
      to: `${to}T00:00:00Z`,
      merchantCode: merchant,
      currencyCode: currency,
    },
  }),
  shows: ({ data }: Printed<typeof VolumesSchema>, pen) =>
    pen.table(
      ['FROM', 'KIND', 'OF', 'CREATED', 'SUCCEEDED', 'VOLUME', 'FAILED', 'CANCELLED', 'EXPIRED', 'REVERSED'],
      data.map((each) => [
        pen.momentOf(each.from),
        each.kind,
        each.merchantCode ?? each.paymentMethodCode ?? 'all',
        ...[each.created, each.succeeded].map(({ payments }) => String(payments)),
        pen.money({ amount: each.succeeded.amount, currencyCode: each.currencyCode }),
        ...[each.failed, each.cancelled, each.expired, each.reversed].map(({ payments }) => String(payments)),
      ]),
      'Nothing is counted there yet.',
    ),
})

/** Payments, for those who look after them. */
export function addPaymentCommands(program: Command, shell: Shell): void {
  showPayin.addTo(program.command('payins').description('incoming payments'), shell)
  const payments = program
    .command('payments')
    .description('payments of all kinds: find, history, volumes, hold, release')
  for (const command of [list, history, volumes, ...holds]) command.addTo(payments, shell)
}
