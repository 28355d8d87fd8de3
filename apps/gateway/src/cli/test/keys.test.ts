import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { idOf } from '../../platform/root-key.ts'
import { rewrap } from '../actions/keys.ts'
import { examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { requireKeys, withInstallation } from '../installation.ts'
import {
  at,
  type Environment,
  expectRefusal,
  ownEnvironment,
  silentShell,
  temporaryFolder,
} from './support.ts'

const FIRST = Buffer.alloc(32, 1)
const SECOND = Buffer.alloc(32, 2)

function fileWith(t: TestLife, text: string, mode = 0o600): string {
  const file = join(temporaryFolder(t), 'secret')
  writeFileSync(file, text, { mode })
  return file
}

const digestIn = (environment: Environment): Promise<string> =>
  withInstallation(silentShell(environment), (installation) => {
    requireKeys(installation)
    return Promise.resolve(installation.secrets.digest('merchant-secrets', 'sec_1').toString('hex'))
  })

/** What doctor says under the name, such as `WARN It is …`. */
async function diagnosis(environment: Environment, name: string): Promise<readonly string[]> {
  const findings: unknown = at((await examine(silentShell(environment))).json, 'findings')
  assert.ok(Array.isArray(findings))
  return findings
    .filter((finding: Finding) => finding.name === name)
    .map(({ status, message }: Finding) => `${status} ${message}`)
}

test('the master key is changed: both are known, the root key is sealed anew, and the one before opens nothing', async (t) => {
  const environment = await ownEnvironment(t)
  const first = fileWith(t, FIRST.toString('base64'))
  const second = fileWith(t, SECOND.toString('base64'))
  const before = { ...environment, TOLLGATE_MASTER_KEY_FILE: first }
  const changing = {
    ...environment,
    TOLLGATE_MASTER_KEY_FILE: second,
    TOLLGATE_PREVIOUS_MASTER_KEY_FILE: first,
  }
  const after = { ...environment, TOLLGATE_MASTER_KEY_FILE: second }

  const digest = await digestIn(before)
  assert.equal(await digestIn(changing), digest)
  assert.match(
    (await diagnosis(changing, 'root key')).join(),
    /^WARN .*encrypted with the previous master key/i,
  )
  await expectRefusal(['keys', 'rewrap'], after, {
    exitCode: 2,
    says: new RegExp(`^The master key \\(${idOf(SECOND)}\\) is not the one .*\\(${idOf(FIRST)}\\)`),
  })

  const report = await rewrap(silentShell(changing))
  assert.deepEqual(report.json, { masterKeyId: idOf(SECOND), previousMasterKeyId: idOf(FIRST) })
  assert.match(report.notes?.join() ?? '', /Keep the key/)
  assert.deepEqual((await rewrap(silentShell(changing))).json, {
    masterKeyId: idOf(SECOND),
    previousMasterKeyId: null,
  })
  assert.match((await diagnosis(changing, 'root key')).join(), /^WARN .*no longer needed/)

  assert.equal(await digestIn(after), digest)
  assert.match((await diagnosis(after, 'root key')).join(), /^OK /)
  assert.match((await diagnosis(before, 'root key')).join(), /^FAIL The master key .* is not the one/)
})

test('doctor says which secrets come from files, and which files others may read', async (t) => {
  const { TOLLGATE_DATABASE_URL: url = '', ...environment } = await ownEnvironment(t)
  const masterKey = fileWith(t, FIRST.toString('base64'))
  const urlFile = fileWith(t, url, 0o644)
  const railSecret = fileWith(t, 'x', 0o640)
  const rail = {
    code: 'bank',
    keyId: 'k',
    secretFile: railSecret,
    baseUrl: 'https://bank.example',
    customerUrl: 'https://bank.example',
    directions: ['PAYIN'],
    flows: ['REDIRECT'],
  }
  const given = {
    ...environment,
    TOLLGATE_DATABASE_URL_FILE: urlFile,
    TOLLGATE_MASTER_KEY_FILE: masterKey,
    TOLLGATE_PREVIOUS_MASTER_KEY_FILE: fileWith(t, SECOND.toString('base64'), 0o604),
    TOLLGATE_OPEN_RAILS_FILE: fileWith(t, JSON.stringify([rail])),
    CHECKOUT_SERVICE_KEY: 'x',
  }
  assert.deepEqual(await diagnosis(given, 'secrets'), [
    'OK From files: TOLLGATE_DATABASE_URL_FILE. From the environment: CHECKOUT_SERVICE_KEY.',
    `WARN Others may read ${urlFile} (mode 644), by TOLLGATE_DATABASE_URL_FILE.`,
    `WARN Others may read ${railSecret} (mode 640), by TOLLGATE_OPEN_RAILS_FILE.`,
  ])
  assert.match((await diagnosis(given, 'master key')).join(), /^FAIL Others may read .* \(mode 604\)/)
  assert.doesNotMatch(JSON.stringify((await examine(silentShell(given))).json), /postgres:\/\//)
})
