import { answers, OperatorSelfSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { permissionsOf } from './model.ts'

/**
 * The operator API's own routes. A room's operator routes live in its `operator-routes.ts` as `<room>OperatorRoutes(app,
 * services)` and are registered in app.ts. Paths begin with `/operator/`, each route names its permission in
 * `config: { permission }`, and `operatorOf(request)` says who asks, for the record.
 */
export function operatorRoutes(app: App): void {
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
