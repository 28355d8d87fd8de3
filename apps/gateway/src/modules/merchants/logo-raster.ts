import { crc32 } from 'node:zlib'
import { MerchantProblem } from './errors.ts'

/** A picture of pixels, by its own bytes. */
interface Picture {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
}

/**
 * The kind and size of a PNG, JPEG or WebP; undefined for anything else. It must be whole, stand still, and have nothing
 * behind its end: MerchantProblem is thrown otherwise.
 */
export function measurePicture(bytes: Buffer): Picture | undefined {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return measurePng(bytes)
  if (bytes.subarray(0, JPEG_BEGIN.length).equals(JPEG_BEGIN)) return measureJpeg(bytes)
  if (tagAt(bytes, 0) === 'RIFF' && tagAt(bytes, 8) === 'WEBP') return measureWebp(bytes)
  return undefined
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const JPEG_BEGIN = Buffer.from([0xff, 0xd8, 0xff])
const JPEG_END = Buffer.from([0xff, 0xd9])

const tagAt = (bytes: Buffer, offset: number): string => bytes.toString('latin1', offset, offset + 4)

function broken(kind: string): MerchantProblem {
  return new MerchantProblem(`The ${kind} is damaged: it does not end where it should.`)
}

const moving = (): MerchantProblem => new MerchantProblem('The logo moves; a logo stands still.')

const PNG_AROUND_BYTES = 12

function measurePng(bytes: Buffer): Picture {
  let size: Omit<Picture, 'mediaType'> | undefined
  for (let offset = PNG_SIGNATURE.length; offset + PNG_AROUND_BYTES <= bytes.length; ) {
    const end = offset + PNG_AROUND_BYTES + bytes.readUInt32BE(offset)
    const tag = tagAt(bytes, offset + 4)
    if (end > bytes.length || crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      break
    if (tag === 'acTL') throw moving()
    if (tag === 'IHDR')
      size = { width: bytes.readUInt32BE(offset + 8), height: bytes.readUInt32BE(offset + 12) }
    if (tag === 'IEND' && end === bytes.length && size !== undefined)
      return { mediaType: 'image/png', ...size }
    offset = end
  }
  throw broken('PNG')
}

/** Start of frame; of the same range, these mean something else: tables, and a reserved one. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker)
const JPEG_FRAME_BYTES = 9

function measureJpeg(bytes: Buffer): Picture {
  if (!bytes.subarray(-JPEG_END.length).equals(JPEG_END)) throw broken('JPEG')
  for (let offset = 2; offset + JPEG_FRAME_BYTES <= bytes.length && bytes[offset] === 0xff; ) {
    const marker = bytes.readUInt8(offset + 1)
    if (isFrame(marker))
      return {
        mediaType: 'image/jpeg',
        height: bytes.readUInt16BE(offset + 5),
        width: bytes.readUInt16BE(offset + 7),
      }
    offset += 2 + bytes.readUInt16BE(offset + 2)
  }
  throw broken('JPEG')
}

const WEBP_HEAD_BYTES = 30
const RIFF_HEAD_BYTES = 8
const WEBP_MOVES = 0x02

function measureWebp(bytes: Buffer): Picture {
  if (bytes.length < WEBP_HEAD_BYTES || bytes.readUInt32LE(4) + RIFF_HEAD_BYTES !== bytes.length)
    throw broken('WebP')
  const mediaType = 'image/webp'
  switch (tagAt(bytes, 12)) {
    case 'VP8 ':
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const sides = bytes.readUInt32LE(21)
      return { mediaType, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      if ((bytes.readUInt8(20) & WEBP_MOVES) !== 0) throw moving()
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      throw broken('WebP')
  }
}
