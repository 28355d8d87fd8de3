import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../src/ports.ts'

test('no two who ask at the same time get the same port', async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, freePort))
  assert.equal(new Set(ports).size, ports.length)
})
