import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawQr } from '../src/qr.ts'

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
