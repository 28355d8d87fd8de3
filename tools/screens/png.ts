import { crc32, deflateSync, inflateSync } from 'node:zlib'

// Pictures of pages have few colours: with a palette they take a third of the room, and nobody sees a difference.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const COLOURS_MAX = 256
const RGB = 2
const RGBA = 6
const PALETTE = 3
/** Colours that differ by less than this in a channel are one, where there are too many. */
const STEP = 8

interface Picture {
  readonly width: number
  readonly height: number
  /** 0xRRGGBB of each pixel, row by row. */
  readonly pixels: Uint32Array
}

/** The same picture with a palette of at most 256 colours. Throws for a PNG that no browser's screenshot is. */
export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const palette = paletteOf(pixels)
  const indexOf = nearestIn(palette)
  const rows = Buffer.alloc(height * (width + 1))
  for (let at = 0; at < pixels.length; at += 1)
    rows[at + Math.floor(at / width) + 1] = indexOf(pixels[at] ?? 0)
  const colours = Buffer.alloc(palette.length * 3)
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, PALETTE, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The most frequent colours, the nearly equal ones taken together where there are too many. */
function paletteOf(pixels: Uint32Array): readonly number[] {
  const counts = countsOf(pixels)
  if (counts.size <= COLOURS_MAX) return [...counts.keys()]
  const groups = new Map<number, { colour: number; count: number; most: number }>()
  for (const [colour, count] of counts) {
    const key = channelsOf(colour).reduce((sum, channel) => sum * 256 + Math.floor(channel / STEP), 0)
    const group = groups.get(key) ?? { colour, count: 0, most: 0 }
    const isMost = count > group.most
    groups.set(key, {
      colour: isMost ? colour : group.colour,
      count: group.count + count,
      most: Math.max(group.most, count),
    })
  }
  return [...groups.values()]
    .toSorted((one, other) => other.count - one.count)
    .slice(0, COLOURS_MAX)
    .map(({ colour }) => colour)
}

function countsOf(pixels: Uint32Array): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  return counts
}

const channelsOf = (colour: number): readonly [number, number, number] => [
  (colour >> 16) & 255,
  (colour >> 8) & 255,
  colour & 255,
]

function nearestIn(palette: readonly number[]): (colour: number) => number {
  const known = new Map(palette.map((colour, index) => [colour, index]))
  const channels = palette.map(channelsOf)
  return (colour) => {
    const index = known.get(colour)
    if (index !== undefined) return index
    const [red, green, blue] = channelsOf(colour)
    const distances = channels.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2)
    const nearest = distances.indexOf(Math.min(...distances))
    known.set(colour, nearest)
    return nearest
  }
}

function decode(png: Buffer): Picture {
  const data: Buffer[] = []
  let [width, height, kind] = [0, 0, 0]
  for (let at = SIGNATURE.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    if (type === 'IDAT') data.push(body)
    if (type === 'IHDR') [width, height, kind] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] ?? 0]
  }
  if (kind !== RGB && kind !== RGBA) throw new Error(`a PNG of kind ${kind} is not a screenshot`)
  const bytes = kind === RGBA ? 4 : 3
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * bytes, bytes)
  const pixels = new Uint32Array(width * height)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = rows.readUIntBE(at * bytes, 3)
  return { width, height, pixels }
}

/** Takes back what each row was told from its neighbours by (PNG specification, 9); rows without their filters. */
function unfilter(filtered: Buffer, length: number, bytes: number): Buffer {
  const height = filtered.length / (length + 1)
  // Above and before the picture everything is 0.
  const stride = bytes + length
  const rows = Buffer.alloc((height + 1) * stride)
  for (let row = 0; row < height; row += 1) {
    const told = row * (length + 1)
    const filter = filtered.readUInt8(told)
    for (let at = 0; at < length; at += 1) {
      const place = (row + 1) * stride + bytes + at
      const left = rows.readUInt8(place - bytes)
      const above = rows.readUInt8(place - stride)
      const corner = rows.readUInt8(place - stride - bytes)
      rows[place] = (filtered.readUInt8(told + 1 + at) + predict(filter, left, above, corner)) & 255
    }
  }
  const starts = Array.from({ length: height }, (_, row) => (row + 1) * stride + bytes)
  return Buffer.concat(starts.map((start) => rows.subarray(start, start + length)))
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  return filter === 4 ? paeth(left, above, corner) : 0
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((each) => Math.abs(guess - each))
  if (toLeft === undefined || toAbove === undefined || toCorner === undefined) return 0
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}
