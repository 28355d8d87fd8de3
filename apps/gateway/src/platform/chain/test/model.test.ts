import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import { parseHead, printHead } from '../model.ts'

test('a head is read as it was printed, and nothing else is', () => {
  const head = { entryNo: 12, chainHash: randomIds.bytes(32) }
  assert.deepEqual(parseHead(printHead(head)), head)
  assert.deepEqual(parseHead(printHead(head).toUpperCase()), head)
  const hex = head.chainHash.toString('hex')
  for (const text of [
    '',
    hex,
    `012:${hex}`,
    `-1:${hex}`,
    `1:${hex}0`,
    `1:${hex.slice(1)}`,
    `1: ${hex}`,
    `1:${hex}\n`,
  ])
    assert.equal(parseHead(text), undefined, text)
})
