import { createHash } from 'node:crypto'
import { MerchantProblem } from './errors.ts'
import { measurePicture } from './logo-raster.ts'
import { redrawSvg } from './logo-svg.ts'

export const LOGO_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'] as const
export type LogoMediaType = (typeof LOGO_MEDIA_TYPES)[number]

/** The picture that stands for a merchant, fit to be shown to strangers. */
export interface Logo {
  /** SHA-256 of the content, in hex. */
  readonly hash: string
  readonly mediaType: LogoMediaType
  readonly content: Buffer
  /** In pixels. */
  readonly width: number
  readonly height: number
}

/** What a merchant's record says of the logo; the content is found by the hash. */
export type LogoReference = Pick<Logo, 'hash' | 'width' | 'height'>

const KIB = 1024
export const LOGO_BYTES_MAX = 32 * KIB
const SVG_BYTES_MAX = 8 * KIB
const SIDE_PIXELS_MIN = 16
const SIDE_PIXELS_MAX = 1024

/**
 * Takes in a logo file: PNG, JPEG or WebP of at most 32 KiB, told by their bytes and not by a name, or SVG of at most
 * 8 KiB, of which only shapes are kept. Throws MerchantProblem with one sentence.
 */
export function takeInLogo(bytes: Uint8Array): Logo {
  const given = Buffer.from(bytes)
  if (given.length > LOGO_BYTES_MAX)
    throw new MerchantProblem(`The logo has ${given.length} bytes; at most ${LOGO_BYTES_MAX} are taken.`)
  const picture = measurePicture(given)
  if (picture === undefined) return drawing(given)
  const { width, height, mediaType } = picture
  for (const side of [width, height]) {
    if (side < SIDE_PIXELS_MIN || side > SIDE_PIXELS_MAX)
      throw new MerchantProblem(
        `The logo has ${width} × ${height} pixels; each side has ${SIDE_PIXELS_MIN} to ${SIDE_PIXELS_MAX}.`,
      )
  }
  return { hash: hashOf(given), mediaType, content: given, width, height }
}

function drawing(given: Buffer): Logo {
  const text = textOf(given)
  if (text === undefined || !/^\s*</.test(text))
    throw new MerchantProblem('The logo is none of PNG, JPEG, WebP and SVG.')
  if (given.length > SVG_BYTES_MAX)
    throw new MerchantProblem(`The SVG has ${given.length} bytes; at most ${SVG_BYTES_MAX} are taken.`)
  const { text: drawn, width, height } = redrawSvg(text)
  const content = Buffer.from(drawn)
  return { hash: hashOf(content), mediaType: 'image/svg+xml', content, width, height }
}

const BYTE_ORDER_MARK = /^\uFEFF/

function textOf(given: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(given).replace(BYTE_ORDER_MARK, '')
  } catch {
    return undefined
  }
}

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
