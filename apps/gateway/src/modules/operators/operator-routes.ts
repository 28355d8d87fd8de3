import {
  answers,
  OperatorRequestListSchema,
  OperatorRequestsQuery,
  OperatorSelfSchema,
  UnmaskingListSchema,
  UnmaskingsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { answerPage, NUMBER_PLACE, type PageOrder } from '../../http/paging.ts'
import { type OperatorRequest, permissionsOf, type Unmasking } from './model.ts'

const operation = operatorOperationsOf('Operators')

/** What is listed of operators, the newest first. */
interface OperatorRecords {
  readonly listUnmaskings: (page: PageOrder) => Promise<readonly Unmasking[]>
  readonly listRequests: (
    page: PageOrder & { readonly operatorCode: string | undefined },
  ) => Promise<readonly OperatorRequest[]>
}

/**
 * The operator API's own routes. A room's operator routes live in its `operator-routes.ts` as `<room>OperatorRoutes(app,
 * services)` and are registered in app.ts. Paths begin with `/operator/`, each route names its permission in
 * `config: { permission }`, and `operatorOf(request)` says who asks, for the record.
 */
export function operatorRoutes(app: App, records: OperatorRecords): void {
  unmaskingRoute(app, records)
  requestRoute(app, records)
  app.get(
    '/operator/me',
    {
      config: { permission: 'self.read' },
      schema: {
        operationId: 'readOperatorSelf',
        summary: 'Who am I, and what may I do',
        tags: ['Operators'],
        response: answers({ 200: OperatorSelfSchema }, 401, 403, 429, 500),
      },
    },
    (request) => {
      const operator = operatorOf(request)
      return Promise.resolve({
        operatorCode: operator.code,
        name: operator.name,
        roles: operator.roles,
        ...(operator.member && {
          merchantCode: operator.member.merchantCode,
          memberRole: operator.member.role,
        }),
        permissions: permissionsOf(operator),
      })
    },
  )
}

function unmaskingRoute(app: App, { listUnmaskings }: OperatorRecords): void {
  app.get(
    '/operator/unmaskings',
    operation('listUnmaskings', 'unmaskings.read', {
      summary: 'List who has read whose name and account in full, the newest first',
      querystring: UnmaskingsQuery,
      response: { 200: UnmaskingListSchema },
    }),
    ({ query }) =>
      answerPage(query, {
        place: NUMBER_PLACE,
        list: listUnmaskings,
        placeOf: ({ unmaskingId }) => unmaskingId,
        present: presentUnmasking,
      }),
  )
}

function presentUnmasking({ unmaskingId: _, seenAt, ...rest }: Unmasking) {
  return { ...rest, seenAt: seenAt.toISOString() }
}

function requestRoute(app: App, { listRequests }: OperatorRecords): void {
  app.get(
    '/operator/requests',
    operation('listOperatorRequests', 'operators.read', {
      summary: 'List what operators asked to change and how it was answered, the newest first',
      querystring: OperatorRequestsQuery,
      response: { 200: OperatorRequestListSchema },
    }),
    ({ query: { operatorCode, ...page } }) =>
      answerPage(page, {
        place: NUMBER_PLACE,
        list: (order) => listRequests({ ...order, operatorCode }),
        placeOf: ({ requestNo }) => requestNo,
        present: ({ requestNo: _, askedAt, ...rest }) => ({ ...rest, askedAt: askedAt.toISOString() }),
      }),
  )
}
