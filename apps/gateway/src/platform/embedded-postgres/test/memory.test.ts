import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedBuffers } from '../memory.ts'

const GIB = 1024 ** 3

test('the server takes an eighth of the memory for its buffers, within limits', () => {
  const chosen = [0.5, 2, 4, 8, 16, 64].map((gib) => sharedBuffers(gib * GIB))
  assert.deepEqual(chosen, ['256MB', '256MB', '512MB', '1024MB', '2048MB', '2048MB'])
})

test('without being told, it looks how much there is', () => {
  assert.match(sharedBuffers(), /^\d{3,4}MB$/)
})
