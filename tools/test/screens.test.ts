import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { CHAPTERS, SCENES } from '../../acceptance/support/screens.ts'
import { ROWS } from '../../apps/checkout/src/router.ts'
import { galleryPage } from '../screens/page.ts'
import { withPalette } from '../screens/png.ts'
import { ORDINARY, pictureOf, VARIANTS } from '../screens/variants.ts'

test('every screen that the page can decide for is shown by a scene', () => {
  const shown = new Set(SCENES.map(({ screen }) => screen))
  assert.deepEqual(
    [...new Set(ROWS.map(({ screen }) => screen))].filter((screen) => !shown.has(screen)),
    [],
  )
})

test('the gallery has the picture and the sentence of every scene, and no scene twice', () => {
  const page = galleryPage(CHAPTERS)
  for (const { name, shows } of SCENES) {
    assert.equal(page.split(`](${pictureOf(name, ORDINARY)})`).length, 2, name)
    assert.ok(page.includes(shows), shows)
  }
  const names = SCENES.map(({ name }) => name)
  for (const variant of VARIANTS) for (const name of variant.scenes) assert.ok(names.includes(name), name)
})

test('a picture of few colours comes out of its palette as it went in', () => {
  const width = 5
  // Every filter of PNG once: none, left, above, average, Paeth.
  const rows = [0, 1, 2, 3, 4].map((filter) => [
    filter,
    ...Array.from({ length: width * 3 }, (_, at) => at * 7),
  ])
  const png = picture({ width, height: rows.length, kind: 2 }, Buffer.from(rows.flat()))
  const small = chunksOf(withPalette(png))
  const palette = small.get('PLTE') ?? assert.fail('no palette')
  const indices = inflateSync(small.get('IDAT') ?? assert.fail('no pixels'))
  const first = Array.from({ length: width }, (_, at) => indices[1 + at] ?? 0)
  const colours = first.flatMap((index) => [...palette.subarray(index * 3, index * 3 + 3)])
  // The first row was told as it is; the second one adds up.
  assert.deepEqual(
    colours,
    Array.from({ length: width * 3 }, (_, at) => at * 7),
  )
  const second = indices[width + 2] ?? 0
  const last = indices[2 * width + 1] ?? 0
  assert.deepEqual([...palette.subarray(second * 3, second * 3 + 3)], [0, 7, 14])
  assert.deepEqual([...palette.subarray(last * 3, last * 3 + 3)], [210, 245, 24])
})

interface Head {
  readonly width: number
  readonly height: number
  readonly kind: number
}

function picture({ width, height, kind }: Head, filtered: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, kind], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(filtered)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const numbers = [body.length, crc32(named)].map((value) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return bytes
  })
  const [length = Buffer.alloc(0), sum = Buffer.alloc(0)] = numbers
  return Buffer.concat([length, named, sum])
}

function chunksOf(png: Buffer): ReadonlyMap<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at)
    assert.equal(png.readUInt32BE(end), crc32(png.subarray(at + 4, end)))
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, end))
  }
  return chunks
}
