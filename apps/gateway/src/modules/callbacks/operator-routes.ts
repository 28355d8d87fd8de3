import {
  answers,
  CallbackResentSchema,
  CallbacksResendSchema,
  CallbacksResentSchema,
  OperatorCallbackListSchema,
  OperatorCallbackParams,
  OperatorCallbacksQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { onlyMerchantOf } from '../../http/operator-members.ts'
import { answerPage } from '../../http/paging.ts'
import { momentOf } from '../../platform/moments.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { CallbackEvent } from './model.ts'
import { presentCallback } from './present.ts'
import type { CallbackService } from './service.ts'

const operation = operatorOperationsOf('Callbacks')
const UUID_PLACE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface CallbackOperatorDeps {
  readonly callbacks: CallbackService
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
  /** Up to when callbacks that are over may have been removed. */
  readonly findRemovedUntil: () => Promise<Date | undefined>
}

/** Callbacks for operators: what was sent, what waits, and sending it again. */
export function callbackOperatorRoutes(app: App, deps: CallbackOperatorDeps): void {
  const { callbacks, merchantIdOf, findRemovedUntil } = deps
  resendAllRoute(app, deps)
  app.get(
    '/operator/callbacks',
    operation('listOperatorCallbacks', 'callbacks.read', {
      summary: 'List callbacks with their attempts, the newest first',
      querystring: OperatorCallbacksQuery,
      response: answers({ 200: OperatorCallbackListSchema }, 410),
    }),
    async ({ query: { merchantCode, state, idPayment, ...page } }) => {
      const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      const removedUntil = await findRemovedUntil()
      const found = await answerPage(page, {
        place: UUID_PLACE,
        list: ({ before, limit }) =>
          callbacks.listCallbacks({ merchantId, state, idEntity: idPayment, after: before, limit }),
        placeOf: ({ eventId }) => eventId,
        present: (event) => event,
      })
      return {
        ...found,
        data: await presentAll(deps, found.data),
        ...(removedUntil !== undefined && { removedUntil: removedUntil.toISOString() }),
      }
    },
  )
  app.post(
    '/operator/callbacks/:eventId/!resend',
    operation('resendCallback', 'callbacks.resend', {
      summary: 'Send a callback again: one attempt and four repeats, from now',
      params: OperatorCallbackParams,
      response: answers({ 200: CallbackResentSchema }, 409, 410),
    }),
    async (request) => {
      const { eventId } = request.params
      const only = onlyMerchantOf(request)
      const merchantId = only === undefined ? undefined : await merchantIdOf(only)
      const verdict = await callbacks.resendCallback(eventId, merchantId)
      if (verdict === 'NOT_FOUND') {
        const until = (await findRemovedUntil())?.toISOString()
        const removed = until === undefined ? '' : ` What was over before ${until} is removed.`
        throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no callback ${eventId}.${removed}` })
      }
      if (verdict === 'UNDER_WAY')
        throw new Refusal('STATE_CONFLICT', {
          message: 'An attempt is being made at this moment. Look at how it ends first.',
        })
      return { eventId, state: 'PENDING' as const }
    },
  )
}

function resendAllRoute(app: App, { callbacks, merchantIdOf }: CallbackOperatorDeps): void {
  app.post(
    '/operator/callbacks/!resend',
    operation('resendCallbacks', 'callbacks.resend', {
      summary: 'Send all callbacks again that are out of attempts, of a merchant or of all',
      body: CallbacksResendSchema,
      response: answers({ 200: CallbacksResentSchema }, 410),
    }),
    async ({ body: { merchantCode, isForAll, createdFrom, createdTo } }) => {
      if ((merchantCode === undefined) !== (isForAll === true))
        throw invalidField('merchantCode', 'name the merchant, or say isForAll')
      const [from, to] = [momentOf('createdFrom', createdFrom), momentOf('createdTo', createdTo)]
      if (from !== undefined && to !== undefined && from >= to)
        throw invalidField('createdTo', 'must be later than createdFrom')
      const merchantId = merchantCode === undefined ? undefined : await merchantIdOf(merchantCode)
      return callbacks.resendExhausted({ merchantId, from, to })
    },
  )
}

async function presentAll({ merchantCodeOf }: CallbackOperatorDeps, events: readonly CallbackEvent[]) {
  const codes = new Map<string, string>()
  for (const { merchantId } of events)
    if (!codes.has(merchantId)) codes.set(merchantId, await merchantCodeOf(merchantId))
  return events.map((event) => presentCallback(event, codes.get(event.merchantId) ?? ''))
}
