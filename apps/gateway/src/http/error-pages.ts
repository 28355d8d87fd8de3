import { errorPage } from '@tollgate/contract'
import { isErrorCode } from '@tollgate/contract/words'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'

/** The page behind `docUrl` of an error answer, for a person: no token, no version. */
export function errorPageRoutes(app: App): void {
  app.get<{ Params: { code: string } }>(
    '/errors/:code',
    { config: { access: 'open' }, schema: { hide: true } },
    async (request, reply) => {
      const { code } = request.params
      if (!isErrorCode(code)) throw new Refusal('ROUTE_NOT_FOUND')
      return reply.type('text/markdown; charset=utf-8').send(errorPage(code))
    },
  )
}
