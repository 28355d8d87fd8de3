import {
  answers,
  PaymentOptionsSchema,
  TopUpAcceptedSchema,
  TopUpCreateSchema,
  TopUpDetailSchema,
  TopUpParams,
  TopUpRequestedSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { presentAccepted, presentDetail } from '../payments/index.ts'
import type { TopUpService } from './service.ts'

const TAGS = ['Payments']

/** Specification 4.2, in its order. */
export function topUpRoutes(app: App, topUps: TopUpService): void {
  app.post(
    '/topups/!availablePaymentOptions',
    {
      schema: {
        operationId: 'listTopUpOptions',
        summary: 'Top-up options for an amount',
        tags: TAGS,
        body: TopUpRequestedSchema,
        response: answers({ 200: PaymentOptionsSchema }, 400, 401, 403, 404, 406, 429, 500),
      },
    },
    async (request) => ({ data: await topUps.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/topups/:idTopUp',
    {
      schema: {
        operationId: 'createTopUp',
        summary: 'Create a top-up',
        tags: TAGS,
        params: TopUpParams,
        body: TopUpCreateSchema,
        response: answers({ 201: TopUpAcceptedSchema }, 400, 401, 403, 404, 406, 409, 429, 500),
      },
    },
    async (request, reply) => {
      const { idTopUp } = request.params
      const accepted = await topUps.create(callerOf(request), idTopUp, request.body)
      const { paymentRequested: topUpRequested, ...rest } = presentAccepted(accepted, { idTopUp })
      return reply.code(201).send({ topUpRequested, ...rest })
    },
  )

  app.get(
    '/topups/:idTopUp',
    {
      schema: {
        operationId: 'readTopUp',
        summary: 'Read a top-up',
        tags: TAGS,
        params: TopUpParams,
        response: answers({ 200: TopUpDetailSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    // The details of all kinds of payments are worded alike.
    async (request) => {
      const { idTopUp } = request.params
      return presentDetail(await topUps.read(callerOf(request), idTopUp), { idTopUp })
    },
  )
}
