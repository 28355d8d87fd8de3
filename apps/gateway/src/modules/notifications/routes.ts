import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App, WireTypes } from '../../http/app-type.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { NotificationIntake } from './service.ts'

const KIB = 1024
const BODY_BYTES_MAX = 64 * KIB
const RailParams = Type.Object({ railCode: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }) })

/**
 * Where institutions report: no merchant has to do with it, so it takes no token and is not in their description. The
 * body is any bytes: what it means, and whether it is proven, is the rail's to say.
 */
export function notificationRoutes(app: App, intake: NotificationIntake): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body))
    scope.withTypeProvider<WireTypes>().post(
      '/rails/:railCode/notifications',
      {
        config: { access: 'institution' },
        bodyLimit: BODY_BYTES_MAX,
        schema: { hide: true, params: RailParams },
      },
      async (request) => {
        const { railCode } = request.params
        const reception = await intake.accept(railCode, {
          headers: singleHeaders(request.headers),
          body: bodyOf(request),
          address: request.ip,
        })
        if (reception === 'NO_SUCH_RAIL') throw new Refusal('ROUTE_NOT_FOUND')
        if (reception === 'FORGED') throw new Refusal('SIGNATURE_INVALID')
        return {}
      },
    )
    done()
  })
}

/** Without those that came several times: nobody knows which one counts. */
function singleHeaders(headers: FastifyRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string'),
  )
}

const bodyOf = ({ body }: { readonly body: unknown }): Uint8Array =>
  Buffer.isBuffer(body) ? body : new Uint8Array(0)
