import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** How a body can be packed for the way. */
type Encoding = 'br' | 'gzip'

const ENCODINGS = ['br', 'gzip'] as const

/** The best encoding that a browser says it reads (RFC 9110, 12.5.3); undefined for none. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = (acceptEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';', 2).map((part) => part.trim()))
    .filter(([, quality = '']) => !/^q\s*=\s*0(?:\.0*)?$/.test(quality))
    .map(([name]) => name)
  return ENCODINGS.find((each) => accepted.includes(each))
}

/** A screen is made anew for every answer: packing it must cost less than sending it would. */
const BROTLI_QUALITY = 4
const brotli = promisify(brotliCompress)
const PACK: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify<string, Buffer>(gzip),
}

/** Screens, and codes to scan. */
const LONG_TYPES = /^(?:text\/html|image\/svg)/

/**
 * Packs every screen that the server sends. A secret that is packed together with a guess is found out by the length of the
 * whole; the one secret of a screen, the token of its forms, is therefore written differently every time.
 */
export function compressScreens(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    const isLong = LONG_TYPES.test(String(reply.getHeader('content-type')))
    if (typeof payload !== 'string' || !isLong) return payload
    void reply.header('vary', 'accept-encoding')
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (encoding === undefined) return payload
    void reply.header('content-encoding', encoding)
    return PACK[encoding](payload)
  })
}
