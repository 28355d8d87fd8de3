import {
  type Answer,
  type AnswerItem,
  answers,
  ID_PATTERN,
  PAGE_LIMIT_DEFAULT,
  ReviewDecideSchema,
  ReviewDetailSchema,
  ReviewListSchema,
  ReviewParams,
  ReviewsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import {
  DECISIONS_NEEDED,
  openOutcomes,
  PAYMENT_KINDS,
  type Payment,
  presentMoney,
  presentProcess,
  presentTimelineEntry,
  REVIEW_OUTCOMES,
  type ReviewPosition,
} from '../payments/index.ts'
import type { NamedPayment, ReviewService, ReviewView, WaitingPayment } from './service.ts'

const operation = operatorOperationsOf('Reviews')
type Detail = Answer<typeof ReviewDetailSchema>

/** Payments of which people have to find out what became of them. */
export function reviewOperatorRoutes(app: App, reviews: ReviewService): void {
  listRoute(app, reviews)
  app.get(
    '/operator/reviews/:kind/:merchantCode/:idPayment',
    operation('readReview', 'reviews.read', {
      summary: 'A payment of any kind, with everything that was asked, answered and decided about it',
      params: ReviewParams,
      response: answers({ 200: ReviewDetailSchema }, 410),
    }),
    async (request) => presentDetail(await reviews.show(namedBy(request.params))),
  )
  app.post(
    '/operator/reviews/:kind/:merchantCode/:idPayment/!decide',
    operation(
      'decideReview',
      'reviews.decide',
      {
        summary: 'Decide the outcome of a payment; decisions that move money take two operators who agree',
        params: ReviewParams,
        body: ReviewDecideSchema,
        response: answers({ 200: ReviewDetailSchema }, 406, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { outcome, reason } = request.body
      const order = {
        operatorCode: operatorOf(request).code,
        outcome: oneOf(REVIEW_OUTCOMES, outcome, 'outcome'),
        reason,
      }
      return presentDetail(await reviews.decide(namedBy(request.params), order))
    },
  )
}

function listRoute(app: App, reviews: ReviewService): void {
  app.get(
    '/operator/reviews',
    operation('listReviews', 'reviews.read', {
      summary: 'List payments that wait for people, the longest waiting first',
      querystring: ReviewsQuery,
      response: answers({ 200: ReviewListSchema }, 410),
    }),
    async (request) => {
      const { merchantCode, cursor, limit } = request.query
      const { items, next } = await reviews.list({
        merchantCode,
        after: cursor === undefined ? undefined : readAfter(cursor),
        limit: limit === undefined ? PAGE_LIMIT_DEFAULT : Number(limit),
      })
      return { data: items.map(presentItem), ...(next !== undefined && { nextCursor: cursorAfter(next) }) }
    },
  )
}

function namedBy(params: {
  readonly kind: string
  readonly merchantCode: string
  readonly idPayment: string
}): NamedPayment {
  return { ...params, kind: oneOf(PAYMENT_KINDS, params.kind, 'kind') }
}

/** The schema has let nothing else through. */
function oneOf<Choice extends string>(choices: readonly Choice[], text: string, field: string): Choice {
  const choice = choices.find((known) => known === text)
  if (choice === undefined) throw invalidField(field, `is none of ${choices.join(', ')}`)
  return choice
}

const presentItem = ({
  merchantCode,
  payment,
  since,
}: WaitingPayment): AnswerItem<typeof ReviewListSchema> => ({
  ...presentPayment(merchantCode, payment),
  waitsSince: since.toISOString(),
})

function presentPayment(
  merchantCode: string,
  payment: Payment,
): Omit<Detail, 'timeline' | 'inquiries' | 'outcomes'> {
  return {
    kind: payment.kind,
    merchantCode,
    idPayment: payment.idPayment,
    money: presentMoney(payment.money),
    fee: presentMoney(payment.fee),
    paymentMethodCode: payment.methodCode,
    ...(payment.operatorCode !== undefined && { paymentOperatorCode: payment.operatorCode }),
    rail: payment.rail,
    reference: payment.reference,
    ...(payment.submittedAt !== undefined && { submittedAt: payment.submittedAt.toISOString() }),
    process: presentProcess(payment),
  }
}

function presentDetail(view: ReviewView): Detail {
  const { merchantCode, payment, timeline, inquiries, removedUntil } = view
  return {
    ...presentPayment(merchantCode, payment),
    timeline: timeline.map(presentTimelineEntry),
    inquiries: inquiries.map(presentInquiry),
    outcomes: openOutcomes(payment, view.canStillBePaid).map((outcome) => ({
      outcome,
      operatorsNeeded: DECISIONS_NEEDED[outcome],
    })),
    ...(removedUntil !== undefined && { inquiriesRemovedUntil: removedUntil.toISOString() }),
  }
}

function presentInquiry(inquiry: ReviewView['inquiries'][number]): Detail['inquiries'][number] {
  const { question, answer, reasonCode, contradicts, digest, times, operatorCode, reason } = inquiry
  return {
    question,
    answer,
    contradicts,
    times,
    ...(reasonCode !== undefined && { reasonCode }),
    ...(digest !== undefined && { digest: digest.toString('hex') }),
    askedAt: inquiry.askedAt.toISOString(),
    lastAnsweredAt: inquiry.lastAnsweredAt.toISOString(),
    ...(operatorCode !== undefined && { operatorCode, counts: inquiry.counts }),
    ...(reason !== undefined && { reason }),
  }
}

/** The place after which the next page begins, as callers carry it about. */
function cursorAfter({ sinceUs, merchantId, kind, idPayment }: ReviewPosition): string {
  return Buffer.from(`${sinceUs} ${merchantId} ${kind} ${idPayment}`).toString('base64url')
}

const MICROSECONDS = /^\d{1,17}$/
const MERCHANT_ID = /^\d{1,18}$/
const ID = new RegExp(ID_PATTERN)

/** Reads a cursor of ours; throws the 400 for anything else. */
function readAfter(cursor: string): ReviewPosition {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const [sinceUs = '', merchantId = '', kindText = '', idPayment = '', ...rest] = text.split(' ')
  const kind = PAYMENT_KINDS.find((known) => known === kindText)
  const isOurs = MICROSECONDS.test(sinceUs) && MERCHANT_ID.test(merchantId) && ID.test(idPayment)
  if (!isOurs || kind === undefined || rest.length > 0)
    throw invalidField('cursor', 'is not a nextCursor of this list')
  return { sinceUs, merchantId, kind, idPayment }
}
