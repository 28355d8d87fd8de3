import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildStylesheet } from '../../src/assets/bundle.ts'
import { TILES } from '../../src/screens/icons.ts'

const TEXT_MIN = 4.5
/** Of borders, icons and marks of the focus (WCAG 2.2, 1.4.11). */
const GRAPHIC_MIN = 3

const stylesheet = buildStylesheet()

/** The colours that a rule gives names to, and the print rule's over those of paper. */
function coloursOf(selector: string): ReadonlyMap<string, string> {
  const start = stylesheet.indexOf(`${selector} {`)
  assert.notEqual(start, -1, selector)
  const block = stylesheet.slice(start, stylesheet.indexOf('}', start))
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{3,6});/g)].map(([, name = '', colour = '']) => [
      name,
      colour,
    ]),
  )
}

function channels(colour: string): readonly number[] {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
}

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((share) =>
    share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Where each colour is read: what is written in it, and what is under it. */
const TEXTS: readonly (readonly [string, readonly string[]])[] = [
  ['--ink', ['--back', '--paper', '--pane', '--good-back', '--bad-back', '--warn-back']],
  ['--quiet', ['--back', '--paper', '--pane']],
  ['--faint', ['--back', '--paper', '--pane']],
  ['--brand-text', ['--back', '--paper', '--pane']],
  ['--on-brand', ['--brand']],
  ['--bad', ['--back', '--paper', '--bad-back']],
  ['--good', ['--back', '--paper', '--pane', '--good-back']],
  ['--warn', ['--warn-back']],
]
const GRAPHICS: readonly (readonly [string, readonly string[]])[] = [
  ['--edge', ['--back', '--paper']],
  ['--faint', ['--warn-back']],
  ['--brand-text', ['--back', '--paper']],
  ['--brand', ['--back', '--paper']],
  ['--bad', ['--back', '--paper']],
  ['--warn', ['--back', '--paper']],
]

describe('the colours', () => {
  it('are measured as the guidelines measure them', () => {
    assert.equal(contrast('#000', '#ffffff'), 21)
    assert.equal(contrast('#777777', '#fff').toFixed(2), '4.48')
  })

  for (const [theme, selector] of [
    ['light', ':root'],
    ['dark', ':root[data-theme="dark"]'],
  ] as const) {
    const colours = coloursOf(selector)
    const colour = (name: string): string =>
      colours.get(name) ?? assert.fail(`${name} has no colour in ${theme}`)
    for (const [what, pairs, min] of [
      ['texts', TEXTS, TEXT_MIN],
      ['borders and marks', GRAPHICS, GRAPHIC_MIN],
    ] as const)
      it(`of ${what} stand out in the ${theme} theme`, () => {
        const weak = pairs.flatMap(([name, grounds]) =>
          grounds
            .filter((ground) => contrast(colour(name), colour(ground)) < min)
            .map((ground) => `${name} on ${ground}: ${contrast(colour(name), colour(ground)).toFixed(2)}`),
        )
        assert.deepEqual(weak, [])
      })
  }

  it('of the sandbox bar stand out on both of its stripes', () => {
    const bar = /\.sandbox \{([^}]*)\}/.exec(stylesheet)?.[1] ?? ''
    const [ink = '', ...stripes] = bar.match(/#[0-9a-f]{3,6}/g) ?? []
    assert.equal(stripes.length, 2)
    for (const stripe of stripes) assert.ok(contrast(ink, stripe) >= TEXT_MIN)
  })

  it('of every tile that stands for a bank carry its letters', () => {
    const tiles = [...stylesheet.matchAll(/\.tile-(\d) \{\nbackground: (#[0-9a-f]{6});/g)]
    assert.equal(tiles.length, TILES)
    for (const [, number, colour = ''] of tiles) assert.ok(contrast('#fff', colour) >= TEXT_MIN, number)
  })

  it('of a printed page are dark on white, whatever the theme', () => {
    const colours = coloursOf(':root:root:root')
    for (const ink of ['--ink', '--quiet'])
      for (const ground of ['--back', '--paper'])
        assert.ok(contrast(colours.get(ink) ?? '#fff', colours.get(ground) ?? '#fff') >= TEXT_MIN)
  })

  it('of a theme are all given in the other one, too', () => {
    assert.deepEqual([...coloursOf(':root[data-theme="dark"]').keys()], [...coloursOf(':root').keys()])
  })
})
