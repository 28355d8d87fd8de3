import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { readOpenRails } from '../rooms/open-rails.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-open-rails-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const SECRET = Buffer.alloc(32, 3)
writeFileSync(join(folder, 'bank.secret'), `${SECRET.toString('base64')}\n`)
writeFileSync(join(folder, 'short.secret'), Buffer.alloc(31).toString('base64'))

const BANK = {
  code: 'bank',
  keyId: 'bank-1',
  secretFile: 'bank.secret',
  baseUrl: 'https://adapter.bank.example',
  customerUrl: 'https://pay.bank.example',
  directions: ['PAYIN', 'PAYOUT'],
  flows: ['REDIRECT'],
}

function read(content: unknown, isLive = true) {
  const file = join(folder, 'rails.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readOpenRails({ TOLLGATE_OPEN_RAILS_FILE: file, isLive }, ['sandbox'])
}

test('the file gives the rails with their secrets; without the setting there are none', () => {
  const { secretFile: _, ...settings } = BANK
  assert.deepEqual(read([BANK]), [{ ...settings, secret: SECRET }])
  assert.deepEqual(read([]), [])
  assert.deepEqual(readOpenRails({ isLive: true }, []), [])
  assert.equal(read([{ ...BANK, directions: ['PAYOUT'], flows: [] }]).length, 1)
  assert.equal(read([{ ...BANK, baseUrl: 'http://127.0.0.1:9000/adapter' }]).length, 1)
  assert.equal(read([{ ...BANK, baseUrl: 'http://adapter.example' }], false).length, 1)
})

test('what is wrong is one sentence that names the field', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['{', /no JSON/],
    [{}, /must be an array of rails/],
    [[{ ...BANK, code: undefined }], /\[0\]\.code is missing/],
    [[BANK, { ...BANK, code: 'Bank!' }], /\[1\]\.code has characters/],
    [[BANK, BANK], /\[1\]\.code must be another one: there is a rail bank already/],
    [[{ ...BANK, code: 'sandbox' }], /\[0\]\.code must be another one/],
    [[{ ...BANK, keyId: 7 }], /\[0\]\.keyId must be of type string/],
    [[{ ...BANK, secret: 'abc' }], /\[0\]\.secret is not a setting/],
    [[{ ...BANK, secretFile: 'missing' }], /\[0\]\.secretFile names .*missing, which does not exist/],
    [[{ ...BANK, secretFile: 'short.secret' }], /\[0\]\.secretFile names .* at least 32 bytes in base64/],
    [[{ ...BANK, baseUrl: 'bank.example' }], /\[0\]\.baseUrl must be an http or https address/],
    [[{ ...BANK, baseUrl: 'https://user:pw@bank.example' }], /\[0\]\.baseUrl must be/],
    [[{ ...BANK, customerUrl: 'https://bank.example?a=1' }], /\[0\]\.customerUrl must be/],
    [[{ ...BANK, baseUrl: 'http://adapter.example' }], /\[0\]\.baseUrl must be an https address in live/],
    [[{ ...BANK, customerUrl: 'http://pay.example' }], /\[0\]\.customerUrl must be an https address in live/],
    [[{ ...BANK, directions: [] }], /\[0\]\.directions /],
    [[{ ...BANK, directions: ['IN'] }], /\[0\]\.directions\[0\] must be one of PAYIN, PAYOUT, TOPUP/],
    [[{ ...BANK, flows: ['INSTRUCTIONS'] }], /\[0\]\.flows\[0\] must be one of REDIRECT, REFERENCE/],
    [[{ ...BANK, flows: [] }], /\[0\]\.flows must say how customers pay/],
  ]
  for (const [content, sentence] of wrong)
    assert.throws(
      () => read(content),
      (error) => {
        assert.ok(error instanceof ConfigError, JSON.stringify(content))
        assert.match(error.message, /^TOLLGATE_OPEN_RAILS_FILE/)
        assert.match(error.message, sentence)
        return true
      },
    )
  assert.throws(
    () => readOpenRails({ TOLLGATE_OPEN_RAILS_FILE: join(folder, 'nowhere'), isLive: true }, []),
    /names .*nowhere, which does not exist/,
  )
})
