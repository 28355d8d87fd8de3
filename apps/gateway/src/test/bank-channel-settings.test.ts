import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigError } from '../config.ts'
import { bankChannelSecretFiles, readBankChannels } from '../rooms/bank-channel-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-bank-channels-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const SOURCE = { directory: '/out', holds: 'STATEMENTS', afterwards: 'DELETE' }
const BANK = {
  code: 'MYBANK',
  host: 'sftp.bank.example',
  user: 'acme',
  keyFile: 'bank.key',
  hostKey: 'SHA256:q5tI0UhwPd1KXhTxC0ciZkxkq0UcC2Tg0pD7IhUuq0E',
  fetch: [SOURCE],
  put: { directory: '/in', accounts: ['MAIN'] },
}

function write(content: unknown) {
  const file = join(folder, 'channels.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return { TOLLGATE_BANK_CHANNELS_FILE: file }
}

test('the file gives the channels, with what is usual where it says nothing; without the setting there are none', () => {
  const [channel] = readBankChannels(write([BANK]))
  assert.ok(channel)
  const { peer, everySeconds, accounts, sources, target } = channel
  assert.deepEqual(
    { peer, everySeconds, accounts, sources, target },
    {
      peer: 'acme@sftp.bank.example:22',
      everySeconds: 300,
      accounts: ['MAIN'],
      sources: [
        {
          directory: '/out',
          holds: 'STATEMENTS',
          names: '*',
          marker: undefined,
          afterwards: { kind: 'DELETE' },
        },
      ],
      target: { directory: '/in', stagingDirectory: undefined },
    },
  )
  assert.deepEqual(readBankChannels({}), [])
  assert.notEqual(
    readBankChannels(write([{ ...BANK, port: 2222 }]))[0]?.settingsDigest,
    channel.settingsDigest,
  )
  assert.deepEqual(bankChannelSecretFiles(write([{ ...BANK, passphraseFile: '/etc/words' }])), [
    join(folder, 'bank.key'),
    '/etc/words',
  ])
})

const CSV = { account: 'CZ6508000000192000145399', columns: { bookedOn: 1, amount: 2, currencyCode: 3 } }

test('a directory of CSV says how it is read, and a channel in PGP by which keys', () => {
  const pgp = { bankKeyFile: 'bank.asc', keyFile: 'own.asc', passphraseFile: '/etc/words' }
  const setting = write([{ ...BANK, fetch: [SOURCE, { ...SOURCE, directory: '/csv', csv: CSV }], pgp }])
  const [channel] = readBankChannels(setting)
  assert.deepEqual(channel?.mappings, new Map([['/csv', CSV]]))
  assert.deepEqual(bankChannelSecretFiles(setting), [
    join(folder, 'bank.key'),
    join(folder, 'own.asc'),
    '/etc/words',
  ])
})

test('a channel in PGP without the package says what to install, also to doctor', () => {
  const setting = write([{ ...BANK, pgp: { bankKeyFile: 'bank.asc', keyFile: 'own.asc' } }])
  assert.equal(readBankChannels(setting).length, 1)
  const says =
    /MYBANK\.pgp needs the package openpgp, which is not installed: npm install --no-save openpgp@6/
  assert.throws(() => readBankChannels(setting, () => false), says)
  assert.throws(() => bankChannelSecretFiles(setting, () => false), says)
})

test('what is wrong is one sentence that names the field', () => {
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ['{', /no JSON/],
    [{}, /the file must be array/],
    [[{ ...BANK, hostKey: undefined }], /\[0\]\.hostKey is missing/],
    [[{ ...BANK, hostKey: 'AAAA' }], /\[0\]\.hostKey must be a fingerprint as `ssh-keygen -lf` prints it/],
    [[{ ...BANK, code: 'my bank' }], /\[0\]\.code has characters that are not allowed/],
    [[{ ...BANK, password: 'x' }], /\[0\]\.password is not a setting of a channel/],
    [[{ ...BANK, everySeconds: 1 }], /\[0\]\.everySeconds must be >= 10/],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, holds: 'FILES' }] }],
      /\[0\]\.fetch\[0\]\.holds must be one of STATEMENTS, PAYOUT_REPORTS/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, afterwards: 'KEEP' }] }],
      /\[0\]\.fetch\[0\]\.afterwards must be one of LEAVE, DELETE, ARCHIVE/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, afterwards: 'ARCHIVE' }] }],
      /MYBANK\.fetch\[0\]\.archive must name a directory/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, archive: '/done' }] }],
      /MYBANK\.fetch\[0\]\.archive must name .* only then/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, holds: 'PAYOUT_REPORTS', csv: CSV }] }],
      /MYBANK\.fetch\[0\]\.csv is for STATEMENTS only/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, csv: { ...CSV, columns: { bookedOn: 1 } } }] }],
      /MYBANK\.fetch\[0\]\.csv: mapping\/columns/,
    ],
    [
      [{ ...BANK, fetch: [{ ...SOURCE, csv: { ...CSV, delimeter: ';' } }] }],
      /MYBANK\.fetch\[0\]\.csv: mapping\/delimeter: there is no such member\. docs\/guides\/statements\.md/,
    ],
    [
      [{ ...BANK, fetch: [SOURCE, { ...SOURCE, csv: CSV }] }],
      /MYBANK\.fetch\[1\]: \/out is read by another entry/,
    ],
    [[{ ...BANK, pgp: { keyFile: 'own.asc' } }], /\[0\]\.pgp\.bankKeyFile is missing/],
    [[{ ...BANK, pgp: { bankKeyFile: 'a', keyFile: 'b', sign: true } }], /\[0\]\.pgp\.sign is not a setting/],
    [[BANK, BANK], /there are two channels MYBANK/],
    [[BANK, { ...BANK, code: 'OTHER' }], /files of the account MAIN cannot go over MYBANK and OTHER/],
  ]
  for (const [content, sentence] of wrong)
    assert.throws(
      () => readBankChannels(write(content)),
      (error) => {
        assert.ok(error instanceof ConfigError, JSON.stringify(content))
        assert.match(error.message, /^TOLLGATE_BANK_CHANNELS_FILE/)
        assert.match(error.message, sentence)
        return true
      },
    )
  assert.throws(
    () => readBankChannels({ TOLLGATE_BANK_CHANNELS_FILE: join(folder, 'nowhere') }),
    /names .*nowhere, which does not exist/,
  )
})
