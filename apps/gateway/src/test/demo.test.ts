import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { readConfig } from '../config.ts'
import { DEMO_MERCHANT_CODE, type DemoMerchant, prepareSandbox } from '../demo/demo.ts'
import { createMerchantService, secretIdOf } from '../modules/merchants/index.ts'
import type { Database } from '../platform/database.ts'
import { createSecrets, type Secrets } from '../platform/secrets.ts'
import { testPostgres } from '../platform/test/index.ts'

interface DemoRig {
  readonly db: Database
  readonly secrets: Secrets
  readonly folder: string
  prepare(settings?: Record<string, string>, db?: Database): Promise<DemoMerchant>
  /** Whether what the files say opens the door. */
  works(demo: DemoMerchant, db?: Database): Promise<boolean>
}

async function demoRig(t: TestLife): Promise<DemoRig> {
  const { db } = await testPostgres(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-demo-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const secrets = createSecrets(Buffer.alloc(32, 1))
  return {
    db,
    secrets,
    folder: join(dataDir, 'demo'),
    prepare: (settings = {}, other = db) =>
      prepareSandbox({ config: readConfig({ TOLLGATE_DATA_DIR: dataDir, ...settings }), db: other, secrets }),
    async works(demo, other = db) {
      const { merchant } = await createMerchantService({ db: other, secrets, ids: randomIds }).show(
        DEMO_MERCHANT_CODE,
      )
      const own = createPublicKey(createPrivateKey(readFileSync(demo.privateKeyFile)))
      return (
        secretIdOf(secrets, merchant, demo.secret) !== undefined &&
        merchant.keys.some((key) => key.publicKey.equals(own))
      )
    },
  }
}

test('the sandbox gets a merchant with a key, a secret and methods; its files are for the owner alone', async (t) => {
  const rig = await demoRig(t)
  const demo = await rig.prepare()
  assert.equal(demo.merchantCode, 'DEMO')
  assert.ok(await rig.works(demo))
  assert.deepEqual(JSON.parse(readFileSync(join(rig.folder, 'merchant.json'), 'utf8')), demo)
  for (const file of ['merchant.json', 'private-key.pem'])
    assert.equal(statSync(join(rig.folder, file)).mode & 0o777, 0o600)
  const methods = await rig.db.rows({ name: 'methods', text: 'select 1 from merchant_methods' }, [])
  assert.ok(methods.length > 0)
})

test('a second start changes nothing but the addresses', async (t) => {
  const rig = await demoRig(t)
  const first = await rig.prepare()
  const key = readFileSync(first.privateKeyFile, 'utf8')
  assert.deepEqual(await rig.prepare(), first)
  const moved = await rig.prepare({ TOLLGATE_PUBLIC_API_URL: 'https://pay.example' })
  assert.deepEqual(moved, { ...first, apiUrl: 'https://pay.example' })
  assert.equal(readFileSync(first.privateKeyFile, 'utf8'), key)
  assert.ok(await rig.works(moved))
})

test('files of another database are replaced by ones that work', async (t) => {
  const rig = await demoRig(t)
  const first = await rig.prepare()
  const { db: fresh } = await testPostgres(t)
  const second = await rig.prepare({}, fresh)
  assert.notEqual(second.secret, first.secret)
  assert.ok(await rig.works(second, fresh))
})

test('files that are damaged or lack a half are replaced, and the merchant has one pair', async (t) => {
  const rig = await demoRig(t)
  const first = await rig.prepare()
  writeFileSync(join(rig.folder, 'merchant.json'), '{ damaged')
  const second = await rig.prepare()
  assert.notEqual(second.secret, first.secret)
  rmSync(second.privateKeyFile)
  const third = await rig.prepare()
  writeFileSync(third.privateKeyFile, 'damaged')
  const fourth = await rig.prepare()
  assert.ok(await rig.works(fourth))
  const { merchant } = await createMerchantService({ ...rig, ids: randomIds }).show(DEMO_MERCHANT_CODE)
  assert.deepEqual([merchant.keys.length, merchant.secretHashes.length], [1, 1])
})
