import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIds, systemClock } from '@tollgate/runtime'
import { runSql } from '@tollgate/testkit'
import { openSecrets } from '../../keys/open-secrets.ts'
import { createOperatorService } from '../../modules/operators/index.ts'
import { createKeyring } from '../../modules/tokens/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { SILENT, testPostgres } from '../../platform/test/index.ts'
import { open } from '../actions/restore-gap.ts'
import { CommandFailure, type FailureKind } from '../failure.ts'
import type { Report } from '../shell.ts'
import { silentShell, temporaryFolder } from './support.ts'

const MASTER_KEY = Buffer.alloc(32, 3)
const NO_KEY = `tgop_${'A'.repeat(43)}`

test('a restore gap is opened without a gateway, by an operator who may, or not at all', async (t) => {
  const { url, db } = await testPostgres(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'master.key'), MASTER_KEY.toString('base64'), { mode: 0o600 })
  const secrets = await openSecrets({ db, masterKeys: { current: MASTER_KEY, previous: undefined } })
  const deps = { db, secrets, ids: randomIds, clock: systemClock }
  await createKeyring({ ...deps, changes: watchConfiguration({ ...deps, log: SILENT }) }).start()
  const operators = createOperatorService(deps)
  const { key: ada } = await operators.create({ code: 'ada', name: 'Ada', roles: ['SUPPORT'] })
  const { key: audrey } = await operators.create({ code: 'audrey', name: 'Audrey', roles: ['AUDITOR'] })
  const keyFile = (name: string, key: string): { operatorKeyFile: string } => {
    const operatorKeyFile = join(folder, `${name}.key`)
    writeFileSync(operatorKeyFile, `${key}\n`, { mode: 0o600 })
    return { operatorKeyFile }
  }
  const settings = { TOLLGATE_DATABASE_URL: url, TOLLGATE_DATA_DIR: folder }
  const shell = { ...silentShell(settings), environment: {} }
  const attempt = (options: { operatorKeyFile?: string }, since = new Date(0)): Promise<Report> =>
    open(shell, since, options)
  const isRefused = (work: Promise<Report>, kind: FailureKind, says: RegExp): Promise<void> =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof CommandFailure)
      assert.equal(error.kind, kind)
      assert.match(error.message, says)
      return true
    })

  await isRefused(
    attempt(keyFile('audrey', audrey.key)),
    'CREDENTIALS',
    /^audrey \(AUDITOR\) may not do this: it needs payments[.]hold[.]$/,
  )
  await isRefused(attempt(keyFile('nobody', NO_KEY)), 'CREDENTIALS', /is not valid/)
  await isRefused(attempt({}), 'CREDENTIALS', /needs an operator key/)
  const mine = keyFile('ada', ada.key)
  await isRefused(attempt(mine, new Date(systemClock.nowMs() + 60_000)), 'USAGE', /in the future/)
  const gaps = 'select from restore_gaps'
  assert.equal((await runSql(url, gaps)).length, 0)
  assert.match(String((await attempt(mine)).text), /no money leaves/)
  assert.equal((await runSql(url, gaps)).length, 1)
})
