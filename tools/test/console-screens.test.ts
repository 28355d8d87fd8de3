import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { CONSOLE_CHAPTERS, CONSOLE_SCENES } from '../../acceptance/support/console-screens.ts'
import { SCREENS } from '../../apps/console/src/screens/index.ts'
import { consolePage, consolePictureOf, looksOf } from '../screens/console-page.ts'

const GALLERY = resolve(import.meta.dirname, '../../docs/screens/console')

test('every screen of the console has a scene, and every scene has a screen', () => {
  const routes = new Set(SCREENS.map(({ path }) => path))
  const shown = new Set(CONSOLE_SCENES.map(({ route }) => route))
  assert.deepEqual(
    [...routes].filter((route) => !shown.has(route)),
    [],
  )
  assert.deepEqual(
    [...shown].filter((route) => !routes.has(route)),
    [],
  )
  const names = CONSOLE_SCENES.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
})

test('every scene of the console has its pictures, and the gallery has nothing else (npm run screens:console)', () => {
  const wanted = CONSOLE_SCENES.flatMap((scene) =>
    looksOf(scene).map((look) => consolePictureOf(scene, look)),
  )
  assert.deepEqual(readdirSync(GALLERY).toSorted(), [...wanted, 'README.md'].toSorted())
  assert.equal(readFileSync(join(GALLERY, 'README.md'), 'utf8'), consolePage(CONSOLE_CHAPTERS))
})
