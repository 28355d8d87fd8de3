import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { createMessage, encrypt } from 'openpgp'
import { createBankChannelService, withPgp } from '../../modules/bank-channels/index.ts'
import { openBank } from '../../modules/bank-channels/test/bank.ts'
import { makePair } from '../../modules/bank-channels/test/pgp-keys.ts'
import { StatementProblem } from '../../modules/statements/index.ts'
import { writeCamt } from '../../modules/statements/test/camt-writer.ts'
import { openRig } from '../../modules/statements/test/rig.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { channelOf, startWorker, stateOf, until } from './rig.ts'

// Files that a bank's SFTP server offers, on their way to the room of statements and a real database.

const camt = (text: string): string => writeCamt({ statements: [{ entries: [{ amount: '5', text }] }] })

async function open(t: TestLife) {
  const [rig, bank] = [await openRig(t), await openBank(t)]
  const outcomes = () =>
    rig.sql(`select file_name, outcome, length(sealed) as bytes from bank_channel_files order by file_no`)
  const isOfFile = (error: unknown): error is Error => error instanceof StatementProblem
  return { rig, bank, outcomes, isOfFile, take: rig.acts.takeFromChannel }
}

test('a statement that a bank offers is fetched, booked without a second person, and archived; its bytes are kept once', async (t) => {
  const { rig, bank, outcomes, take, isOfFile } = await open(t)
  const payment = await rig.accept()
  writeFileSync(
    bank.path('out/day.xml'),
    writeCamt({ statements: [{ entries: [{ amount: '100', text: payment.reference }] }] }),
  )
  startWorker(t, rig, { channel: channelOf(bank), take, isOfFile })
  await until('the payment', async () => (await rig.statusOf(payment))?.startsWith('SUCCESS') === true)
  await until('the end of the file', async () => (await outcomes())[0]?.['outcome'] === 'TAKEN')
  assert.deepEqual(await outcomes(), [{ file_name: 'day.xml', outcome: 'TAKEN', bytes: 0 }])
  await until('its removal', () => readdirSync(bank.path('out')).length === 0)
  const evidence = await rig.sql(`select actor from statement_files`)
  assert.deepEqual(evidence, [{ actor: 'channel:MYBANK' }])
})

test('the same bytes under another name are taken once, and both are cleared', async (t) => {
  const { rig, bank, outcomes, take, isOfFile } = await open(t)
  for (const name of ['a.xml', 'b.xml']) writeFileSync(bank.path(`out/${name}`), camt('a'))
  startWorker(t, rig, { channel: channelOf(bank), take, isOfFile })
  await until('both to go', () => readdirSync(bank.path('out')).length === 0)
  await until('the end', async () => (await outcomes())[0]?.['outcome'] === 'TAKEN')
  assert.equal((await outcomes()).length, 1)
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
})

test('a file that cannot be taken is put aside with its reason, and holds up no other one', async (t) => {
  const { rig, bank, outcomes, take, isOfFile } = await open(t)
  writeFileSync(bank.path('out/1-bad.xml'), camt('a').slice(0, -30))
  writeFileSync(bank.path('out/2-empty.xml'), '')
  writeFileSync(bank.path('out/3-good.xml'), camt('b'))
  startWorker(t, rig, { channel: channelOf(bank), take, isOfFile })
  await until('all three', async () => {
    const rows = await outcomes()
    return rows.length === 3 && rows.every(({ outcome }) => outcome !== null)
  })
  assert.deepEqual(
    (await outcomes()).map(({ outcome }) => outcome),
    ['ASIDE', 'ASIDE', 'TAKEN'],
  )
  const failed = await rig.sql(`select file_name, reason from failed_documents order by document_id`)
  assert.deepEqual(
    failed.map((row) => row['file_name']),
    ['1-bad.xml', '2-empty.xml'],
  )
  assert.match(String(failed[0]?.['reason']), /not well-formed XML/)
})

