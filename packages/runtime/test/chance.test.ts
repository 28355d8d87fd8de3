import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawBytes } from '../src/clock-and-ids.ts'

test('bytes come in the length that was asked for, and no two draws are alike', () => {
  const seen = new Set<string>()
  for (let count = 0; count < 2_000; count += 1) seen.add(drawBytes(24).toString('hex'))
  assert.equal(seen.size, 2_000)
  for (const length of [0, 1, 8_191, 8_192, 8_193, 100_000]) assert.equal(drawBytes(length).length, length)
})

test('every byte and every place of it comes up', () => {
  const counts = new Array<number>(256).fill(0)
  for (let count = 0; count < 1_000; count += 1)
    for (const byte of drawBytes(100)) counts[byte] = (counts[byte] ?? 0) + 1
  // 390 are expected of each; a byte that never or always comes is what this looks for.
  assert.ok(counts.every((count) => count > 200 && count < 600))
})

test('what was drawn is nobody else’s to change', () => {
  const [first, second] = [drawBytes(16), drawBytes(16)]
  const before = second.toString('hex')
  first.fill(0)
  assert.equal(second.toString('hex'), before)
})
