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
import { callerOf } from '../../http/authentication.ts'
import { presentAccepted, presentDetail } from '../payments/index.ts'
import type { PayoutService } from './service.ts'

const TAGS = ['Outgoing payments']

/** Specification 4.3, in its order. */
export function payoutRoutes(app: App, payouts: PayoutService): void {
  app.post(
    '/payouts/!availablePaymentOptions',
    {
      schema: {
        operationId: 'listPayoutOptions',
        summary: 'Payout options for an amount',
        tags: TAGS,
        body: OptionsRequestSchema,
        response: answers({ 200: PaymentOptionsSchema }, 400, 401, 403, 404, 406, 429, 500),
      },
    },
    async (request) => ({ data: await payouts.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/payouts/:idPayout',
    {
      schema: {
        operationId: 'createPayout',
        summary: 'Create an outgoing payment',
        description: 'Its amount and its fee are held from the available balance with the 201.',
        tags: TAGS,
        params: PayoutParams,
        body: PayoutCreateSchema,
        response: answers({ 201: PayoutAcceptedSchema }, 400, 401, 403, 404, 406, 409, 429, 500),
      },
    },
    async (request, reply) => {
      const { idPayout } = request.params
      const accepted = await payouts.create(callerOf(request), idPayout, request.body)
      return reply.code(201).send(presentAccepted(accepted, { idPayout }))
    },
  )

  app.get(
    '/payouts/:idPayout',
    {
      schema: {
        operationId: 'readPayout',
        summary: 'Read an outgoing payment',
        tags: TAGS,
        params: PayoutParams,
        response: answers({ 200: PayoutDetailSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) => {
      const { idPayout } = request.params
      return presentDetail(await payouts.read(callerOf(request), idPayout), { idPayout })
    },
  )
}
