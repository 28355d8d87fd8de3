import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CASES } from '../certify/cases/index.ts'

const GUIDE = readFileSync(new URL('../../../../../docs/guides/certify.md', import.meta.url), 'utf8')

test('the guide has a row for every case, with its words, and no other', () => {
  const rows = [...GUIDE.matchAll(/^\| `.+$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  assert.deepEqual(
    rows,
    CASES.map(({ name, done, right, why }) => [`\`${name}\``, done, right, why]),
  )
})

test('there are twenty cases, each with a name of its own and something to do about it', () => {
  assert.equal(CASES.length, 20)
  assert.equal(new Set(CASES.map(({ name }) => name)).size, 20)
  for (const { name, fix, why } of CASES) {
    assert.match(fix, /^[A-Z].+\.$/, name)
    assert.match(why, /^[A-Z].+\.$/, name)
  }
})
