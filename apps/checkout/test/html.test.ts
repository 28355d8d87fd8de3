import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brandStylesheet, colourOf, contrastOf } from '../src/branding.ts'
import { attributes, html } from '../src/html.ts'
import { drawQr, QR_BYTES_MAX } from '../src/qr.ts'

const EVIL = `"><script>alert(1)</script>'\`&`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&#96;&amp;'

test('texts and numbers are escaped, in elements and in attributes; nothing is nothing', () => {
  assert.equal(
    html`<p title="${EVIL}">${EVIL}${7}${undefined}${false}</p>`.text,
    `<p title="${ESCAPED}">${ESCAPED}7</p>`,
  )
})

test('pieces stay as they are, alone and in lists', () => {
  const piece = html`<b>${'<'}</b>`
  assert.equal(
    html`<p>${piece}${[piece, undefined, false, piece]}</p>`.text,
    `<p>${'<b>&lt;</b>'.repeat(3)}</p>`,
  )
})

test('a text that looks like a piece is none', () => {
  const text: string = JSON.parse('"<i>"')
  assert.equal(html`${text}`.text, '&lt;i&gt;')
})

test('attributes are escaped, left out, or without a value; a name that is none is refused', () => {
  assert.equal(
    attributes({ value: EVIL, hidden: true, checked: false, id: undefined, 'data-n': 0 }).text,
    ` value="${ESCAPED}" hidden data-n="0"`,
  )
  assert.throws(() => attributes({ 'x onload=alert(1)': '1' }))
})

test('a QR code is an image with an escaped name, and nothing for what is too long', () => {
  const svg = drawQr('upi://pay?pa=a@b&am=1', EVIL)?.text ?? ''
  assert.match(svg, /^<svg [^>]*role="img" aria-label="&quot;&gt;&lt;script/)
  assert.match(svg, /viewBox="0 0 \d+ \d+"/)
  assert.doesNotMatch(svg, /style=|<script/)
  assert.ok(drawQr('x'.repeat(QR_BYTES_MAX), 'name'))
  assert.equal(drawQr('x'.repeat(QR_BYTES_MAX + 1), 'name'), undefined)
  assert.equal(drawQr('', 'name'), undefined)
})

test('whatever colour a merchant has, texts on it and in it can be read', () => {
  for (const text of [
    '#ffffff',
    '#000000',
    '#ffff00',
    '#777777',
    '#ff0000',
    '00f',
    '#1d4ed8',
    '#00ff7f',
    '#808000',
  ]) {
    const sheet = brandStylesheet(colourOf(text) ?? assert.fail(text))
    const schemes = [...sheet.matchAll(/--brand:(#\w{6});--on-brand:(#\w{6});--brand-text:(#\w{6})/g)]
    assert.equal(schemes.length, 2)
    for (const [index, [, brand = '', on = '', inText = '']] of schemes.entries()) {
      assert.ok(contrastOf(brand, on) >= 4.5, `${text}: ${brand} under ${on}`)
      assert.ok(contrastOf(inText, index === 0 ? '#ffffff' : '#101216') >= 4.5, `${text}: ${inText}`)
    }
  }
})

test('what is no colour is none', () => {
  for (const text of [undefined, '', 'red', '#12', '#12345', '#1234567', '#ggg', '#fff;}', 'url(x)'])
    assert.equal(colourOf(text), undefined)
})
