import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'

/** In which types a file is handed in as the body of a request. */
export const FILE_TYPES = [
  'application/octet-stream',
  'application/xml',
  'text/xml',
  'text/plain',
  'text/csv',
] as const

/** Lets routes take files as they are. */
export function takeFiles(app: App): void {
  for (const type of FILE_TYPES)
    app.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The file that is the body of the request. Throws BODY_INVALID for another body. */
export function fileOf({ body }: Pick<FastifyRequest, 'body'>): Buffer {
  if (Buffer.isBuffer(body)) return body
  throw new Refusal('BODY_INVALID', { message: `The body is the file itself, as ${FILE_TYPES.join(', ')}.` })
}
