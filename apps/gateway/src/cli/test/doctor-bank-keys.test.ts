import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { makePair } from '../../modules/bank-channels/test/pgp-keys.ts'
import { examineBankKeys } from '../doctor/bank-keys.ts'

const DAY_SECONDS = 86_400

/** What doctor says of a channel with such keys, at a moment some days from now. */
async function openChannel(t: TestLife) {
  const folder = mkdtempSync(join(tmpdir(), 'bank-keys-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const theirs = await makePair(folder, 'bank', { expiresSeconds: 100 * DAY_SECONDS })
  await makePair(folder, 'own')
  const file = join(folder, 'channels.json')
  return {
    fingerprint: theirs.publicKey.getFingerprint().toUpperCase(),
    async says(pgp: object, days = 0) {
      const channel = {
        code: 'MYBANK',
        host: 'sftp.bank.example',
        user: 'acme',
        keyFile: 'bank.key',
        hostKey: 'SHA256:q5tI0UhwPd1KXhTxC0ciZkxkq0UcC2Tg0pD7IhUuq0E',
        pgp: { bankKeyFile: 'bank.pub', keyFile: 'own.key', ...pgp },
      }
      writeFileSync(file, JSON.stringify([channel, { ...channel, code: 'PLAIN', pgp: undefined }]))
      const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + days * DAY_SECONDS * 1_000 }
      const findings = await examineBankKeys({ TOLLGATE_BANK_CHANNELS_FILE: file }, clock)
      return findings.map(({ status, message }) => `${status} ${message}`)
    },
  }
}

test('doctor looks at the keys of channels in PGP: whether they can be used, whose they are, and how long they last', async (t) => {
  const { says, fingerprint } = await openChannel(t)
  const [good, ...others] = await says({})
  assert.match(
    good ?? '',
    new RegExp(`^OK MYBANK: the bank's key is ${fingerprint}, and the first key ends on 2`),
  )
  assert.deepEqual(others, [])
  assert.match((await says({}, 71)).join(), /^WARN MYBANK: .* ends on 2/)
  assert.match((await says({}, 101)).join(), /^FAIL MYBANK: .* ends on 2/)
  assert.match((await says({ keyFile: 'own.pub' })).join(), /^FAIL MYBANK: .*own\.pub has no private part/)
  assert.match((await says({ bankKeyFile: 'none' })).join(), /^FAIL MYBANK: .*none cannot be read as a key/)
  assert.deepEqual(await says({ bankKeyFile: '' }), [], 'the settings are told of elsewhere')
})
