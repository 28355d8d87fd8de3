import {
  type Answer,
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
import { callerOf, preflightRoute } from '../../http/gate.ts'
import { operationsOf } from '../../http/operation.ts'
import {
  type Payment,
  presentAccepted,
  presentAccounts,
  presentDetail,
  presentMoney,
} from '../payments/index.ts'
import type { PayinService } from './service.ts'

const operation = operationsOf('Incoming payments')

/** Specification 4.1, in its order. */
export function payinRoutes(
  app: App,
  payins: PayinService,
  isKnownOrigin: (origin: string) => Promise<boolean>,
): void {
  preflightRoute(app, '/payins/:idPayin', isKnownOrigin)

  app.post(
    '/payins/!availablePaymentOptions',
    operation('listPayinOptions', {
      summary: 'Payment options for an amount',
      body: OptionsRequestSchema,
      response: answers({ 200: PaymentOptionsSchema }, 406),
    }),
    async (request) => ({ data: await payins.listOptions(callerOf(request), request.body) }),
  )

  app.post(
    '/payins/:idPayin',
    operation('createPayin', {
      summary: 'Create an incoming payment',
      params: PayinParams,
      body: PayinCreateSchema,
      response: answers({ 201: PayinAcceptedSchema }, 406, 409),
    }),
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
      ...operation('readPayin', {
        summary: 'Read an incoming payment',
        params: PayinParams,
        response: answers({ 200: PayinDetailSchema }, 406, 410),
      }),
    },
    async (request) => {
      const { idPayin } = request.params
      return presentPayin(payins, await payins.read(callerOf(request), idPayin), idPayin)
    },
  )

  app.post(
    '/payins/:idPayin/!cancel',
    operation('cancelPayin', {
      summary: 'Cancel an incoming payment that nothing was paid for',
      description:
        'Since 2.83. Send no body. Repeating it is safe. Money that arrives later is reviewed by people.',
      params: PayinParams,
      response: answers({ 200: PayinDetailSchema }, 409, 410),
    }),
    async (request) => {
      const { idPayin } = request.params
      return presentDetail(await payins.cancel(callerOf(request), idPayin), { idPayin })
    },
  )

  accountRoutes(app, payins)
}

/** The detail, with what the merchant paid back of it. */
export async function presentPayin(
  payins: Pick<PayinService, 'findPaidBack'>,
  payin: Payment,
  idPayin: string,
): Promise<Answer<typeof PayinDetailSchema>> {
  const paidBack = await payins.findPaidBack(payin)
  return {
    ...presentDetail(payin, { idPayin }),
    ...(paidBack && { paymentRefunded: { money: presentMoney(paidBack) } }),
  }
}

function accountRoutes(app: App, payins: PayinService): void {
  app.post(
    '/payins/:idPayin/!setExternalReference',
    operation('setPayinExternalReference', {
      summary: 'Submit the reference that the customer supplied',
      params: PayinParams,
      body: ExternalReferenceSchema,
      response: answers({ 204: noContent('Stored.') }, 410),
    }),
    async (request, reply) => {
      await payins.setExternalReference(callerOf(request), request.params.idPayin, request.body)
      return reply.code(204).send()
    },
  )

  app.get(
    '/payins/:idPayin/accounts',
    operation('listPayinAccounts', {
      summary: 'Account data collected during the payment',
      params: PayinParams,
      response: answers({ 200: PaymentAccountsSchema }, 406, 410),
    }),
    async (request) => {
      const { payment, collected } = await payins.listAccounts(callerOf(request), request.params.idPayin)
      return presentAccounts(payment, collected)
    },
  )
}
