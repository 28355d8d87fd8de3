import type { FastifyInstance } from 'fastify'
import { LOGOS_PATH, type Logos } from './logos.ts'
import { textIn } from './opening.ts'

const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
}

/** Serves them to browsers. */
export function logoRoutes(app: FastifyInstance, { logos }: { readonly logos: Logos }): void {
  app.get(`${LOGOS_PATH}:file`, async (request, reply) => {
    const picture = await logos.find(textIn(request.params, 'file'))
    if (picture === undefined) return reply.code(404).type('text/plain').send('')
    return reply.headers(HEADERS).type(picture.mediaType).send(picture.content)
  })
}
