import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { buildStylesheet } from '../src/assets/bundle.ts'
import { brandStylesheet, colourOf, contrastOf } from '../src/branding.ts'

/** The grounds of the page (assets/styles/base.css), by theme: wells, and paper. */
const GROUNDS = [
  ['#f1f2f5', '#ffffff'],
  ['#1a2028', '#13171d'],
] as const
const TEXT_MIN = 4.5
const PLATE_MIN = 3
const STRONG = 60
const HUE_DRIFT_MAX_DEGREES = 6

const colours = fc.integer({ min: 0, max: 0xffffff }).map((number) => number.toString(16).padStart(6, '0'))

/** By theme; the pane is the shop's in the light only. */
function valuesOf(sheet: string, name: string): readonly string[] {
  const values = [...sheet.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, 'g'))].map(
    ([, value]) => value ?? '',
  )
  assert.equal(values.length, GROUNDS.length)
  return values
}

function channelsOf(colour: string): readonly [number, number, number] {
  const number = Number.parseInt(colour.replace('#', ''), 16)
  return [number >> 16, (number >> 8) & 255, number & 255]
}

/** In degrees; undefined for what is nearly grey. */
function hueOf(colour: string): number | undefined {
  const [red, green, blue] = channelsOf(colour)
  const most = Math.max(red, green, blue)
  const range = most - Math.min(red, green, blue)
  if (range < STRONG) return undefined
  if (most === red) return (((green - blue) / range) * 60 + 360) % 360
  return most === green ? ((blue - red) / range) * 60 + 120 : ((red - green) / range) * 60 + 240
}

test('the grounds are those of the stylesheet', () => {
  const sheet = buildStylesheet()
  for (const [back, paper] of GROUNDS) {
    assert.match(sheet, new RegExp(`--back: ${back};`))
    assert.match(sheet, new RegExp(`--paper: (?:${paper}|${paper.slice(0, 4)});`))
  }
})

test('whatever a merchant’s colour is, in both themes: what is written in it and on it can be read, and buttons seen', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const sheet = brandStylesheet(colour)
      const [, pane = ''] = /--pane:(#[0-9a-f]{6})/.exec(sheet) ?? []
      for (const [theme, grounds] of GROUNDS.entries()) {
        const shown = (name: string): string => valuesOf(sheet, name)[theme] ?? ''
        assert(contrastOf(shown('brand'), shown('on-brand')) >= TEXT_MIN, sheet)
        assert(contrastOf(shown('brand-edge'), grounds[1]) >= PLATE_MIN, sheet)
        for (const ground of theme === 0 ? [...grounds, pane] : grounds)
          assert(contrastOf(shown('brand-text'), ground) >= TEXT_MIN, sheet)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a colour that must be lighter or darker keeps its hue, and in the light a button has the very colour of the shop', () => {
  fc.assert(
    fc.property(colours, (colour) => {
      const hue = hueOf(colour)
      for (const name of ['brand', 'brand-text'])
        for (const shown of valuesOf(brandStylesheet(colour), name)) {
          const own = hueOf(shown)
          if (hue === undefined || own === undefined) continue
          const drift = Math.abs(own - hue)
          assert(Math.min(drift, 360 - drift) <= HUE_DRIFT_MAX_DEGREES, `${colour} ${shown}`)
        }
    }),
    { numRuns: 2_000 },
  )
  for (const colour of ['1d4ed8', 'ffc21a', 'ffffff'])
    assert.equal(valuesOf(brandStylesheet(colour), 'brand')[0], `#${colour}`)
})

test('in dark as well, a merchant’s colour is stronger than the page’s own', () => {
  const weight = (selector: string): number => selector.match(/:root|:not|\[/g)?.length ?? 0
  const own = weight(':root[data-theme="dark"]')
  const selectors = [...brandStylesheet('1d4ed8').matchAll(/([^{}]*)\{--brand/g)].map(
    ([, selector = '']) => selector,
  )
  assert.equal(selectors.length, 2)
  for (const selector of selectors) assert.ok(weight(selector) >= own, selector)
})

test('a colour is six hex digits, or three of them; anything else is none', () => {
  assert.equal(colourOf('#0AF'), '00aaff')
  assert.equal(colourOf('0b57d0'), '0b57d0')
  for (const text of [undefined, '', 'red', '#12345', 'url(x)', '#0af;}'])
    assert.equal(colourOf(text), undefined)
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
      assert.ok(contrastOf(inText, index === 0 ? '#ffffff' : '#13171d') >= 4.5, `${text}: ${inText}`)
    }
  }
})

test('what is no colour is none', () => {
  for (const text of [undefined, '', 'red', '#12', '#12345', '#1234567', '#ggg', '#fff;}', 'url(x)'])
    assert.equal(colourOf(text), undefined)
})
