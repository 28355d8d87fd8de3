import { type Money, rawAmount } from '@tollgate/money'
import { type CallbackEvent, createCallbackService } from '../../modules/callbacks/index.ts'
import { createMerchantService } from '../../modules/merchants/index.ts'
import { createPaymentService, type Payment, type PaymentService } from '../../modules/payments/index.ts'
import { randomIds } from '../../platform/ids.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import { orRemoved } from '../removed.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

const CALLBACKS_SHOWN_MAX = 20

type Timeline = Awaited<ReturnType<PaymentService['listTimeline']>>

interface Wish {
  readonly merchant: string
  readonly kind: Payment['kind']
  readonly id: string
}

/** `tollgate payins show`: the detail, the timeline and the callbacks; personal data stays sealed. */
export function showPayment(shell: Shell, wish: Wish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(wish.merchant)
    const { merchantId } = merchant
    const key = { merchantId, kind: wish.kind, idPayment: wish.id }
    const payments = servicePayments(shell, house)
    const payment = await payments.find(key)
    if (payment === undefined)
      throw new CommandFailure('NOT_FOUND', `${wish.merchant} has no ${wish.kind.toLowerCase()} ${wish.id}.`)
    const timeline = await payments.listTimeline(key)
    const events = await createCallbackService(house).listCallbacks({
      merchantId,
      idEntity: wish.id,
      limit: CALLBACKS_SHOWN_MAX,
    })
    const callbacks = events.filter((event) => event.kind === wish.kind)
    const whenNone = await orRemoved(house, 'DELIVERIES', {
      sentence: 'No callback.',
      overAt: timeline.at(-1)?.happenedAt,
    })
    const parts = [describe(wish.merchant, payment), timelineTable(timeline)]
    return {
      json: { ...present(wish.merchant, payment), timeline, callbacks: callbacks.map(presentCallback) },
      text: [...parts, callbackTable(callbacks, whenNone)].join('\n\n'),
    }
  })
}

/** A single look takes no batches. */
export function servicePayments(shell: Shell, house: House): PaymentService {
  return createPaymentService({
    ...house,
    clock: shell.clock,
    ids: randomIds,
    metrics: createMetrics(),
    batchRowsMax: 1,
    batchesInFlightMax: 1,
  })
}

const presentMoney = ({ amount, currencyCode }: Money) => ({ amount: rawAmount(amount), currencyCode })

/** As the API writes it where it writes it, and what only operators see beside. */
function present(merchantCode: string, payment: Payment): Record<string, unknown> {
  const { received, failure } = payment
  return {
    merchantCode,
    kind: payment.kind,
    idPayment: payment.idPayment,
    status: payment.status,
    processorStatus: payment.processorStatus,
    money: presentMoney(payment.money),
    fee: presentMoney(payment.fee),
    received: received === undefined ? null : presentMoney(received),
    paymentMethodCode: payment.methodCode,
    paymentOperatorCode: payment.operatorCode ?? null,
    segmentCode: payment.segmentCode ?? null,
    rail: payment.rail,
    reference: payment.reference,
    externalReference: payment.externalReference ?? null,
    callbackUrl: payment.callbackUrl ?? null,
    returnUrl: payment.returnUrl ?? null,
    failure: failure ?? null,
    isTest: payment.isTest,
    createdAt: payment.createdAt,
    expireAt: payment.expireAt,
    processedAt: payment.processedAt ?? null,
  }
}

function presentCallback({ merchantId: _inner, ...event }: CallbackEvent): Record<string, unknown> {
  return event
}

const moneyText = ({ amount, currencyCode }: Money): string => `${amount} ${currencyCode}`

function describe(merchantCode: string, payment: Payment): string {
  const { failure, received } = payment
  return pairs([
    ['Payment', `${payment.kind} ${payment.idPayment} of ${merchantCode}${payment.isTest ? ' (test)' : ''}`],
    ['Status', `${payment.status} (${payment.processorStatus})`],
    ['Failure', failure && `${failure.code}: ${failure.message}`],
    ['Money', moneyText(payment.money)],
    ['Fee', moneyText(payment.fee)],
    ['Received', received && moneyText(received)],
    ['Method', [payment.methodCode, payment.operatorCode].filter(Boolean).join(' through ')],
    ['Segment', payment.segmentCode],
    ['Rail', payment.rail],
    ['Reference', payment.reference],
    ['External ref.', payment.externalReference],
    ['Created', moment(payment.createdAt)],
    ['Expires', moment(payment.expireAt)],
    ['Processed', payment.processedAt && moment(payment.processedAt)],
    ['Callback URL', payment.callbackUrl],
    ['Return URL', payment.returnUrl],
  ])
}

function timelineTable(timeline: Timeline): string {
  return table(
    ['TIME', 'STATUS', 'PHASE', 'BY', 'REASON'],
    timeline.map(({ happenedAt, status, processorStatus, actor, reason }) => [
      moment(happenedAt),
      status,
      processorStatus,
      actor,
      reason ?? '',
    ]),
    'Nothing has happened yet.',
  )
}

function callbackTable(events: readonly CallbackEvent[], whenNone: string): string {
  return table(
    ['CALLBACK', 'STATE', 'ATTEMPTS', 'LAST'],
    events.map((event) => {
      const last = event.attempts.at(-1)
      return [
        event.eventId,
        event.state,
        `${event.attemptsStarted}/${event.attemptsMax}`,
        `${last?.outcome ?? ''} ${last?.httpStatus ?? ''}`.trim(),
      ]
    }),
    whenNone,
  )
}