test('what the gateway itself cannot do now is tried again, and the bytes wait in the database', async (t) => {
  const { rig, bank, outcomes, isOfFile } = await open(t)
  writeFileSync(bank.path('out/day.xml'), camt('a'))
  let tries = 0
  startWorker(t, rig, {
    channel: channelOf(bank),
    isOfFile,
    take(file) {
      tries += 1
      return tries < 3 ? Promise.reject(new Error('the disk is full')) : rig.acts.takeFromChannel(file)
    },
  })
  await until('the third try', async () => (await outcomes())[0]?.['outcome'] === 'TAKEN')
  assert.equal(tries, 3)
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
})

test('a channel whose host key changed stops, says both fingerprints, and goes on when somebody asks after the key is right', async (t) => {
  const { rig, bank, take, isOfFile } = await open(t)
  const right = bank.server.hostKey
  let attempts = 0
  const { driver } = channelOf(bank)
  const channel = channelOf(bank, {
    driver: {
      open(signal) {
        attempts += 1
        return driver.open(signal)
      },
    },
  })
  const shown = bank.server.changeHostKey()
  const worker = startWorker(t, rig, { channel, take, isOfFile })
  await until('the stop', async () => (await stateOf(rig.db, channel)).isHalted)
  const { fault } = await stateOf(rig.db, channel)
  assert.equal(fault?.kind, 'HOST_KEY')
  assert.ok(fault.message.includes(shown) && fault.message.includes(right))
  const tried = attempts
  writeFileSync(bank.path('out/day.xml'), camt('a'))
  // Other channels' work goes on, and this one is not tried: a look later it still was not.
  await rig.sql(`update bank_channels set next_look_at = '-infinity'`)
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(attempts, tried)

  const trusted = { ...channel, settingsDigest: 'others', driver: bank.driver({ hostKey: shown }) }
  await createBankChannelService({ db: rig.db, channels: [channel] }).look('MYBANK')
  await until(
    'another look, which fails again',
    async () => attempts > tried && (await stateOf(rig.db, channel)).isHalted,
  )
  await worker.stop()
  startWorker(t, rig, { channel: trusted, take, isOfFile })
  await until('the file', async () => (await rig.lines()).length === 1)
  assert.equal((await stateOf(rig.db, trusted)).fault, undefined)
})

test('a bank that does not answer is tried again, later each time, and says since when', async (t) => {
  const { rig, bank, take, isOfFile } = await open(t)
  const channel = channelOf(bank, { everySeconds: 300, driver: bank.driver({ port: 1 }) })
  startWorker(t, rig, { channel, take, isOfFile })
  await until('a failure', async () => (await stateOf(rig.db, channel)).failures === 1)
  const since = (await stateOf(rig.db, channel)).fault?.since
  const [row] = await rig.sql(
    `select extract(epoch from next_look_at - looked_at)::int as pause from bank_channels`,
  )
  assert.equal(row?.['pause'], 300)
  await rig.sql(`update bank_channels set next_look_at = '-infinity'`)
  await until('another one', async () => (await stateOf(rig.db, channel)).failures === 2)
  assert.deepEqual((await stateOf(rig.db, channel)).fault?.since, since)
  assert.equal((await stateOf(rig.db, channel)).isHalted, false)
})

