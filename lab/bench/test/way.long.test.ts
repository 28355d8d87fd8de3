import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('a create passes no more files than one can read', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['lab/bench/way.ts'], { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /^\d+ files, \d+ functions$/m)
})
