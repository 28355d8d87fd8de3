import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { startSftpServer } from '@tollgate/testkit/sftp'
import { createMessage, decrypt, encrypt, generateKey, readKey, readMessage, readPrivateKey } from 'openpgp'
import { writeChannels } from './support/bank-channels.ts'
import { expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// A bank that lays out its statements as CSV in PGP, and wants payout files signed and encrypted.

const TIMEOUT_MS = 60_000
const own = temporaryFolder()
after(() => rmSync(own, { recursive: true, force: true }))
const root = join(own, 'bank')
for (const name of ['in', 'csv']) mkdirSync(join(root, name), { recursive: true })

/** A key pair in forms that old programs read; our own has a passphrase. */
async function pair(name: string, passphrase?: string) {
  const { privateKey, publicKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    format: 'armored',
    userIDs: [{ name }],
    ...(passphrase !== undefined && { passphrase }),
  })
  writeFileSync(join(own, `${name}.key`), privateKey, { mode: 0o600 })
  writeFileSync(join(own, `${name}.pub`), publicKey)
  return { privateKey, publicKey: (await readKey({ armoredKey: publicKey })).toPublic() }
}
const [theirs, ours] = [await pair('bank'), await pair('own', 'open sesame')]
const bankKey = await readPrivateKey({ armoredKey: theirs.privateKey })
writeFileSync(join(own, 'words'), 'open sesame\n', { mode: 0o600 })

const bank = await startSftpServer({ after }, { directory: root })
const csv = {
  delimiter: ';',
  columns: {
    account: 'ACCOUNT',
    bookedOn: 'DAY',
    amount: 'AMOUNT',
    currencyCode: 'CURRENCY',
    texts: ['TEXT'],
  },
}
const channelsFile = writeChannels(own, [
  {
    code: 'MYBANK',
    bank,
    does: {
      everySeconds: 10,
      fetch: [{ directory: '/csv', holds: 'STATEMENTS', afterwards: 'DELETE', csv }],
      put: { directory: '/in', accounts: ['SANDBOX_EUR'] },
      pgp: { bankKeyFile: 'bank.pub', keyFile: 'own.key', passphraseFile: 'words' },
    },
  },
])
const gateway = await startGateway({ after }, { settings: { TOLLGATE_BANK_CHANNELS_FILE: channelsFile } })
const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*', ...PAYOUT_OPERATIONS)
const ada = gateway.operatorKey('ada')
const look = () =>
  gateway.sendToOperators({
    method: 'POST',
    path: '/operator/bank-channels/MYBANK/!look',
    token: ada,
    body: {},
  })

test('a CSV statement in PGP pays a payin', async () => {
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount: '149.90' })
  const instructions = at(body, 'paymentMethodResponse')
  const day = new Date().toISOString().slice(0, 10)
  const line = [
    textAt(instructions, 'account', 'accountNumber'),
    day,
    '149.90',
    'EUR',
    textAt(instructions, 'reference'),
  ]
  const text = `ACCOUNT;DAY;AMOUNT;CURRENCY;TEXT\n${line.join(';')}\n`
  const message = await createMessage({ text })
  const sealed = await encrypt({ message, encryptionKeys: ours.publicKey, signingKeys: bankKey })
  writeFileSync(join(root, 'csv', 'day.csv.asc'), sealed)
  expectSuccess(await look(), 200)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  const files = await gateway.sendToOperators({
    method: 'GET',
    path: '/operator/bank-channels/MYBANK/files',
    token: ada,
  })
  assert.equal(at(expectSuccess(files, 200), 'data', 0, 'directory'), '/csv')
})

test('a payout file lies at the bank encrypted to it and signed by us', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  await createPayout(gateway, token, { id: newId(), email: 'file@sandbox.test' })
  const made = await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/payout-files',
    token: ada,
    body: { currencyCode: 'EUR' },
  })
  const fileId = textAt(expectSuccess(made, 200), 'files', 0, 'fileId')
  const name = `${fileId}.xml.pgp`
  await waitUntil(() => readdirSync(join(root, 'in')).includes(name), {
    timeoutMs: TIMEOUT_MS,
    what: 'the payout file',
  })
  const message = await readMessage({ binaryMessage: readFileSync(join(root, 'in', name)) })
  const opened = await decrypt({
    message,
    decryptionKeys: bankKey,
    verificationKeys: ours.publicKey,
    expectSigned: true,
  })
  assert.match(String(opened.data), /<CstmrCdtTrfInitn>/)
})
