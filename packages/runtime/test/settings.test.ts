import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, settingFrom } from '../src/settings.ts'

test('a setting comes from its variable or from a file, and a file that is empty is a fault', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-settings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, 'from the file\n')
  assert.equal(settingFrom({ SECRET_FILE: file }, 'SECRET'), 'from the file')
  assert.equal(settingFrom({ SECRET: 'its own', SECRET_FILE: '' }, 'SECRET'), 'its own')
  assert.equal(settingFrom({ SECRET: '' }, 'SECRET'), undefined)
  writeFileSync(file, ' \n')
  assert.throws(
    () => settingFrom({ SECRET_FILE: file }, 'SECRET'),
    new ConfigError(`SECRET_FILE names ${file}, which is empty.`),
  )
})
