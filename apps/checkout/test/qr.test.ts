import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawQr, QR_BYTES_MAX } from '../src/qr.ts'

const EVIL = `"><script>alert(1)</script>'\`&`
const BILL = ['SPC', '0200', '1', 'CH9300762011623852957'].join('\n')

test('D24 a Swiss QR bill has the cross in its middle, seven of forty-six millimetres wide; other codes have none', () => {
  const svg = drawQr(BILL, 'Bill')?.text ?? ''
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const [, from = '', scale = ''] = /translate\(([\d.]+) [\d.]+\) scale\(([\d.]+)\)/.exec(svg) ?? []
  const side = 19.8 * Number(scale)
  assert.ok(Math.abs(side / (size - 8) - 7 / 46) < 0.001, 'its part of the code without the margin')
  assert.ok(Math.abs(Number(from) + side / 2 - size / 2) < 0.01, 'in the middle')
  assert.doesNotMatch(drawQr('BCD\n002\n1\nSCT', 'Bill')?.text ?? '', /<g /)
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
