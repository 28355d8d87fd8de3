import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { examineFolders } from '../doctor/folders.ts'
import { ownEnvironment, run, temporaryFolder } from './support.ts'

test('doctor looks at the folders of banks: one that is there or can be made is fine, and a file is none', async (t) => {
  const folder = temporaryFolder(t)
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const settings = {
    TOLLGATE_STATEMENTS_DIR: folder,
    TOLLGATE_PAYOUT_FILES_DIR: join(folder, 'not', 'yet'),
    TOLLGATE_PAYOUT_REPORTS_DIR: join(file, 'in'),
  }
  const findings = examineFolders(readConfig(settings))
  assert.deepEqual(
    findings.map(({ status }) => status),
    ['OK', 'OK', 'FAIL'],
  )
  assert.equal(
    findings[2]?.message,
    `TOLLGATE_PAYOUT_REPORTS_DIR names ${join(file, 'in')}, and ${file} is not a folder.`,
  )
  assert.deepEqual(examineFolders(readConfig({})), [])
  const { stdout } = await run(['doctor'], { ...(await ownEnvironment(t)), ...settings })
  assert.match(stdout, /^FAIL {2}bank folders .*is not a folder/m)
})

test('a folder that may not be written is told', {
  skip: process.getuid?.() === 0 && 'root may write everywhere',
}, () => {
  const [finding] = examineFolders(readConfig({ TOLLGATE_STATEMENTS_DIR: '/proc/statements' }))
  assert.match(finding?.message ?? '', /this user may not read and write \/proc/)
})
