import assert from 'node:assert/strict'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '@tollgate/runtime/settings'
import { readSignerSettings } from '../src/settings.ts'
import { KEY, SECRET, TOKEN, temporaryFolder, writeSettings } from './support.ts'

const token = { token: TOKEN, decimals: 6, perTransaction: '100', perDay: '1000' }
const chainWith = (more: object) => ({
  chains: [{ chainId: 1, maxFeePerGasGwei: '5', tokens: [token], ...more }],
})

test('settings are read, with files beside them', (t) => {
  const folder = temporaryFolder(t)
  const settings = readSignerSettings(writeSettings(folder))
  assert.deepEqual(
    [settings.socket, settings.recordFile],
    [join(folder, 's.sock'), join(folder, 'record.jsonl')],
  )
  assert.deepEqual(settings.chains, [
    {
      chainId: '8453',
      maxFeePerGas: 5_000_000_000n,
      gasLimitMax: 200_000n,
      payees: undefined,
      tokens: [{ token: TOKEN, decimals: 6, perTransaction: 100_000_000n, perDay: 1_000_000_000n }],
    },
  ])
})

for (const [what, given, says] of [
  ['a key that is none', { key: 'word word word' }, /keyFile must hold a private key/],
  ['a secret that is too short', { secret: 'c2hvcnQ=' }, /secretFile must hold at least 32 bytes/],
  [
    'a token with a wrong letter',
    chainWith({ tokens: [{ ...token, token: '0x71c7656EC7ab88b098defB751B7401B5f6d8976F' }] }),
    /tokens\[0\]\.token must be .*EIP-55/,
  ],
  ['a token twice', chainWith({ tokens: [token, token] }), /chains\[0\]\.tokens has 0xa0.* twice/],
  [
    'an amount finer than the token',
    chainWith({ tokens: [{ ...token, perTransaction: '1.0000001' }] }),
    /perTransaction has more than 6 decimals/,
  ],
  [
    'a day below one transfer',
    chainWith({ tokens: [{ ...token, perDay: '99' }] }),
    /perDay is less than perTransaction/,
  ],
  ['a payee that is no address', chainWith({ payees: ['DE89'] }), /payees\[0\] must be 0x/],
  ['a setting that there is not', { keys: [] }, /settings\.json: keys is not a setting/],
  ['a socket with too long a name', { socket: 's'.repeat(120) }, /longer than the 103 bytes/],
] as const)
  test(`D61 ${what} is one sentence that names the field, and repeats no secret`, (t) => {
    const file = writeSettings(temporaryFolder(t), given)
    assert.throws(
      () => readSignerSettings(file),
      (error) => {
        assert.ok(error instanceof ConfigError)
        assert.match(error.message, says)
        assert.ok(!error.message.includes(KEY) && !error.message.includes(SECRET.toString('base64')))
        return true
      },
    )
  })

test('D61 a key that others may read is refused', (t) => {
  const folder = temporaryFolder(t)
  const file = writeSettings(folder)
  chmodSync(join(folder, 'key'), 0o640)
  assert.throws(() => readSignerSettings(file), /others may read: chmod 600 it/)
  rmSync(join(folder, 'key'))
  assert.throws(() => readSignerSettings(file), /keyFile names .*which does not exist/)
})
