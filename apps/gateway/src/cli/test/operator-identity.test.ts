import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIds, systemClock } from '@tollgate/runtime'
import { openSecrets } from '../../keys/open-secrets.ts'
import { createOperatorService } from '../../modules/operators/index.ts'
import { createKeyring } from '../../modules/tokens/index.ts'
import { watchConfiguration } from '../../platform/configuration-changes.ts'
import { SILENT, testPostgres } from '../../platform/test/index.ts'
import { CommandFailure } from '../failure.ts'
import { withOperator } from '../operator-identity.ts'
import type { Report } from '../shell.ts'
import { silentShell, temporaryFolder } from './support.ts'

const MASTER_KEY = Buffer.alloc(32, 3)

test('the work is done as the operator whose key it is, or not at all', async (t) => {
  const { url, db } = await testPostgres(t)
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'master.key'), MASTER_KEY.toString('base64'), { mode: 0o600 })
  const secrets = await openSecrets({ db, masterKeys: { current: MASTER_KEY, previous: undefined } })
  const deps = { db, secrets, ids: randomIds, clock: systemClock }
  await createKeyring({ ...deps, changes: watchConfiguration({ ...deps, log: SILENT }) }).start()
  const { key } = await createOperatorService(deps).create({ code: 'ada', name: 'Ada', roles: ['SUPPORT'] })
  const operatorKeyFile = join(folder, 'ada.key')
  writeFileSync(operatorKeyFile, `${key.key}\n`, { mode: 0o600 })
  const settings = { TOLLGATE_DATABASE_URL: url, TOLLGATE_DATA_DIR: folder }
  const shell = { ...silentShell(settings), environment: {} }
  const attempt = (permission: 'callbacks.resend' | 'payouts.approve'): Promise<Report> =>
    withOperator(shell, {
      options: { operatorKeyFile },
      permission,
      work: (_house, operator) => Promise.resolve({ json: operator.code, text: '' }),
    })

  assert.equal((await attempt('callbacks.resend')).json, 'ada')
  await assert.rejects(attempt('payouts.approve'), (error) => {
    assert.ok(error instanceof CommandFailure)
    assert.equal(error.kind, 'CREDENTIALS')
    assert.equal(error.message, 'ada (SUPPORT) may not do this: it needs payouts.approve.')
    return true
  })
})
