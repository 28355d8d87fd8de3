import { answers, LogoParams } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { Refusal } from '../../platform/refusal.ts'
import { LOGO_MEDIA_TYPES } from './logo.ts'
import { LOGOS_PATH, type LogoDirectory } from './logo-service.ts'

/** A picture is a picture: it runs nothing and loads nothing, also where somebody opens it by itself. */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

const PICTURES = {
  description: 'The picture. An address always means the same bytes.',
  content: Object.fromEntries(
    LOGO_MEDIA_TYPES.map((mediaType) => [mediaType, { schema: { type: 'string', format: 'binary' } }]),
  ),
}

/** The pictures of merchants, for anybody's browser: no token, no version. */
export function logoRoutes(app: App, logos: LogoDirectory): void {
  app.get(
    `${LOGOS_PATH}/:hash`,
    {
      config: { access: 'open' },
      schema: {
        operationId: 'readBrandLogo',
        summary: 'A merchant’s logo',
        description:
          'The address in `channelInfo.logoUrl` of GET /merchant-info. It needs neither a token nor X-API-Version, and a browser may keep it for ever.',
        tags: ['Merchant info'],
        params: LogoParams,
        response: answers({ 200: PICTURES }, 400, 410, 429, 500),
      },
    },
    async (request, reply) => {
      const logo = await logos.find(request.params.hash)
      if (logo === undefined) throw new Refusal('ENTITY_NOT_FOUND')
      return reply.headers(HEADERS).type(logo.mediaType).send(logo.content)
    },
  )
}
