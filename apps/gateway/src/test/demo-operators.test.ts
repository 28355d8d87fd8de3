import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { readConfig } from '../config.ts'
import { hasDemoOperator, prepareDemoOperators } from '../demo/operators.ts'
import { createOperatorAuthenticator, createOperatorService, mayDo } from '../modules/operators/index.ts'
import { createSecrets } from '../platform/secrets.ts'
import { testPostgres } from '../platform/test/index.ts'
import { refuseSandboxDatabase } from '../programs/lifecycle.ts'

async function demoRig(t: TestLife) {
  const { db } = await testPostgres(t)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-demo-operators-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const deps = { db, secrets: createSecrets(Buffer.alloc(32, 1)) }
  const fileOf = (code: string): string => join(folder, `operator-${code}.key`)
  return {
    deps,
    fileOf,
    operators: createOperatorService({ ...deps, ids: randomIds }),
    prepare: () => prepareDemoOperators({ ...deps, folder }),
    keyOf: (code: string): string => readFileSync(fileOf(code), 'utf8').trim(),
    whoHas: (key: string) => createOperatorAuthenticator(deps).authenticate(key),
  }
}

test('the sandbox gets two different operators who may approve, their keys for the owner alone', async (t) => {
  const rig = await demoRig(t)
  await rig.prepare()
  for (const code of ['ada', 'grace']) {
    const operator = await rig.whoHas(rig.keyOf(code))
    assert.equal(operator?.code, code)
    for (const permission of ['payouts.approve', 'settlements.run', 'callbacks.resend'] as const)
      assert.ok(mayDo(operator, permission))
    assert.equal(mayDo(operator, 'operators.change'), false)
    assert.equal(statSync(rig.fileOf(code)).mode & 0o777, 0o600)
  }
})

test('a second start changes nothing, not even that one was disabled', async (t) => {
  const rig = await demoRig(t)
  await rig.prepare()
  const keys = [rig.keyOf('ada'), rig.keyOf('grace')]
  await rig.operators.setStatus('ada', 'DISABLED')
  await rig.operators.setRoles('grace', ['AUDITOR'])
  await rig.prepare()
  assert.deepEqual([rig.keyOf('ada'), rig.keyOf('grace')], keys)
  assert.equal((await rig.operators.show('ada')).operator.status, 'DISABLED')
  assert.deepEqual((await rig.operators.show('grace')).operator.roles, ['AUDITOR'])
})

test('a key file that is lost, damaged or another operator’s is replaced by one that works', async (t) => {
  const rig = await demoRig(t)
  await rig.prepare()
  const before = rig.keyOf('ada')
  rmSync(rig.fileOf('ada'))
  await rig.prepare()
  assert.equal((await rig.whoHas(rig.keyOf('ada')))?.code, 'ada')
  assert.equal(await rig.whoHas(before), undefined)
  for (const text of ['damaged', rig.keyOf('grace')]) {
    writeFileSync(rig.fileOf('ada'), text)
    await rig.prepare()
    assert.equal((await rig.whoHas(rig.keyOf('ada')))?.code, 'ada')
    assert.equal((await rig.operators.show('ada')).keys.length, 1)
  }
})

test('live does not start while an operator of the sandbox is active; a person of that name may be', async (t) => {
  const rig = await demoRig(t)
  const config = readConfig({
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://api.pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example',
  })
  await rig.operators.create({ code: 'ada', name: 'Ada Lovelace', roles: ['ADMIN'] })
  await refuseSandboxDatabase({ config, ...rig.deps })
  await rig.prepare()
  assert.equal(await hasDemoOperator(rig.deps), true)
  await assert.rejects(refuseSandboxDatabase({ config, ...rig.deps }), /operator of the sandbox/)
  for (const code of ['grace', 'alan']) await rig.operators.setStatus(code, 'DISABLED')
  await refuseSandboxDatabase({ config, ...rig.deps })
})
