import { rawAmount } from '@tollgate/money'
import { createMerchantDirectory, findMerchantCode } from '../../modules/merchants/index.ts'
import type { Payment } from '../../modules/payments/index.ts'
import { findFileOfPayment } from '../../modules/payout-files/index.ts'
import { createReviewService, type ReviewService, type ReviewView } from '../../modules/reviews/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { Refusal } from '../../platform/refusal.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import { withOperator } from '../operator-identity.ts'
import type { OperatorOptions } from '../operator-key.ts'
import { orRemoved } from '../removed.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'
import { servicePayments } from './payments.ts'

interface Wish {
  readonly kind: 'payin' | 'payout' | 'topup' | 'settlement'
  readonly merchant: string
  readonly id: string
}

const KINDS = { payin: 'PAYIN', payout: 'PAYOUT', topup: 'TOPUP', settlement: 'SETTLEMENT' } as const
const OUTCOMES = {
  executed: 'EXECUTED',
  'not-executed': 'NOT_EXECUTED',
  returned: 'RETURNED',
  'still-waiting': 'STILL_WAITING',
  unchanged: 'UNCHANGED',
} as const

/** `tollgate reviews list`. */
export function list(
  shell: Shell,
  wish: { readonly merchant?: string; readonly limit: number },
): Promise<Report> {
  return inHouse(shell, async (house) => {
    const order = { merchantCode: wish.merchant, after: undefined, limit: wish.limit }
    const { items } = await orExplain(
      reviewsOf(shell, house).list(order),
      `There is no merchant ${wish.merchant}.`,
    )
    return {
      json: items.map(({ merchantCode, payment, since }) => ({
        ...present(merchantCode, payment),
        waitsSince: since,
      })),
      text: table(
        ['SINCE', 'MERCHANT', 'KIND', 'PAYMENT', 'MONEY', 'STATUS', 'RAIL', 'REFERENCE'],
        items.map(({ merchantCode, payment, since }) => [
          moment(since),
          merchantCode,
          payment.kind,
          payment.idPayment,
          moneyText(payment),
          `${payment.status} (${payment.processorStatus})`,
          payment.rail,
          payment.reference,
        ]),
        'Nothing waits for people.',
      ),
    }
  })
}

/** `tollgate reviews show`. */
export function show(shell: Shell, wish: Wish): Promise<Report> {
  return inHouse(shell, async (house) =>
    reportOf(house, await orExplain(reviewsOf(shell, house).show(named(wish)), missing(wish))),
  )
}

/** `tollgate reviews decide`. */
export function decide(
  shell: Shell,
  wish: Wish & { readonly outcome: keyof typeof OUTCOMES; readonly reason: string },
  options: OperatorOptions,
): Promise<Report> {
  return withOperator(shell, {
    options,
    permission: 'reviews.decide',
    work: async (house, operator) => {
      const outcome = OUTCOMES[wish.outcome]
      const order = { operatorCode: operator.code, outcome, reason: wish.reason }
      const decided = reviewsOf(shell, house).decide(named(wish), order)
      return reportOf(house, await orExplain(decided, missing(wish)))
    },
  })
}

const named = ({ kind, merchant, id }: Wish) =>
  ({ kind: KINDS[kind], merchantCode: merchant, idPayment: id }) as const

const missing = ({ kind, merchant, id }: Wish): string => `${merchant} has no ${kind} ${id}.`

function reviewsOf(shell: Shell, house: House): ReviewService {
  const changes = watchConfiguration({ ...house, clock: shell.clock })
  return createReviewService({
    ...house,
    payments: servicePayments(shell, house),
    merchants: createMerchantDirectory({ ...house, changes }),
    merchantCodeOf: (merchantId) => findMerchantCode(house.db, merchantId),
    findPayoutFile: findFileOfPayment.bind(undefined, house.db),
    // The workers find it by polling, within a second.
    wakeWorker: () => undefined,
  })
}

/** A refusal as a sentence with its exit code. */
async function orExplain<Result>(work: Promise<Result>, whenMissing: string): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.status === 410) throw new CommandFailure('NOT_FOUND', whenMissing)
    if (error.status === 409) throw new CommandFailure('CONFLICT', error.message)
    throw error
  }
}

function present(merchantCode: string, payment: Payment): Record<string, unknown> {
  const { money } = payment
  return {
    merchantCode,
    kind: payment.kind,
    idPayment: payment.idPayment,
    status: payment.status,
    processorStatus: payment.processorStatus,
    money: { amount: rawAmount(money.amount), currencyCode: money.currencyCode },
    rail: payment.rail,
    reference: payment.reference,
    submittedAt: payment.submittedAt ?? null,
  }
}

const moneyText = ({ money }: Payment): string => `${money.amount} ${money.currencyCode}`

async function reportOf(house: House, view: ReviewView): Promise<Report> {
  const { merchantCode, payment, timeline, inquiries } = view
  const whenNone = await orRemoved(house, 'INQUIRIES', {
    sentence: 'Nobody was asked yet.',
    overAt: timeline.at(-1)?.happenedAt,
  })
  return {
    json: {
      ...present(merchantCode, payment),
      timeline,
      inquiries: inquiries.map(({ digest, ...inquiry }) => ({
        ...inquiry,
        digest: digest?.toString('hex') ?? null,
      })),
    },
    text: [describe(view), timelineText(view), inquiryText(view, whenNone)].join('\n\n'),
  }
}

function describe({ merchantCode, payment }: ReviewView): string {
  return pairs([
    ['Payment', `${payment.kind} ${payment.idPayment} of ${merchantCode}`],
    ['Status', `${payment.status} (${payment.processorStatus})`],
    ['Money', moneyText(payment)],
    ['Rail', payment.rail],
    ['Reference', payment.reference],
    ['Handed over', payment.submittedAt && moment(payment.submittedAt)],
  ])
}

function timelineText({ timeline }: ReviewView): string {
  return table(
    ['TIME', 'STATUS', 'PHASE', 'BY', 'EVIDENCE', 'REASON'],
    timeline.map((entry) => [
      moment(entry.happenedAt),
      entry.status,
      entry.processorStatus,
      entry.actor,
      evidenceText(entry.evidence),
      entry.reason ?? '',
    ]),
    'Nothing has happened yet.',
  )
}

const evidenceText = (evidence: ReviewView['timeline'][number]['evidence']): string =>
  evidence === undefined
    ? ''
    : [evidence.class, evidence.operators.join(' and ')].filter(Boolean).join(' of ')

function inquiryText({ payment, inquiries }: ReviewView, whenNone: string): string {
  return table(
    ['ASKED', 'LAST', 'TIMES', 'QUESTION', 'ANSWER', 'BECAUSE'],
    inquiries.map((inquiry) => [
      moment(inquiry.askedAt),
      moment(inquiry.lastAnsweredAt),
      String(inquiry.times),
      inquiry.operatorCode ?? inquiry.question,
      `${inquiry.answer}${inquiry.contradicts ? ' (contradicts)' : ''}`,
      `${inquiry.reasonCode ?? inquiry.reason ?? ''}${payment.status === 'CREATED' ? staleText(inquiry) : ''}`,
    ]),
    whenNone,
  )
}

/** Of a word that was about the payment as it was before. */
const staleText = ({ operatorCode, counts }: ReviewView['inquiries'][number]): string =>
  operatorCode === undefined || counts ? '' : ' (no longer counts)'
