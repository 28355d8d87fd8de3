import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { brandStylesheet, colourOf, contrastOf } from '../src/branding.ts'

/** The grounds of the page (assets/styles/base.css), by theme. */
const GROUNDS = [
  ['#ffffff', '#f4f5f7'],
  ['#101216', '#1e2227'],
] as const
const CONTRAST_MIN = 4.5

const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => number.toString(16).padStart(6, '0'))

function valuesOf(sheet: string, name: string): readonly string[] {
  return [...sheet.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, 'g'))].map(([, value]) => value ?? '')
}

test('whatever a merchant’s colour is, texts in it and on it can be read in both themes', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const sheet = brandStylesheet(colour)
      const [plates, ons, texts] = ['brand', 'on-brand', 'brand-text'].map((name) => valuesOf(sheet, name))
      for (const [theme, grounds] of GROUNDS.entries()) {
        assert(contrastOf(plates?.[theme] ?? '', ons?.[theme] ?? '') >= CONTRAST_MIN, sheet)
        for (const ground of grounds) assert(contrastOf(texts?.[theme] ?? '', ground) >= CONTRAST_MIN, sheet)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a colour is six hex digits, or three of them; anything else is none', () => {
  assert.equal(colourOf('#0AF'), '00aaff')
  assert.equal(colourOf('0b57d0'), '0b57d0')
  for (const text of [undefined, '', 'red', '#12345', 'url(x)', '#0af;}'])
    assert.equal(colourOf(text), undefined)
})
