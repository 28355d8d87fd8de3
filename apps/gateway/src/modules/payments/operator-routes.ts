import {
  type Answer,
  answers,
  OperatorPayinParams,
  OperatorPaymentSchema,
  OperatorPayoutParams,
  OperatorTopUpParams,
  TriggeredSchema,
  TriggerParams,
  TriggerSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { rejection } from '../../platform/refusal.ts'
import type { Payment } from './model.ts'
import type { PaymentDesk, PaymentFile } from './people/desk.ts'
import { presentMoney, presentProcess, presentTimelineEntry } from './present.ts'

/** A payment of any kind for operators; in the sandbox, making things happen to it. */
export function paymentOperatorRoutes(app: App, desk: PaymentDesk): void {
  readRoutes(app, desk)
  if (desk.trigger !== undefined) triggerRoute(app, desk.trigger)
}

const RESPONSE = answers({ 200: OperatorPaymentSchema }, 400, 401, 403, 410, 429, 500)

function readRoutes(app: App, desk: PaymentDesk): void {
  app.get(
    '/operator/payins/:merchantCode/:idPayin',
    {
      config: { permission: 'payins.read' },
      schema: {
        operationId: 'readOperatorPayin',
        summary: 'A payin with everything that happened to it, without personal data',
        tags: ['Payments'],
        params: OperatorPayinParams,
        response: RESPONSE,
      },
    },
    async ({ params: { merchantCode, idPayin } }) => present(await desk.read('PAYIN', merchantCode, idPayin)),
  )
  app.get(
    '/operator/payouts/:merchantCode/:idPayout',
    {
      config: { permission: 'payouts.read' },
      schema: {
        operationId: 'readOperatorPayout',
        summary: 'A payout with everything that happened to it, without personal data',
        tags: ['Payments'],
        params: OperatorPayoutParams,
        response: RESPONSE,
      },
    },
    async ({ params: { merchantCode, idPayout } }) =>
      present(await desk.read('PAYOUT', merchantCode, idPayout)),
  )
  app.get(
    '/operator/topups/:merchantCode/:idTopUp',
    {
      config: { permission: 'topups.read' },
      schema: {
        operationId: 'readOperatorTopUp',
        summary: 'A top-up with everything that happened to it, without personal data',
        tags: ['Payments'],
        params: OperatorTopUpParams,
        response: RESPONSE,
      },
    },
    async ({ params: { merchantCode, idTopUp } }) => present(await desk.read('TOPUP', merchantCode, idTopUp)),
  )
}

function triggerRoute(app: App, trigger: NonNullable<PaymentDesk['trigger']>): void {
  app.post(
    '/operator/payments/:kind/:merchantCode/:idPayment/!trigger',
    {
      config: { permission: 'payments.trigger' },
      schema: {
        operationId: 'triggerPayment',
        summary: 'Simulate an outcome of a payment. In the sandbox only: live has no such operation',
        tags: ['Payments'],
        params: TriggerParams,
        body: TriggerSchema,
        response: answers({ 200: TriggeredSchema }, 400, 401, 403, 406, 410, 429, 500),
      },
    },
    async ({ params, body: { outcome } }) => {
      const { payment, triggered } = await trigger(params, outcome)
      if (triggered.kind === 'REFUSED')
        throw rejection([
          {
            code: 'OUTCOME_NOT_POSSIBLE',
            message: `The payment cannot become ${outcome}: ${triggered.why}.`,
            field: 'outcome',
          },
        ])
      const { status, processorStatus } = payment
      return {
        ...{ ...params, outcome, result: triggered.kind, status, processorStatus },
        ...(triggered.kind === 'IN_REVIEW' && { why: triggered.why }),
      }
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
