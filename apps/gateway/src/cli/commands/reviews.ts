import type { Printed, ReviewDetailSchema, ReviewListSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf, reason } from '../values.ts'
import { LIMIT } from './options.ts'

const KINDS = ['payin', 'payout', 'topup', 'settlement'] as const
const OUTCOMES = ['executed', 'not-executed', 'returned', 'still-waiting', 'unchanged'] as const

type Review = Printed<typeof ReviewDetailSchema>

interface ListOptions extends OperatorOptions {
  readonly merchant?: string
  readonly limit: number
}

const list = clientCommand({
  command: 'list',
  says: 'list payments in review, the oldest first',
  options: [{ flags: '--merchant <code>', says: 'only of this merchant' }, LIMIT],
  permission: 'reviews.read',
  asks: (_typed, { merchant, limit }: ListOptions) => ({
    method: 'GET',
    path: '/operator/reviews',
    query: { merchantCode: merchant },
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof ReviewListSchema>, pen) =>
    pen.table(
      ['SINCE', 'MERCHANT', 'KIND', 'PAYMENT', 'MONEY', 'STATUS', 'RAIL', 'REFERENCE'],
      data.map(({ waitsSince, process, ...payment }) => [
        pen.momentOf(waitsSince),
        payment.merchantCode,
        payment.kind,
        payment.idPayment,
        pen.money(payment.money),
        `${process.status} (${process.processorStatus})`,
        payment.rail,
        payment.reference,
      ]),
      'No payments in review.',
    ),
})

const show = clientCommand({
  command: 'show <kind> <merchant> <id>',
  says: 'show a payment with its inquiries, answers and decisions',
  permission: 'reviews.read',
  asks: (typed) => get(reviewPath(typed)),
  shows: (review: Review, pen) => describeReview(review, pen),
})

interface DecideOptions extends OperatorOptions {
  readonly outcome: (typeof OUTCOMES)[number]
  readonly reason: string
}

const decide = clientCommand({
  command: 'decide <kind> <merchant> <id>',
  says: 'decide the outcome of a payment; where money moves, two operators must agree',
  options: [
    {
      flags: '--outcome <outcome>',
      says: OUTCOMES.join(', '),
      read: oneOf('--outcome', OUTCOMES),
      isRequired: true,
    },
    { flags: '--reason <text>', says: 'how you know; for the record', read: reason, isRequired: true },
  ],
  permission: 'reviews.decide',
  isByName: true,
  asks: (typed, { outcome, reason: why }: DecideOptions) =>
    post(`${reviewPath(typed)}/!decide`, { outcome: outcome.toUpperCase().replace('-', '_'), reason: why }),
  shows: (review: Review, pen) => describeReview(review, pen),
})

function reviewPath(typed: {
  readonly kind: string
  readonly merchant: string
  readonly id: string
}): string {
  const kind = oneOf('<kind>', KINDS)(typed.kind).toUpperCase()
  return pathOf`/operator/reviews/${kind}/${typed.merchant}/${idPayment(typed.id)}`
}

const describeReview = (review: Review, pen: Pen): string =>
  [facts(review, pen), timeline(review, pen), inquiries(review, pen)].join('\n\n')

const facts = ({ process, ...payment }: Review, pen: Pen): string =>
  pen.pairs([
    ['Payment', `${payment.kind} ${payment.idPayment} of ${payment.merchantCode}`],
    ['Status', `${process.status} (${process.processorStatus})`],
    ['Money', pen.money(payment.money)],
    ['Rail', payment.rail],
    ['Reference', payment.reference],
    ['Handed over', pen.momentOf(payment.submittedAt)],
  ])

const timeline = (review: Review, pen: Pen): string =>
  pen.table(
    ['TIME', 'STATUS', 'PHASE', 'BY', 'EVIDENCE', 'REASON'],
    review.timeline.map(({ evidence, ...entry }) => [
      pen.momentOf(entry.happenedAt),
      entry.status,
      entry.processorStatus,
      entry.actor ?? '',
      [evidence?.class, evidence?.operators?.join(' and ')].filter(Boolean).join(' of '),
      entry.reason ?? '',
    ]),
    'Nothing has happened yet.',
  )

function inquiries({ process, timeline: entries, ...review }: Review, pen: Pen): string {
  const { inquiriesRemovedUntil: until } = review
  const lastAt = entries.at(-1)?.happenedAt
  const mayBeGone = until !== undefined && (lastAt === undefined || lastAt < until)
  return pen.table(
    ['ASKED', 'LAST', 'TIMES', 'QUESTION', 'ANSWER', 'BECAUSE'],
    review.inquiries.map((inquiry) => [
      pen.momentOf(inquiry.askedAt),
      pen.momentOf(inquiry.lastAnsweredAt),
      String(inquiry.times),
      inquiry.operatorCode ?? inquiry.question,
      `${inquiry.answer}${inquiry.contradicts ? ' (contradicts)' : ''}`,
      `${inquiry.reasonCode ?? inquiry.reason ?? ''}${process.status === 'CREATED' ? staleText(inquiry) : ''}`,
    ]),
    pen.orRemoved('Nobody was asked yet.', mayBeGone ? until : undefined),
  )
}

/** Of a word that was about the payment as it was before. */
const staleText = ({ counts }: Review['inquiries'][number]): string =>
  counts === false ? ' (no longer counts)' : ''

/** Payments of which people have to find out what became of them. */
export function addReviewCommands(program: Command, shell: Shell): void {
  const reviews = program.command('reviews').description('payments with unknown outcome')
  for (const command of [list, show, decide]) command.addTo(reviews, shell)
}
