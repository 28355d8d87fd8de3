import {
  type Answer,
  answers,
  OperatorPayinParams,
  OperatorPaymentSchema,
  OperatorPayoutParams,
  OperatorTopUpParams,
  PaymentHistorySchema,
  ReviewParams,
  TriggeredSchema,
  TriggerParams,
  TriggerSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import type { HistoryEvent } from '../../platform/history.ts'
import { invalidField } from '../../platform/refusal.ts'
import { PAYMENT_KINDS, type Payment, type PaymentKind } from './model.ts'
import type { PaymentDesk, PaymentFile } from './people/desk.ts'
import { presentMoney, presentProcess, presentTimelineEntry, presentTriggered } from './present.ts'

const operation = operatorOperationsOf('Payments')

/** A payment of any kind for operators; in the sandbox, making things happen to it. */
export function paymentOperatorRoutes(app: App, desk: PaymentDesk): void {
  readRoutes(app, desk)
  historyRoute(app, desk)
  if (desk.trigger !== undefined) triggerRoute(app, desk.trigger)
}

const RESPONSE = answers({ 200: OperatorPaymentSchema }, 410)

function readRoutes(app: App, desk: PaymentDesk): void {
  app.get(
    '/operator/payins/:merchantCode/:idPayin',
    operation('readOperatorPayin', 'payins.read', {
      summary: 'A payin with everything that happened to it, without personal data',
      params: OperatorPayinParams,
      response: RESPONSE,
    }),
    async ({ params: { merchantCode, idPayin } }) => present(await desk.read('PAYIN', merchantCode, idPayin)),
  )
  app.get(
    '/operator/payouts/:merchantCode/:idPayout',
    operation('readOperatorPayout', 'payouts.read', {
      summary: 'A payout with everything that happened to it, without personal data',
      params: OperatorPayoutParams,
      response: RESPONSE,
    }),
    async ({ params: { merchantCode, idPayout } }) =>
      present(await desk.read('PAYOUT', merchantCode, idPayout)),
  )
  app.get(
    '/operator/topups/:merchantCode/:idTopUp',
    operation('readOperatorTopUp', 'topups.read', {
      summary: 'A top-up with everything that happened to it, without personal data',
      params: OperatorTopUpParams,
      response: RESPONSE,
    }),
    async ({ params: { merchantCode, idTopUp } }) => present(await desk.read('TOPUP', merchantCode, idTopUp)),
  )
}

function historyRoute(app: App, desk: PaymentDesk): void {
  app.get(
    '/operator/payments/:kind/:merchantCode/:idPayment/history',
    operation('readPaymentHistory', 'payouts.read', {
      summary: 'Everything that happened to a payment, the earliest first, without personal data',
      description:
        'One list of statuses with their evidence, answers of institutions, decisions, holds, approvals, files, reports, lines of statements, refunds, transfers in the ledger, and callbacks with each attempt.',
      params: ReviewParams,
      response: answers({ 200: PaymentHistorySchema }, 410),
    }),
    async ({ params: { kind, merchantCode, idPayment } }) => {
      const events = await desk.history({ kind: kindIn(kind), merchantCode, idPayment })
      return { kind, merchantCode, idPayment, data: events.map(presentEvent) }
    },
  )
}

/** The schema has let nothing else through. */
function kindIn(text: string): PaymentKind {
  const kind = PAYMENT_KINDS.find((known) => known === text)
  if (kind === undefined) throw invalidField('kind', `is none of ${PAYMENT_KINDS.join(', ')}`)
  return kind
}

const presentEvent = ({ happenedAt, what, says, by, facts }: HistoryEvent) => ({
  happenedAt: happenedAt.toISOString(),
  what,
  says,
  ...(by !== undefined && by !== '' && { by }),
  ...(Object.keys(facts).length > 0 && { facts }),
})

function triggerRoute(app: App, trigger: NonNullable<PaymentDesk['trigger']>): void {
  app.post(
    '/operator/payments/:kind/:merchantCode/:idPayment/!trigger',
    operation('triggerPayment', 'payments.trigger', {
      summary: 'Simulate an outcome of a payment. In the sandbox only: live has no such operation',
      params: TriggerParams,
      body: TriggerSchema,
      response: answers({ 200: TriggeredSchema }, 406, 410),
    }),
    async ({ params, body: { outcome } }) => {
      const { payment, triggered } = await trigger(params, outcome)
      return { ...params, ...presentTriggered(payment, triggered, outcome) }
    },
  )
}

type Shown = Answer<typeof OperatorPaymentSchema>

function present({ merchantCode, payment, timeline, callbacks, removedUntil }: PaymentFile): Shown {
  return {
    ...presentFacts(payment),
    merchantCode,
    timeline: timeline.map(presentTimelineEntry),
    callbacks,
    ...(removedUntil !== undefined && { callbacksRemovedUntil: removedUntil.toISOString() }),
  }
}

function presentFacts(payment: Payment): Omit<Shown, 'merchantCode' | 'timeline' | 'callbacks'> {
  const { received, submittedAt } = payment
  return {
    kind: payment.kind,
    idPayment: payment.idPayment,
    money: presentMoney(payment.money),
    fee: presentMoney(payment.fee),
    ...(received !== undefined && { received: presentMoney(received) }),
    paymentMethodCode: payment.methodCode,
    rail: payment.rail,
    reference: payment.reference,
    ...knownTexts(payment),
    expireAt: payment.expireAt.toISOString(),
    ...(submittedAt !== undefined && { submittedAt: submittedAt.toISOString() }),
    process: presentProcess(payment),
  }
}

const knownTexts = (payment: Payment) => ({
  ...(payment.operatorCode !== undefined && { paymentOperatorCode: payment.operatorCode }),
  ...(payment.segmentCode !== undefined && { segmentCode: payment.segmentCode }),
  ...(payment.externalReference !== undefined && { externalReference: payment.externalReference }),
  ...(payment.idCustomer !== undefined && { idCustomer: payment.idCustomer }),
  ...(payment.callbackUrl !== undefined && { callbackUrl: payment.callbackUrl }),
  ...(payment.returnUrl !== undefined && { returnUrl: payment.returnUrl }),
})
