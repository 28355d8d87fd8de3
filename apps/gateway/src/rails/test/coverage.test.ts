import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RAILS = fileURLToPath(new URL('..', import.meta.url))

test('every rail in the tree is held to the contract, by a test in its own folder', () => {
  const folders = readdirSync(RAILS, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'test',
  )
  assert.ok(folders.length > 0)
  for (const { name } of folders) {
    const file = `${RAILS}${name}/test/contract.test.ts`
    assert.ok(existsSync(file), `rails/${name} has no test/contract.test.ts`)
    assert.match(readFileSync(file, 'utf8'), /^testRailContract\(/m, `${file} does not run the contract`)
  }
})
