import { createHash } from 'node:crypto'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from './compression.ts'

/** A file for the browser, as it goes over the wire. */
export interface Asset {
  /** Carries the hash of the content, so it may be cached for ever. */
  readonly path: string
  readonly contentType: string
  /** For the `integrity` attribute: `sha384-…`. */
  readonly integrity: string
  readonly body: Buffer
  readonly gzip: Buffer
  readonly br: Buffer
}

/** Where assets are served. */
export const ASSETS_PATH = '/assets/'

const PATH_HASH_LENGTH = 16
const CONTENT_TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const

interface Source {
  /** What its path begins with. */
  readonly name: string
  readonly extension: keyof typeof CONTENT_TYPES
  readonly text: string
  /** From 1 to 11; the highest is slow, and for what is packed once. */
  readonly brotliQuality?: number
}

/** Packs and names a file; takes a while. */
export function toAsset({ name, extension, text, brotliQuality = zlib.BROTLI_MAX_QUALITY }: Source): Asset {
  const body = Buffer.from(text)
  const digest = createHash('sha384').update(body).digest()
  return {
    path: `${ASSETS_PATH}${name}.${digest.toString('hex').slice(0, PATH_HASH_LENGTH)}.${extension}`,
    contentType: CONTENT_TYPES[extension],
    integrity: `sha384-${digest.toString('base64')}`,
    body,
    gzip: gzipSync(body, { level: zlib.Z_BEST_COMPRESSION }),
    br: brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  }
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** Answers with the file, as the browser takes it. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply
    .headers({ 'cache-control': FOR_EVER, 'content-type': asset.contentType, vary: 'accept-encoding' })
    .send(asset[encoding ?? 'body'])
}
