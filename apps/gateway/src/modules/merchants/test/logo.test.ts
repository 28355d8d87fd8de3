import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { watchConfiguration } from '../../../platform/configuration-changes.ts'
import { createLogoDirectory, createLogoService, MerchantProblem } from '../index.ts'
import { LOGO_BYTES_MAX, takeInLogo } from '../logo.ts'
import { jpegOf, pngChunk, pngOf, webpOf } from './pictures.ts'
import { merchantRig } from './rig.ts'

const rig = await merchantRig({ after })

const svg = (inner: string, attributes = 'viewBox="0 0 120 40"'): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`)
const drawn = (inner: string, attributes?: string): string =>
  takeInLogo(svg(inner, attributes)).content.toString()

function expectRefused(bytes: Buffer, sentence: RegExp): void {
  assert.throws(
    () => takeInLogo(bytes),
    (error) => error instanceof MerchantProblem && sentence.test(error.message),
    bytes.toString('latin1').slice(0, 200),
  )
}

test('a picture is what its bytes say, with their size, and kept as it is', () => {
  const pictures = [
    ['image/png', pngOf(120, 40)],
    ['image/jpeg', jpegOf(120, 40)],
    ['image/webp', webpOf('VP8 ', 120, 40)],
    ['image/webp', webpOf('VP8L', 120, 40)],
    ['image/webp', webpOf('VP8X', 120, 40)],
  ] as const
  for (const [mediaType, content] of pictures) {
    const hash = createHash('sha256').update(content).digest('hex')
    assert.deepEqual(takeInLogo(content), { mediaType, content, hash, width: 120, height: 40 })
  }
})

test('a picture that is cut off, or has something behind its end, is refused', () => {
  for (const whole of [pngOf(40, 40), jpegOf(40, 40), webpOf('VP8L', 40, 40)]) {
    expectRefused(whole.subarray(0, whole.length - 1), /damaged/)
    expectRefused(Buffer.concat([whole, Buffer.from('<script>')]), /damaged/)
  }
  const changed = pngOf(40, 40)
  changed.writeUInt32BE(60, 16)
  expectRefused(changed, /damaged/)
})

test('a picture that moves is refused', () => {
  expectRefused(pngOf(40, 40, [pngChunk('acTL', Buffer.alloc(8))]), /moves/)
  expectRefused(webpOf('VP8X', 40, 40, 0x02), /moves/)
})

test('a picture that is too large, too small or too heavy is refused', () => {
  expectRefused(pngOf(15, 40), /15 × 40/)
  expectRefused(jpegOf(40, 1025), /40 × 1025/)
  expectRefused(pngOf(40, 40, [pngChunk('tEXt', Buffer.alloc(LOGO_BYTES_MAX))]), /32768/)
  expectRefused(svg(' '.repeat(9_000)), /8192/)
})

test('anything else is no picture, whatever it is called', () => {
  for (const text of ['', 'GIF89a', '%PDF-1.4', '<!doctype html><script>', '<html/>', 'hello'])
    expectRefused(Buffer.from(text), /none of PNG|document type|cannot be read/)
  expectRefused(Buffer.from([0x3c, 0x73, 0xff, 0xfe]), /none of PNG/)
})

test('a drawing is drawn anew: shapes, groups, gradients and clips, in their order', () => {
  const inner =
    '<defs><linearGradient id="a" x2="1"><stop offset="0" stop-color="#f00"/></linearGradient><clipPath id="c"><circle r="4"/></clipPath></defs><rect width="120" height="40" fill="url(#a)"/><path d="M0 0h9v-1.5e-2z" fill="red"/><g clip-path="url(#c)" transform="rotate(45)"><rect width="3" height="3"/></g>'
  assert.equal(
    drawn(inner),
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40" width="120" height="40">${inner}</svg>`,
  )
})

test('what says nothing about the look of a drawing is left out', () => {
  const noisy = `<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/x.css"?><!-- made by hand -->
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i" version="1.1" class="x" width="60px" height="20px" data-name="l">
<title>Shop</title><desc>A logo</desc><metadata><x/></metadata><i:view onload="x"/><path i:label="p" class="y" d="M0 0"/>text</svg>`
  assert.equal(
    takeInLogo(Buffer.from(noisy)).content.toString(),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20" width="60" height="20"><path d="M0 0"/></svg>',
  )
})

