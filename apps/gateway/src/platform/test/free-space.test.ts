import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { freeBytesAt } from '../free-space.ts'

test('what is free is asked of the system, and a folder that is not there has nothing', () => {
  assert.ok(freeBytesAt(tmpdir()) > 0)
  assert.equal(freeBytesAt('/there/is/no/such/folder'), 0)
})
