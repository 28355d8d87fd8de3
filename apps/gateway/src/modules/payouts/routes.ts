import {
  answers,
  OptionsRequestSchema,
  PaymentOptionsSchema,
  PayoutAcceptedSchema,
  PayoutCreateSchema,
  PayoutDetailSchema,
  PayoutParams,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { presentAccepted, presentDetail } from '../payments/index.ts'
import type { PayoutService } from './service.ts'

const operation = operationsOf('Outgoing payments')

/** Specification 4.3, in its order. */
export function payoutRoutes(app: App, payouts: PayoutService): void {
  app.post(
    '/payouts/!availablePaymentOptions',
    operation('listPayoutOptions', {
      summary: 'Payout options for an amount',
      body: OptionsRequestSchema,
      response: answers({ 200: PaymentOptionsSchema }, 406),
    }),
    async (request) => ({ data: await payouts.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/payouts/:idPayout',
    operation('createPayout', {
      summary: 'Create an outgoing payment',
      description: 'Its amount and its fee are held from the available balance with the 201.',
      params: PayoutParams,
      body: PayoutCreateSchema,
      response: answers({ 201: PayoutAcceptedSchema }, 406, 409),
    }),
    async (request, reply) => {
      const { idPayout } = request.params
      const accepted = await payouts.create(callerOf(request), idPayout, request.body)
      return reply.code(201).send(presentAccepted(accepted, { idPayout }))
    },
  )

  app.get(
    '/payouts/:idPayout',
    operation('readPayout', {
      summary: 'Read an outgoing payment',
      params: PayoutParams,
      response: answers({ 200: PayoutDetailSchema }, 406, 410),
    }),
    async (request) => {
      const { idPayout } = request.params
      return presentDetail(await payouts.read(callerOf(request), idPayout), { idPayout })
    },
  )
}
