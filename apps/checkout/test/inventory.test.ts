import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assets, inventoryOf } from '../src/assets/index.ts'
import { quietPage } from './quiet-page.ts'

const built = assets()

/** Everything that a browser would fetch by itself, and what would run or apply without being fetched. */
function loadsOf(html: string): readonly string[] {
  const tags = [
    ...html.matchAll(
      /<(?:script|style|link|img|iframe|object|embed|audio|video|source|base|portal|frame)\b[^>]*>/g,
    ),
  ].map(([tag]) => tag)
  return tags.filter((tag) => !/^<link rel="icon" href="data:,">$/.test(tag))
}

test('a screen loads what the inventory names, by the same hash, and nothing else', async (t) => {
  const page = await quietPage(t)
  const rows = inventoryOf(built)
  assert.equal(rows.length, 2)
  for (const path of ['/nowhere', `/p/${'a'.repeat(22)}`, '/?amount=1', '/status']) {
    const response = await fetch(page.url + path)
    const loads = loadsOf(await response.text())
    assert.equal(loads.length, rows.length, `${path}: ${loads.join(' ')}`)
    for (const { path: address, integrity } of rows) {
      const tag = loads.find((each) => each.includes(`="${address}"`)) ?? ''
      assert.ok(tag.includes(` integrity="${integrity}" crossorigin="anonymous"`), `${path}: ${tag}`)
    }
  }
})

test('in a shop’s colour, the stylesheet is the one of the inventory and custom properties after it', () => {
  const { stylesheet } = built
  for (const colour of ['1d4ed8', '000000', 'ffffff']) {
    const { body, path, integrity } = built.stylesheetIn(colour)
    assert.deepEqual(body.subarray(0, stylesheet.body.length), stylesheet.body)
    const rest = body.subarray(stylesheet.body.length).toString()
    const rule = String.raw`(?::root)+\{(?:--[a-z-]+:#[0-9a-f]{6};?)+\}`
    assert.match(rest, new RegExp(`^${rule}@media \\(prefers-color-scheme: dark\\)\\{${rule}\\}\\n$`))
    assert.match(path, new RegExp(`^/assets/checkout-${colour}\\.[0-9a-f]{16}\\.css$`))
    assert.notEqual(integrity, stylesheet.integrity)
  }
})