test('what could run, load, style or lead elsewhere is refused by its name', () => {
  const elements = [
    'script',
    'style',
    'foreignObject',
    'image',
    'use',
    'a',
    'animate',
    'set',
    'text',
    'filter',
    'feImage',
    'iframe',
    'SCRIPT',
    'svg',
    'symbol',
    'pattern',
    'switch',
    'handler',
  ]
  for (const name of elements) expectRefused(svg(`<${name}/>`), new RegExp(`<${name}>`))
  const attributes = [
    'onload="alert(1)"',
    'ONCLICK="x"',
    'style="fill:red"',
    'src="x"',
    'filter="url(#f)"',
    'fill="url(https://evil.example)"',
    'fill="url(data:image/png;base64,AA)"',
    'fill="URL(//evil.example)"',
    'fill="url( #a )"',
    'fill="url(#a) url(b)"',
    'fill="javascript:alert(1)"',
    'fill="&#106;avascript&#58;alert(1)"',
    'href="#a"',
    'xlink:href="https://evil.example/x.svg#a"',
    'd="M0 0&quot; onload=&quot;x"',
    'fill="red;color:blue"',
    'fill="\\75rl(x)"',
  ]
  for (const attribute of attributes)
    expectRefused(svg(`<path xmlns:xlink="urn:x" ${attribute}/>`), /which is not taken|that is not taken/)
  expectRefused(svg('', 'viewBox="0 0 9 9" onload="alert(1)"'), /onload on <svg>/)
  expectRefused(svg('<linearGradient href="data:x"/>'), /not taken/)
  assert.match(drawn('<linearGradient id="b" href="#a"/>'), /<linearGradient id="b" href="#a"\/>/)
})

test('a drawing with a document type, an entity or another root is refused', () => {
  expectRefused(
    Buffer.from('<!DOCTYPE svg [<!ENTITY x "y">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>'),
    /document type/,
  )
  expectRefused(svg('<path d="&xxe;"/>'), /cannot be read/)
  expectRefused(svg('<path></g>'), /cannot be read/)
  expectRefused(Buffer.from('<svg xmlns="http://www.w3.org/1999/xhtml" viewBox="0 0 1 1"/>'), /none of PNG/)
  expectRefused(Buffer.from('<x:svg xmlns:x="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'), /none of PNG/)
  expectRefused(svg('<g>'.repeat(60) + '</g>'.repeat(60)), /cannot be read/)
})

test('a drawing has the size that it gives itself, or its box, and no side above the greatest', () => {
  const sizeOf = (attributes: string): readonly number[] => {
    const { width, height } = takeInLogo(svg('', attributes))
    return [width, height]
  }
  assert.deepEqual(sizeOf('width="120" height="40.4"'), [120, 40])
  assert.deepEqual(sizeOf('width="100%" height="100%" viewBox="0,0 30 10"'), [30, 10])
  assert.deepEqual(sizeOf('viewBox="0 0 4096 1024"'), [1024, 256])
  for (const wrong of ['', 'width="10"', 'viewBox="0 0 0 10"', 'viewBox="0 0 10"', 'width="-1" height="1"'])
    expectRefused(svg('', wrong), /no size/)
})

test('a logo is set, found by its hash, replaced and taken away, and the merchant’s record says so', async () => {
  const { db, merchants } = rig
  const logos = createLogoService({ db })
  await merchants.create('LOGO', 'Logo Shop')
  const changes = watchConfiguration({ db, clock: systemClock, log: createLog({ level: 'silent' }) })
  const directory = createLogoDirectory({ db, changes })
  const one = await logos.set('LOGO', pngOf(120, 40))
  const { hash, width, height } = one
  assert.deepEqual((await merchants.show('LOGO')).merchant.logo, { hash, width, height })
  assert.deepEqual(await directory.find(hash), one)
  const other = await logos.set('LOGO', svg('<path d="M0 0"/>'))
  assert.equal((await merchants.show('LOGO')).merchant.logo?.hash, other.hash)
  assert.equal(await createLogoDirectory({ db, changes }).find(hash), undefined)
  await logos.remove('LOGO')
  assert.equal((await merchants.show('LOGO')).merchant.logo, undefined)
  await assert.rejects(logos.remove('LOGO'), { name: 'MerchantProblem', kind: 'NOT_FOUND' })
  await assert.rejects(logos.set('NOBODY', pngOf(40, 40)), { name: 'MerchantProblem', kind: 'NOT_FOUND' })
})

test('what customers see of a merchant is changed member by member, and nothing that could do harm is taken', async () => {
  const { merchants } = rig
  await merchants.create('LOOK', 'Look Shop')
  await merchants.change('LOOK', { primaryColor: '#0B57d0', supportUrl: 'https://shop.example/help' })
  const { channel } = await merchants.change('LOOK', { supportEmail: 'help@shop.example' })
  assert.deepEqual(channel, {
    name: 'Look Shop',
    supportEmail: 'help@shop.example',
    supportUrl: 'https://shop.example/help',
    primaryColor: '#0B57d0',
  })
  const without = await merchants.change('LOOK', { supportUrl: null, primaryColor: null })
  assert.deepEqual(without.channel, { name: 'Look Shop', supportEmail: 'help@shop.example' })
  const refused = [
    { primaryColor: 'red' },
    { primaryColor: '' },
    { primaryColor: '#fff' },
    { supportUrl: 'javascript:alert(1)' },
    { supportUrl: 'shop.example' },
    { supportUrl: `https://shop.example/${'x'.repeat(250)}` },
    { supportEmail: 'help' },
    { supportEmail: 'a@b?cc=c@d' },
  ]
  for (const change of refused)
    await assert.rejects(
      merchants.change('LOOK', change),
      { name: 'MerchantProblem' },
      JSON.stringify(change),
    )
})
