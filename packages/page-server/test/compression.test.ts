import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodingFor } from '../src/compression.ts'

test('the best encoding that a browser takes is chosen, and none that it refuses', () => {
  const cases = [
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['br; q=0.000, gzip; q = 0', undefined],
    ['br;q=0.1', 'br'],
    ['brotli, xbr, gzipped', undefined],
    ['identity', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const
  for (const [accepted, expected] of cases) assert.equal(encodingFor(accepted), expected, accepted)
})
