import {
  answers,
  ConfirmationDetailSchema,
  ConfirmationListSchema,
  ConfirmationParams,
  ConfirmationRefuseSchema,
  ConfirmationsQuery,
  ConfirmationWithdrawSchema,
  ConfirmSchema,
  PAGE_LIMIT_DEFAULT,
} from '@tollgate/contract'
import { CONFIRMATION_STATES } from '@tollgate/contract/words'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import { presentAct, presentView } from './present.ts'
import type { ConfirmationService } from './service.ts'

const operation = operatorOperationsOf('Confirmations')

interface ConfirmationRouteDeps {
  readonly service: ConfirmationService
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

/** What one operator has proposed, for a second one. */
export function confirmationOperatorRoutes(app: App, deps: ConfirmationRouteDeps): void {
  readRoutes(app, deps)
  confirmRoute(app, deps)
  endingRoutes(app, deps)
}

function readRoutes(app: App, { service, merchantCodeOf }: ConfirmationRouteDeps): void {
  app.get(
    '/operator/confirmations',
    operation('listConfirmations', 'confirmations.read', {
      summary: 'List what needs a second operator, the newest first',
      querystring: ConfirmationsQuery,
      response: { 200: ConfirmationListSchema },
    }),
    async (request) => {
      const { states: asked, cursor, limit: limitText } = request.query
      const limit = limitText === undefined ? PAGE_LIMIT_DEFAULT : Number(limitText)
      const wanted = asked?.split(',') ?? ['WAITING']
      const states = CONFIRMATION_STATES.filter((state) => wanted.includes(state))
      const found = await service.list({ states, before: placeOf(cursor), limit: limit + 1 })
      const shown = found.slice(0, limit)
      const last = shown.at(-1)?.confirmationId
      return {
        data: shown.map(presentAct),
        ...(found.length > limit &&
          last !== undefined && { nextCursor: Buffer.from(last).toString('base64url') }),
      }
    },
  )
  app.get(
    '/operator/confirmations/:confirmationId',
    operation('readConfirmation', 'confirmations.read', {
      summary: 'Read what waits, with its digest and what would follow',
      params: ConfirmationParams,
      response: answers({ 200: ConfirmationDetailSchema }, 410),
    }),
    async (request) => presentView(await service.show(request.params.confirmationId), merchantCodeOf),
  )
}

function confirmRoute(app: App, { service, merchantCodeOf }: ConfirmationRouteDeps): void {
  app.post(
    '/operator/confirmations/:confirmationId/!confirm',
    operation(
      'confirm',
      'confirmations.decide',
      {
        summary: 'Confirm what another operator has proposed: it is carried out under both names',
        params: ConfirmationParams,
        body: ConfirmSchema,
        response: answers({ 200: ConfirmationDetailSchema }, 406, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { digest, consequencesDigest, reason } = request.body
      const { confirmationId } = request.params
      const operatorCode = operatorOf(request).code
      const order = { confirmationId, operatorCode, digest, consequencesDigest, reason }
      return presentView(await service.confirm(order), merchantCodeOf)
    },
  )
}

function endingRoutes(app: App, { service, merchantCodeOf }: ConfirmationRouteDeps): void {
  app.post(
    '/operator/confirmations/:confirmationId/!refuse',
    operation(
      'refuseConfirmation',
      'confirmations.decide',
      {
        summary: 'Refuse what another operator has proposed; it ends, and stays listed',
        params: ConfirmationParams,
        body: ConfirmationRefuseSchema,
        response: answers({ 200: ConfirmationDetailSchema }, 406, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { digest, reason } = request.body
      const { confirmationId } = request.params
      const order = { confirmationId, operatorCode: operatorOf(request).code, digest, reason }
      return presentView(await service.refuse(order), merchantCodeOf)
    },
  )
  app.post(
    '/operator/confirmations/:confirmationId/!withdraw',
    operation('withdrawConfirmation', 'confirmations.withdraw', {
      summary: 'Withdraw what you have proposed yourself',
      params: ConfirmationParams,
      body: ConfirmationWithdrawSchema,
      response: answers({ 200: ConfirmationDetailSchema }, 406, 409, 410),
    }),
    async (request) => {
      const { confirmationId } = request.params
      const order = {
        confirmationId,
        operatorCode: operatorOf(request).code,
        reason: request.body.reason,
      }
      return presentView(await service.withdraw(order), merchantCodeOf)
    },
  )
}

const PLACE = /^\d{1,18}$/

/** Reads a cursor of ours; throws the 400 for anything else. */
function placeOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!PLACE.test(place)) throw invalidField('cursor', 'is not a nextCursor of this list')
  return place
}
