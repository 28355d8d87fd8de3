import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { keepUnstable, listUnstable } from '../check/unstable.ts'

function folderWithTests(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-unstable-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const name of ['a.test.ts', 'b.test.ts']) writeFileSync(join(root, name), '')
  return root
}

test('an unstable test stays in the list until its file passes at once', (t) => {
  const root = folderWithTests(t)
  assert.deepEqual(listUnstable(root), [])
  keepUnstable(root, { files: ['a.test.ts', 'b.test.ts'], unstable: ['a.test.ts: one', 'b.test.ts: two'] })
  keepUnstable(root, { files: ['a.test.ts'], unstable: ['a.test.ts: one'] })
  assert.deepEqual(listUnstable(root), ['b.test.ts: two', 'a.test.ts: one'])
  keepUnstable(root, { files: ['a.test.ts'], unstable: [] })
  assert.deepEqual(listUnstable(root), ['b.test.ts: two'])
})

test('a test whose file is gone leaves the list', (t) => {
  const root = folderWithTests(t)
  keepUnstable(root, { files: ['a.test.ts', 'b.test.ts'], unstable: ['a.test.ts: one', 'b.test.ts: two'] })
  rmSync(join(root, 'a.test.ts'))
  keepUnstable(root, { files: ['c.test.ts'], unstable: [] })
  assert.deepEqual(listUnstable(root), ['b.test.ts: two'])
})

test('a file from elsewhere is not noted', (t) => {
  const root = folderWithTests(t)
  keepUnstable(root, { files: ['../x.test.ts'], unstable: ['../x.test.ts: one'] })
  assert.deepEqual(listUnstable(root), [])
})