test('one process at a time talks to a bank, and what one that died had begun another one begins anew', async (t) => {
  const { rig, bank, take, isOfFile } = await open(t)
  let talking = 0
  let most = 0
  const { driver } = channelOf(bank)
  const channel = channelOf(bank, {
    driver: {
      async open(signal) {
        const link = await driver.open(signal)
        talking += 1
        most = Math.max(most, talking)
        return {
          ...link,
          async close() {
            talking -= 1
            await link.close()
          },
        }
      },
    },
  })
  for (let process = 0; process < 3; process += 1) startWorker(t, rig, { channel, take, isOfFile })
  for (let day = 0; day < 10; day += 1) writeFileSync(bank.path(`out/${day}.xml`), camt(`day ${day}`))
  await until('all ten', async () => (await rig.lines()).length === 10)
  assert.equal(most, 1)
  // A process that leased it and died: until its lease is over nobody talks to the bank.
  const other = channelOf(bank, { code: 'OTHER' })
  await rig.sql(
    `insert into bank_channels (channel_code, leased_until) values ('OTHER', statement_timestamp() + interval '300 ms')`,
  )
  writeFileSync(bank.path('out/late.xml'), camt('late'))
  await rig.sql(`update bank_channels set next_look_at = 'infinity' where channel_code = 'MYBANK'`)
  startWorker(t, rig, { channel: other, take, isOfFile })
  await until('the one of later', async () => (await rig.lines()).length === 11)
})

test('D66 over a channel in PGP, the same statement encrypted anew is taken once, and what is in clear stays where it is', async (t) => {
  const { rig, bank, outcomes, take, isOfFile } = await open(t)
  const folder = mkdtempSync(join(tmpdir(), 'pgp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [theirs, ours] = [await makePair(folder, 'bank'), await makePair(folder, 'own')]
  const files = { bankKeyFile: theirs.publicFile, keyFile: ours.privateFile, passphraseFile: undefined }
  const seal = async (text: string): Promise<string> =>
    encrypt({
      message: await createMessage({ text }),
      encryptionKeys: ours.publicKey,
      signingKeys: theirs.privateKey,
    })
  const [first, second] = [await seal(camt('a')), await seal(camt('a'))]
  assert.notEqual(first, second)
  writeFileSync(bank.path('out/1-clear.xml'), camt('b'))
  writeFileSync(bank.path('out/2.pgp'), first)
  writeFileSync(bank.path('out/3.pgp'), second)
  const channel = channelOf(bank, { driver: withPgp(bank.driver(), files) })
  startWorker(t, rig, { channel, take, isOfFile })
  await until('both to go', () => readdirSync(bank.path('out')).join() === '1-clear.xml')
  await until('the end', async () => (await outcomes())[0]?.['outcome'] === 'TAKEN')
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5'])
  assert.equal((await outcomes()).length, 1)
  await until('the fault', async () => (await stateOf(rig.db, channel)).fault?.kind === 'FILE')
  const { fault } = await stateOf(rig.db, channel)
  assert.match(fault?.message ?? '', /1-clear\.xml is not taken: it is no message of OpenPGP/)
})

test('where a file lay is handed on with it, so that CSV is read as its directory says', async (t) => {
  const { rig, bank, outcomes, isOfFile } = await open(t)
  const handed: string[] = []
  writeFileSync(bank.path('out/day.csv'), 'a,b')
  startWorker(t, rig, {
    channel: channelOf(bank),
    isOfFile,
    async take({ channelCode, directory, fileName }) {
      handed.push(`${channelCode} ${directory} ${fileName}`)
    },
  })
  await until('the end', async () => (await outcomes())[0]?.['outcome'] === 'TAKEN')
  assert.deepEqual(handed, ['MYBANK /out day.csv'])
})

test('the counters of a channel begin at 0, so that an alarm sees its first fault', async (t) => {
  const { rig, bank, take, isOfFile } = await open(t)
  const metrics = createMetrics()
  startWorker(t, rig, { channel: channelOf(bank), take, isOfFile, metrics })
  const { values } = await metrics.bankChannelLooks.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.channel, labels.result, value]),
    ['OK', 'HOST_KEY', 'SIGN_IN', 'UNREACHABLE', 'REFUSED', 'FILE'].map((result) => ['MYBANK', result, 0]),
  )
  const unclear = await metrics.payoutFilesUnclear.get()
  assert.deepEqual(
    unclear.values.map(({ labels, value }) => [labels.channel, value]),
    [['MYBANK', 0]],
  )
})
