import type { OperatorPaymentSchema, Printed } from '@tollgate/contract'
import { clientCommand, type Pen } from '../client-command.ts'
import { get, pathOf } from '../operator-call.ts'
import { idPayment } from '../values.ts'

type Payment = Printed<typeof OperatorPaymentSchema>

/** A payment with everything that happened to it; personal data stays sealed. */
const showing = (
  path: 'payins' | 'payouts' | 'topups',
  permission: 'payins.read' | 'payouts.read' | 'topups.read',
  what: string,
) =>
  clientCommand({
    command: 'show <merchant> <id>',
    says: `show ${what} with its history`,
    permission,
    asks: (typed) => get(`/operator/${path}/${pathOf`${typed.merchant}/${idPayment(typed.id)}`}`),
    shows: (payment: Payment, pen) =>
      [facts(payment, pen), timeline(payment, pen), callbacks(payment, pen)].join('\n\n'),
  })

export const showPayin = showing('payins', 'payins.read', 'a payin')
export const showPayout = showing('payouts', 'payouts.read', 'a payout')
export const showTopUp = showing('topups', 'topups.read', 'a top-up')

function facts(payment: Payment, pen: Pen): string {
  const { process, received, merchantCode } = payment
  const { failureReasons: failure } = process
  return pen.pairs([
    ['Payment', `${payment.kind} ${payment.idPayment} of ${merchantCode}${process.isTest ? ' (test)' : ''}`],
    ['Status', `${process.status} (${process.processorStatus})`],
    ['Failure', failure && `${failure.failureReasonCode}: ${failure.message}`],
    ['Money', pen.money(payment.money)],
    ['Fee', pen.money(payment.fee)],
    ['Received', received && pen.money(received)],
    ['Method', [payment.paymentMethodCode, payment.paymentOperatorCode].filter(Boolean).join(' through ')],
    ['Segment', payment.segmentCode],
    ['Rail', payment.rail],
    ['Reference', payment.reference],
    ['External ref.', payment.externalReference],
    ['Created', pen.momentOf(process.createdAt)],
    ['Expires', pen.momentOf(payment.expireAt)],
    ['Processed', pen.momentOf(process.processedAt)],
    ['Callback URL', payment.callbackUrl],
    ['Return URL', payment.returnUrl],
  ])
}

const timeline = (payment: Payment, pen: Pen): string =>
  pen.table(
    ['TIME', 'STATUS', 'PHASE', 'BY', 'REASON'],
    payment.timeline.map((entry) => [
      pen.momentOf(entry.happenedAt),
      entry.status,
      entry.processorStatus,
      entry.actor ?? '',
      entry.reason ?? '',
    ]),
    'Nothing has happened yet.',
  )

function callbacks(payment: Payment, pen: Pen): string {
  const { callbacksRemovedUntil: until, timeline: entries } = payment
  const lastAt = entries.at(-1)?.happenedAt
  const mayBeGone = until !== undefined && (lastAt === undefined || lastAt < until)
  return pen.table(
    ['CALLBACK', 'STATE', 'ATTEMPTS', 'LAST'],
    payment.callbacks.map((event) => {
      const last = event.attempts.at(-1)
      return [
        event.eventId,
        event.state,
        `${event.attemptsStarted}/${event.attemptsMax}`,
        `${last?.outcome ?? ''} ${last?.httpStatus ?? ''}`.trim(),
      ]
    }),
    pen.orRemoved('No callback.', mayBeGone ? until : undefined),
  )
}
