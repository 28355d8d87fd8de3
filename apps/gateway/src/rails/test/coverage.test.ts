import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const RAILS = fileURLToPath(new URL('..', import.meta.url))

const HOSTILE = fileURLToPath(new URL('../../test/hostile/', import.meta.url))

const folders = readdirSync(RAILS, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && entry.name !== 'test',
)

test('every rail in the tree meets an institution that means harm', () => {
  for (const { name } of folders) {
    const file = `${HOSTILE}${name}.test.ts`
    assert.ok(existsSync(file), `rails/${name} has no test/hostile/${name}.test.ts`)
    assert.match(readFileSync(file, 'utf8'), /^testHostileInstitution\(/m, `${file} meets nobody`)
  }
})

test('every rail in the tree is held to the contract, by a test in its own folder', () => {
  assert.ok(folders.length > 0)
  for (const { name } of folders) {
    const file = `${RAILS}${name}/test/contract.test.ts`
    assert.ok(existsSync(file), `rails/${name} has no test/contract.test.ts`)
    assert.match(readFileSync(file, 'utf8'), /^testRailContract\(/m, `${file} does not run the contract`)
  }
})
