import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '../src/clock-and-ids.ts'

test('readable ids use all of their 32 symbols, and none that looks like another', () => {
  const text = Array.from({ length: 200 }, () => randomIds.readable(32)).join('')
  assert.match(text, /^[0-9A-HJKMNP-TV-Z]+$/)
  assert.equal(new Set(text).size, 32)
  assert.equal(randomIds.readable(12).length, 12)
})
