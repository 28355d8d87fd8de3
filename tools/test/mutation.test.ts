import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { GROUPS } from '../mutation/groups.ts'
import { EQUIVALENT } from '../mutation/report.ts'

const SOURCES = GROUPS.flatMap(({ sources }) => sources)

test('every file that the mutator changes, and every test that has to notice it, is there', () => {
  const named = [...SOURCES, ...GROUPS.flatMap(({ tests }) => tests)]
  assert.deepEqual(
    named.filter((path) => !existsSync(path)),
    [],
  )
})

test('every known survivor is of a file that the mutator changes', () => {
  assert.deepEqual(
    EQUIVALENT.filter(({ file }) => !SOURCES.some((source) => source.endsWith(`/${file}`))),
    [],
  )
})
