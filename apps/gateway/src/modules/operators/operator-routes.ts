import {
  answers,
  OperatorSelfSchema,
  PAGE_LIMIT_DEFAULT,
  UnmaskingListSchema,
  UnmaskingsQuery,
} from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { invalidField } from '../../platform/refusal.ts'
import { permissionsOf, type Unmasking } from './model.ts'

/** Who has read what in full, the newest first. */
type ListUnmaskings = (page: {
  readonly before: string | undefined
  readonly limit: number
}) => Promise<readonly Unmasking[]>

/**
 * The operator API's own routes. A room's operator routes live in its `operator-routes.ts` as `<room>OperatorRoutes(app,
 * services)` and are registered in app.ts. Paths begin with `/operator/`, each route names its permission in
 * `config: { permission }`, and `operatorOf(request)` says who asks, for the record.
 */
export function operatorRoutes(app: App, list: ListUnmaskings): void {
  unmaskingRoute(app, list)
  app.get(
    '/operator/me',
    {
      config: { permission: 'self.read' },
      schema: {
        operationId: 'readOperatorSelf',
        summary: 'Who am I, and what may I do',
        tags: ['Operators'],
        response: answers({ 200: OperatorSelfSchema }, 401, 429, 500),
      },
    },
    (request) => {
      const operator = operatorOf(request)
      return Promise.resolve({
        operatorCode: operator.code,
        name: operator.name,
        roles: operator.roles,
        permissions: permissionsOf(operator),
      })
    },
  )
}

function unmaskingRoute(app: App, list: ListUnmaskings): void {
  app.get(
    '/operator/unmaskings',
    {
      config: { permission: 'unmaskings.read' },
      schema: {
        operationId: 'listUnmaskings',
        summary: 'List who has read whose name and account in full, the newest first',
        tags: ['Operators'],
        querystring: UnmaskingsQuery,
        response: answers({ 200: UnmaskingListSchema }, 400, 401, 403, 429, 500),
      },
    },
    async ({ query: { cursor, limit: asked } }) => {
      const limit = asked === undefined ? PAGE_LIMIT_DEFAULT : Number(asked)
      const found = await list({ before: placeOf(cursor), limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1)?.unmaskingId : undefined
      return {
        data: page.map(present),
        ...(last !== undefined && { nextCursor: Buffer.from(last).toString('base64url') }),
      }
    },
  )
}

function placeOf(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined
  const place = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!/^\d{1,18}$/.test(place)) throw invalidField('cursor', 'is not a nextCursor of this list')
  return place
}

function present({ unmaskingId: _, seenAt, ...rest }: Unmasking): Record<string, unknown> {
  const known = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(known), seenAt: seenAt.toISOString() }
}
