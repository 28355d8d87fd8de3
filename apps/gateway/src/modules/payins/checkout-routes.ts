import { ExternalReferenceSchema, ID_PATTERN, PayinCreateSchema, PayinParams } from '@tollgate/contract'
import { Type } from 'typebox'
import type { App } from '../../http/app-type.ts'
import { callerOf } from '../../http/authentication.ts'
import { presentAccepted } from '../payments/index.ts'
import type { PayinService } from './service.ts'

const PAY = { method: 'POST', url: '/payins/:idPayin' } as const
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
export function checkoutRoutes(app: App, payins: PayinService): void {
  app.post(
    '/checkout/payins/:idPayin',
    { ...ROUTE, schema: { ...ROUTE.schema, body: CreateBody } },
    async (request, reply) => {
      const { pageUrl, ...body } = request.body
      const accepted = await payins.createOnPage(callerOf(request), request.params.idPayin, { body, pageUrl })
      return reply.code(201).send(presentAccepted(accepted, { id: 'idPayin', requested: 'paymentRequested' }))
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
