import {
  type Answer,
  answers,
  PayinParams,
  RefundAcceptedSchema,
  RefundCreateSchema,
  RefundDetailSchema,
  RefundListSchema,
  RefundParams,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { presentDetail } from '../payments/index.ts'
import type { Refund } from './model.ts'
import type { RefundService } from './service.ts'

const operation = operationsOf('Incoming payments')

/** Paying back what was paid in: since 2.83. */
export function refundRoutes(app: App, refunds: RefundService): void {
  app.post(
    '/payins/:idPayin/refunds/:idRefund',
    operation('createRefund', {
      summary: 'Refund an incoming payment, or a part of it',
      description:
        'Since 2.83. Its amount is held from the available balance with the 201. The money goes back to the account it came from; `account` is needed only where that is not known.',
      params: RefundParams,
      body: RefundCreateSchema,
      response: answers({ 201: RefundAcceptedSchema }, 406, 409, 410),
    }),
    async (request, reply) => {
      const refund = await refunds.create(callerOf(request), request.params, request.body)
      const { refundRequested, paymentMethodResponse } = presentRefund(refund)
      return reply.code(201).send({ refundRequested, paymentMethodResponse })
    },
  )

  app.get(
    '/payins/:idPayin/refunds',
    operation('listRefunds', {
      summary: 'List the refunds of an incoming payment, the oldest first',
      description: 'Since 2.83.',
      params: PayinParams,
      response: answers({ 200: RefundListSchema }, 410),
    }),
    async (request) => {
      const found = await refunds.list(callerOf(request), request.params.idPayin)
      return { data: found.map(presentRefund) }
    },
  )

  app.get(
    '/payins/:idPayin/refunds/:idRefund',
    operation('readRefund', {
      summary: 'Read a refund',
      description: 'Since 2.83.',
      params: RefundParams,
      response: answers({ 200: RefundDetailSchema }, 410),
    }),
    async (request) => presentRefund(await refunds.read(callerOf(request), request.params)),
  )
}

function presentRefund({ payment, idPayin, idRefund }: Refund): Answer<typeof RefundDetailSchema> {
  const { paymentRequested: refundRequested, ...rest } = presentDetail(payment, {
    idPayin,
    idRefund,
    idPayout: payment.idPayment,
  })
  return { refundRequested, ...rest }
}
