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
import { callerOf } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import { presentAccepted, presentDetail } from '../payments/index.ts'
import type { TopUpService } from './service.ts'

const operation = operationsOf('Payments')

/** Specification 4.2, in its order. */
export function topUpRoutes(app: App, topUps: TopUpService): void {
  app.post(
    '/topups/!availablePaymentOptions',
    operation('listTopUpOptions', {
      summary: 'Top-up options for an amount',
      body: TopUpRequestedSchema,
      response: answers({ 200: PaymentOptionsSchema }, 406),
    }),
    async (request) => ({ data: await topUps.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/topups/:idTopUp',
    operation('createTopUp', {
      summary: 'Create a top-up',
      params: TopUpParams,
      body: TopUpCreateSchema,
      response: answers({ 201: TopUpAcceptedSchema }, 406, 409),
    }),
    async (request, reply) => {
      const { idTopUp } = request.params
      const accepted = await topUps.create(callerOf(request), idTopUp, request.body)
      const { paymentRequested: topUpRequested, ...rest } = presentAccepted(accepted, { idTopUp })
      return reply.code(201).send({ topUpRequested, ...rest })
    },
  )

  app.get(
    '/topups/:idTopUp',
    operation('readTopUp', {
      summary: 'Read a top-up',
      params: TopUpParams,
      response: answers({ 200: TopUpDetailSchema }, 406, 410),
    }),
    // The details of all kinds of payments are worded alike.
    async (request) => {
      const { idTopUp } = request.params
      return presentDetail(await topUps.read(callerOf(request), idTopUp), { idTopUp })
    },
  )
}
