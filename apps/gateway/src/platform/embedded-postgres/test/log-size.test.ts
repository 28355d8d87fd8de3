import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxWalSize } from '../server.ts'

const GIB = 1024 ** 3

test('the log may take a tenth of what is free, and neither too little nor too much', () => {
  const sizes = [0, 15, 39.9, 45, 80, 4_000].map((gib) => maxWalSize(gib * GIB))
  assert.deepEqual(sizes, ['2GB', '2GB', '3GB', '4GB', '8GB', '8GB'])
})
