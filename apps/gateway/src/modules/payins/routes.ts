import {
  answers,
  ExternalReferenceSchema,
  noContent,
  OptionsRequestSchema,
  PayinAcceptedSchema,
  PayinCreateSchema,
  PayinDetailSchema,
  PayinParams,
  PaymentAccountsSchema,
  PaymentOptionsSchema,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { preflightRoute } from '../../http/gate.ts'
import { presentAccepted, presentAccounts, presentDetail, presentMoney } from '../payments/index.ts'
import type { PayinService } from './service.ts'

const TAGS = ['Incoming payments']

/** Specification 4.1, in its order. */
export function payinRoutes(
  app: App,
  payins: PayinService,
  isKnownOrigin: (origin: string) => Promise<boolean>,
): void {
  preflightRoute(app, '/payins/:idPayin', isKnownOrigin)

  app.post(
    '/payins/!availablePaymentOptions',
    {
      schema: {
        operationId: 'listPayinOptions',
        summary: 'Payment options for an amount',
        tags: TAGS,
        body: OptionsRequestSchema,
        response: answers({ 200: PaymentOptionsSchema }, 400, 401, 403, 404, 406, 429, 500),
      },
    },
    async (request) => ({ data: await payins.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/payins/:idPayin',
    {
      schema: {
        operationId: 'createPayin',
        summary: 'Create an incoming payment',
        tags: TAGS,
        params: PayinParams,
        body: PayinCreateSchema,
        response: answers({ 201: PayinAcceptedSchema }, 400, 401, 403, 404, 406, 409, 429, 500),
      },
    },
    async (request, reply) => {
      const { idPayin } = request.params
      const accepted = await payins.create(callerOf(request), idPayin, request.body)
      return reply.code(201).send(presentAccepted(accepted, { idPayin }))
    },
  )

  app.get(
    '/payins/:idPayin',
    {
      config: { isForBrowsers: true },
      schema: {
        operationId: 'readPayin',
        summary: 'Read an incoming payment',
        tags: TAGS,
        params: PayinParams,
        response: answers({ 200: PayinDetailSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) => {
      const { idPayin } = request.params
      const payin = await payins.read(callerOf(request), idPayin)
      const paidBack = await payins.findPaidBack(payin)
      return {
        ...presentDetail(payin, { idPayin }),
        ...(paidBack !== undefined && { paymentRefunded: { money: presentMoney(paidBack) } }),
      }
    },
  )

  app.post(
    '/payins/:idPayin/!cancel',
    {
      schema: {
        operationId: 'cancelPayin',
        summary: 'Cancel an incoming payment that nothing was paid for',
        description:
          'Since 2.83. Send no body. Repeating it is safe. Money that arrives later is reviewed by people.',
        tags: TAGS,
        params: PayinParams,
        response: answers({ 200: PayinDetailSchema }, 400, 401, 403, 404, 409, 410, 429, 500),
      },
    },
    async (request) => {
      const { idPayin } = request.params
      return presentDetail(await payins.cancel(callerOf(request), idPayin), { idPayin })
    },
  )

  accountRoutes(app, payins)
}

function accountRoutes(app: App, payins: PayinService): void {
  app.post(
    '/payins/:idPayin/!setExternalReference',
    {
      schema: {
        operationId: 'setPayinExternalReference',
        summary: 'Submit the reference that the customer supplied',
        tags: TAGS,
        params: PayinParams,
        body: ExternalReferenceSchema,
        response: answers({ 204: noContent('Stored.') }, 400, 401, 403, 404, 410, 429, 500),
      },
    },
    async (request, reply) => {
      await payins.setExternalReference(callerOf(request), request.params.idPayin, request.body)
      return reply.code(204).send()
    },
  )

  app.get(
    '/payins/:idPayin/accounts',
    {
      schema: {
        operationId: 'listPayinAccounts',
        summary: 'Account data collected during the payment',
        tags: TAGS,
        params: PayinParams,
        response: answers({ 200: PaymentAccountsSchema }, 400, 401, 403, 404, 406, 410, 429, 500),
      },
    },
    async (request) => {
      const { payment, collected } = await payins.listAccounts(callerOf(request), request.params.idPayin)
      return presentAccounts(payment, collected)
    },
  )
}
