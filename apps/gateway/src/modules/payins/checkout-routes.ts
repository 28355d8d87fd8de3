import {
  answers,
  ExternalReferenceSchema,
  ID_PATTERN,
  OptionsRequestSchema,
  PageChoicesSchema,
  PagePayinSchema,
  PayinAcceptedSchema,
  PayinCreateSchema,
  PayinParams,
} from '@tollgate/contract'
import { Type } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { CHECKOUT_GRACE_SECONDS, callerOf } from '../../http/gate.ts'
import { presentAccepted, presentMoney } from '../payments/index.ts'
import type { Arrived, PageReader, Step } from './page-reader.ts'
import { presentPayin } from './routes.ts'
import type { PayinService } from './service.ts'

const PAY = { method: 'POST', url: '/payins/:idPayin' } as const
const READ = { method: 'GET', url: '/payins/:idPayin' } as const
/** For the page alone, in the customer's name: whoever may create the payin may do these. */
const ROUTE = {
  config: { access: 'checkout', actsAs: PAY },
  schema: { hide: true, params: PayinParams },
} as const
const Address = Type.String({ minLength: 1, maxLength: 2048 })
const CreateBody = Type.Object({ ...PayinCreateSchema.properties, pageUrl: Address })
const AddressesBody = Type.Object({ callbackUrl: Address, returnUrl: Address })
const TriggerBody = Type.Object({ outcome: Type.String({ pattern: ID_PATTERN }) })

/**
 * What the hosted payment page needs beyond the public interface. It shows its service key, and the customer's token, which
 * must permit to create the payin: a token that may only read may not do these either.
 */
export function checkoutRoutes(app: App, payins: PayinService, pages: PageReader): void {
  app.get(
    '/checkout/payins/:idPayin',
    {
      config: { access: 'checkout', actsAs: READ, graceSeconds: CHECKOUT_GRACE_SECONDS },
      schema: { hide: true, params: PayinParams, response: answers({ 200: PagePayinSchema }) },
    },
    async (request) => {
      const { idPayin } = request.params
      const { payment, arrived, confirmations, timeline } = await pages.read(callerOf(request), idPayin)
      return {
        ...(await presentPayin(payins, payment, idPayin)),
        ...(arrived && { arrived: presentArrived(arrived) }),
        ...(confirmations && { confirmations }),
        timeline: timeline.map(presentStep),
      }
    },
  )

  app.post(
    '/checkout/payins/:idPayin/!listChoices',
    {
      config: { ...ROUTE.config, isShared: true },
      schema: { ...ROUTE.schema, body: OptionsRequestSchema, response: answers({ 200: PageChoicesSchema }) },
    },
    async (request) => ({ data: await payins.listChoices(callerOf(request), request.body) }),
  )

  actionRoutes(app, payins)
}

const presentArrived = ({ money, rest }: Arrived) => ({
  money: presentMoney(money),
  ...(rest && { rest: { ...rest, money: presentMoney(rest.money) } }),
})

const presentStep = ({ status, processorStatus, happenedAt }: Step) => ({
  status,
  processorStatus,
  happenedAt: happenedAt.toISOString(),
})

/** What changes something: for tokens that are valid, and may create the payin. */
function actionRoutes(app: App, payins: PayinService): void {
  app.post(
    '/checkout/payins/:idPayin',
    {
      ...ROUTE,
      schema: { ...ROUTE.schema, body: CreateBody, response: answers({ 201: PayinAcceptedSchema }) },
    },
    async (request, reply) => {
      const { pageUrl, ...body } = request.body
      const { idPayin } = request.params
      const accepted = await payins.createOnPage(callerOf(request), idPayin, { body, pageUrl })
      return reply.code(201).send(presentAccepted(accepted, { idPayin }))
    },
  )

  app.post(
    '/checkout/payins/:idPayin/!judgeAddresses',
    { ...ROUTE, schema: { ...ROUTE.schema, body: AddressesBody } },
    async (request, reply) => {
      await payins.judgeAddresses(callerOf(request), request.body)
      return reply.code(204).send()
    },
  )

  app.post(
    '/checkout/payins/:idPayin/!setExternalReference',
    { ...ROUTE, schema: { ...ROUTE.schema, body: ExternalReferenceSchema } },
    async (request, reply) => {
      await payins.setExternalReference(callerOf(request), request.params.idPayin, request.body)
      return reply.code(204).send()
    },
  )

  app.post(
    '/checkout/payins/:idPayin/!trigger',
    { ...ROUTE, schema: { ...ROUTE.schema, body: TriggerBody } },
    async (request, reply) => {
      await payins.trigger(callerOf(request), request.params.idPayin, request.body.outcome)
      return reply.code(204).send()
    },
  )
}
