import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { payeeCheckSecretFiles, readPayeeChecks } from '../rooms/payee-checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-payee-checks-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const SECRET = Buffer.alloc(32, 3)
writeFileSync(join(folder, 'payees.secret'), `${SECRET.toString('base64')}\n`)
writeFileSync(join(folder, 'short.secret'), Buffer.alloc(31).toString('base64'))

const CHECKS = { keyId: 'payees-1', secretFile: 'payees.secret', baseUrl: 'https://vop.example/adapter' }

function settingFor(content: unknown): { readonly TOLLGATE_PAYEE_CHECKS_FILE: string } {
  const file = join(folder, 'checks.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return { TOLLGATE_PAYEE_CHECKS_FILE: file }
}

test('the file names the adapter and its secret; without the setting nobody is asked', () => {
  const { secretFile: _, ...checks } = CHECKS
  const setting = settingFor(CHECKS)
  assert.deepEqual(readPayeeChecks({ ...setting, isLive: true }), { ...checks, secret: SECRET })
  assert.deepEqual(payeeCheckSecretFiles(setting), [join(folder, 'payees.secret')])
  assert.equal(readPayeeChecks({ isLive: true }), undefined)
  assert.deepEqual(payeeCheckSecretFiles({}), [])
  for (const [baseUrl, isLive] of [
    ['http://127.0.0.1:9000', true],
    ['http://vop.example', false],
  ] as const)
    assert.equal(readPayeeChecks({ ...settingFor({ ...CHECKS, baseUrl }), isLive })?.baseUrl, baseUrl)
})

test('what is wrong is one sentence that names the field', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['{', /no JSON/],
    [{ ...CHECKS, keyId: undefined }, /TOLLGATE_PAYEE_CHECKS_FILE: keyId is missing/],
    [{ ...CHECKS, more: 1 }, /: more is not a setting of payee checks/],
    [{ ...CHECKS, keyId: 'a b' }, /keyId has characters that are not allowed/],
    [{ ...CHECKS, baseUrl: 'ftp://vop.example' }, /baseUrl has characters that are not allowed/],
    [{ ...CHECKS, baseUrl: 'http://vop.example' }, /baseUrl must be an https address in live/],
    [{ ...CHECKS, secretFile: 'short.secret' }, /secretFile/],
    [{ ...CHECKS, secretFile: 'none.secret' }, /secretFile/],
  ]
  for (const [content, says] of wrong)
    assert.throws(
      () => readPayeeChecks({ ...settingFor(content), isLive: true }),
      (error) => error instanceof ConfigError && says.test(error.message),
      JSON.stringify(content),
    )
})
