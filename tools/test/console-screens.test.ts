import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONSOLE_SCENES } from '../../acceptance/support/console-screens.ts'
import { SCREENS } from '../../apps/console/src/screens/index.ts'

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
