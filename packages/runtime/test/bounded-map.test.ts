import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBoundedMap } from '../src/index.ts'

test('what was set or asked for last stays, and the rest is forgotten, like in a list that is kept by hand', () => {
  const step = fc.record({
    what: fc.constantFrom('get', 'set', 'set', 'delete', 'clear'),
    key: fc.integer({ min: 0, max: 9 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.integer({ min: 1, max: 5 }), (steps, sizeMax) => {
      const map = createBoundedMap<number, string>(sizeMax)
      let model: { readonly key: number; readonly value: string }[] = []
      for (const [index, { what, key }] of steps.entries()) {
        const known = model.find((entry) => entry.key === key)
        const others = model.filter((entry) => entry !== known)
        assert.equal(map.has(key), known !== undefined)
        if (what === 'get') {
          assert.equal(map.get(key), known?.value)
          if (known !== undefined) model = [...others, known]
        } else if (what === 'set') {
          map.set(key, `value ${index}`)
          model = [...others, { key, value: `value ${index}` }].slice(-sizeMax)
        } else if (what === 'delete') {
          assert.equal(map.delete(key), known !== undefined)
          model = others
        } else {
          map.clear()
          model = []
        }
        assert.deepEqual(
          [...map.keys()],
          model.map((entry) => entry.key),
        )
      }
    }),
  )
})
