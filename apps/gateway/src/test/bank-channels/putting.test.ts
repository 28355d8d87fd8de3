import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import type { SftpQuestion, SftpTrouble } from '@tollgate/testkit/sftp'
import { decrypt, readMessage } from 'openpgp'
import { ChannelFault } from '../../modules/bank-channels/errors.ts'
import type { BankLinkDriver } from '../../modules/bank-channels/link.ts'
import { withPgp } from '../../modules/bank-channels/pgp.ts'
import { type Bank, openBank } from '../../modules/bank-channels/test/bank.ts'
import { makePair } from '../../modules/bank-channels/test/pgp-keys.ts'
import { createOutgoingFiles, PayoutFileProblem } from '../../modules/payout-files/index.ts'
import { openRig } from '../../modules/payout-files/test/rig.ts'
import { fileChannelsOf } from '../../rooms/bank-channels.ts'
import { channelOf, startWorker, stateOf, until } from './rig.ts'

// Files of payouts on their way to a bank's SFTP server, from a real database, and what happens when an answer is lost.

const ACTOR = 'operator:ada'

async function open(t: TestLife, driverOf = (bank: Bank): BankLinkDriver => bank.driver()) {
  const [rig, bank] = [await openRig(t), await openBank(t)]
  const channel = channelOf(bank, { sources: [], driver: driverOf(bank) })
  const files = rig.open({ channels: fileChannelsOf([{ ...channel, accounts: ['SANDBOX_EUR'] }]) })
  const outgoing = createOutgoingFiles(rig)
  return {
    rig,
    bank,
    channel,
    files,
    outgoing,
    start: (log?: Parameters<typeof startWorker>[2]['log']) =>
      startWorker(t, rig, { channel, outgoing, ...(log !== undefined && { log }) }),
    /** A file of one payout. */
    async file(): Promise<string> {
      await rig.payOut()
      const made = await files.create({ currencyCode: 'EUR', actor: ACTOR })
      const [file] = made.files
      assert.ok(file)
      return file.fileId
    },
    putOf: async (fileId: string) => (await files.show(fileId)).file.put,
    events: async (fileId: string) =>
      (
        await rig.sql(`select event, actor from payout_file_events where file_id = $1 order by event_id`, [
          fileId,
        ])
      ).map(({ event, actor }) => `${String(event)} ${String(actor)}`),
    retry: () => rig.sql(`update bank_channels set next_look_at = '-infinity'`),
  }
}

/** The first question of a kind is troubled, and no other one. */
function once(what: SftpQuestion['what'], trouble: SftpTrouble): (question: SftpQuestion) => SftpTrouble {
  let isDone = false
  return (question) => {
    if (isDone || question.what !== what) return undefined
    isDone = true
    return trouble
  }
}

test('a file of the account goes over its channel as it was made, once, and is noted as submitted by the channel', async (t) => {
  const { bank, files, start, file, putOf, events } = await open(t)
  const fileId = await file()
  assert.equal((await putOf(fileId))?.state, 'WAITING')
  start()
  await until('the put', async () => (await putOf(fileId))?.state === 'PUT')
  const bytes = readFileSync(bank.path(`in/${fileId}.xml`))
  const { file: made } = await files.show(fileId)
  assert.equal(createHash('sha256').update(bytes).digest('hex'), made.contentHash)
  assert.deepEqual([made.folder, made.submittedAt !== undefined], ['NONE', true])
  assert.deepEqual(await events(fileId), ['SUBMITTED channel:MYBANK'])
  assert.deepEqual(readdirSync(bank.path('in')), [`${fileId}.xml`])
  // What it is put as can be read afterwards.
  assert.equal((await files.fetch(fileId, 'ada')).sha256, made.contentHash)
})

for (const [what, trouble] of [
  ['OPEN', 'CUT'],
  ['WRITE', 'CUT'],
  ['WRITE', 'CUT_AFTER'],
  ['CLOSE', 'CUT_AFTER'],
  ['RENAME', 'CUT'],
  ['RENAME', 'CUT_AFTER'],
  ['RENAME', 'REFUSE'],
] as const)
  test(`D54 ${trouble} at ${what}: the file is there once, whole, and no other one is`, async (t) => {
    const { bank, start, file, putOf, retry } = await open(t)
    bank.server.setTrouble(once(what, trouble))
    const fileId = await file()
    start()
    await until('the put', async () => {
      await retry()
      return (await putOf(fileId))?.state === 'PUT'
    })
    assert.deepEqual(bank.server.renamed, [`/in/${fileId}.xml`])
    assert.deepEqual(readdirSync(bank.path('in')), [`${fileId}.xml`])
  })

/** The same in PGP, with the keys of both sides. */
async function openInPgp(t: TestLife) {
  const folder = mkdtempSync(join(tmpdir(), 'pgp-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [theirs, ours] = [await makePair(folder, 'bank'), await makePair(folder, 'own')]
  const keys = { bankKeyFile: theirs.publicFile, keyFile: ours.privateFile, passphraseFile: undefined }
  return { ...(await open(t, (bank) => withPgp(bank.driver(), keys))), theirs, ours }
}

test('D66 a lost answer in PGP: encrypted anew, the file is there once, and is the one that was made', async (t) => {
  const { bank, files, start, file, putOf, retry, theirs, ours } = await openInPgp(t)
  bank.server.setTrouble(once('RENAME', 'CUT_AFTER'))
  const fileId = await file()
  start()
  await until('the put', async () => {
    await retry()
    return (await putOf(fileId))?.state === 'PUT'
  })
  assert.deepEqual(bank.server.renamed, [`/in/${fileId}.xml.pgp`])
  assert.deepEqual(readdirSync(bank.path('in')), [`${fileId}.xml.pgp`])
  const message = await readMessage({ binaryMessage: readFileSync(bank.path(`in/${fileId}.xml.pgp`)) })
  const opened = await decrypt({
    message,
    decryptionKeys: theirs.privateKey,
    verificationKeys: ours.publicKey,
    expectSigned: true,
    format: 'binary',
  })
  const sha256 = createHash('sha256').update(opened.data).digest('hex')
  assert.equal(sha256, (await files.show(fileId)).file.contentHash)
})

test('D66 in PGP too, a file at the bank that is not as long as what was sent is not ours: nobody guesses', async (t) => {
  const { rig, bank, channel, start, file, putOf, retry } = await openInPgp(t)
  bank.server.setTrouble(once('RENAME', 'CUT_AFTER'))
  const fileId = await file()
  start()
  await until('the lost answer', async () => (await stateOf(rig.db, channel)).failures === 1)
  writeFileSync(bank.path(`in/${fileId}.xml.pgp`), '')
  await until('the question', async () => {
    await retry()
    return (await putOf(fileId))?.state === 'UNCLEAR'
  })
  assert.match((await putOf(fileId))?.why ?? '', /is there with 0 bytes: it is not the file that was sent/)
})

test('D54 the answer to the last step is lost and the bank has taken the file away: nobody guesses, a person decides', async (t) => {
  const { rig, bank, channel, files, start, file, putOf, events, retry } = await open(t)
  const lost = once('RENAME', 'CUT_AFTER')
  bank.server.setTrouble(lost)
  const fileId = await file()
  const worker = start()
  await until('the lost answer', async () => (await stateOf(rig.db, channel)).failures === 1)
  unlinkSync(bank.path(`in/${fileId}.xml`))
  await retry()
  await until('the question', async () => (await putOf(fileId))?.state === 'UNCLEAR')
  assert.match((await putOf(fileId))?.why ?? '', /the bank may have taken it/)
  await retry()
  await until('other looks', async () => (await stateOf(rig.db, channel)).failures === 0)
  await worker.stop()
  assert.deepEqual(bank.server.renamed, [`/in/${fileId}.xml`], 'it is not sent again')
  await assert.rejects(
    files.fetch(fileId, 'ada'),
    (error) => error instanceof PayoutFileProblem && /Ask the bank/.test(error.message),
  )
  assert.equal(await files.markSubmitted(fileId, ACTOR), true)
  assert.equal((await putOf(fileId))?.state, 'PUT')
  assert.deepEqual(await events(fileId), ['SUBMITTED operator:ada'])
})

test('a person takes a file from its channel: it is not put any more, can be fetched, and is marked by them', async (t) => {
  const { bank, files, start, file, putOf, rig, channel } = await open(t)
  const fileId = await file()
  await assert.rejects(files.fetch(fileId, 'ada'), /goes to the bank over the channel MYBANK/)
  await files.takeByHand(fileId, { actor: ACTOR, reason: 'the bank has asked for it' })
  assert.deepEqual(
    [(await putOf(fileId))?.state, (await putOf(fileId))?.why],
    ['BY_HAND', 'operator:ada: the bank has asked for it'],
  )
  await files.takeByHand(fileId, { actor: ACTOR, reason: 'again' })
  start()
  await until('a look', async () => (await stateOf(rig.db, channel)).succeededAt !== undefined)
  assert.deepEqual(readdirSync(bank.path('in')), [])
  assert.ok((await files.fetch(fileId, 'ada')).bytes.length > 0)
  await files.markSubmitted(fileId, ACTOR)
  assert.equal((await putOf(fileId))?.state, 'BY_HAND')
})

test('D54 a person cannot take what the bank is getting or has, and a process that was slow releases nothing that a person took', async (t) => {
  const { rig, files, outgoing, file, putOf } = await open(t)
  const fileId = await file()
  const put = await outgoing.begin(fileId)
  assert.ok(put)
  await files.takeByHand(fileId, { actor: ACTOR, reason: 'now' })
  assert.equal(await outgoing.releasing(fileId, put.attempt, put.bytes.length), false)
  assert.equal(await outgoing.begin(fileId), undefined)

  const second = await file()
  const first = await outgoing.begin(second)
  const next = await outgoing.begin(second)
  assert.ok(first && next)
  assert.deepEqual([first.attempt, next.attempt], [1, 2])
  assert.equal(
    await outgoing.releasing(second, first.attempt, first.bytes.length),
    false,
    'another attempt counts by now',
  )
  assert.equal(await outgoing.releasing(second, next.attempt, next.bytes.length), true)
  assert.equal(await outgoing.begin(second), undefined, 'the bank may be getting it')
  await assert.rejects(
    files.takeByHand(second, { actor: ACTOR, reason: 'now' }),
    /is getting the file .* at this moment/,
  )
  await rig.sql(`alter table payout_file_puts disable trigger user`)
  await rig.sql(`update payout_file_puts set changed_at = changed_at - interval '20 min'`)
  await rig.sql(`alter table payout_file_puts enable trigger user`)
  await files.takeByHand(second, { actor: ACTOR, reason: 'the channel is gone' })
  assert.equal((await putOf(second))?.state, 'BY_HAND')
  await outgoing.released(second, next.attempt, 'MYBANK')
  assert.equal((await putOf(second))?.state, 'BY_HAND')
  await assert.rejects(
    rig.sql(`update payout_file_puts set state = 'WAITING' where file_id = $1`, [second]),
    /cannot go from BY_HAND to WAITING/,
  )
})

test('another file that has the name at the bank is never written over', async (t) => {
  const { bank, start, file, putOf, retry } = await open(t)
  const fileId = await file()
  writeFileSync(bank.path(`in/${fileId}.xml`), 'of somebody else')
  start()
  await until('the question', async () => {
    await retry()
    return (await putOf(fileId))?.state === 'UNCLEAR'
  })
  assert.equal(readFileSync(bank.path(`in/${fileId}.xml`), 'utf8'), 'of somebody else')
  assert.match((await putOf(fileId))?.why ?? '', /it is not the file that was sent/)
})

test('D54 what was on its way when the backup was made is sent by nobody after a restore, until a person has asked the bank', async (t) => {
  const { rig, bank, files, outgoing, start, file, putOf, channel } = await open(t)
  const [waiting, staging, releasing] = [await file(), await file(), await file()]
  assert.ok(await outgoing.begin(staging))
  const put = await outgoing.begin(releasing)
  assert.ok(put && (await outgoing.releasing(releasing, put.attempt, put.bytes.length)))
  await rig.sql(`select open_restore_gap(clock_timestamp(), 'operator:ada', array['bank-transfer'])`)
  start()
  await until('a look', async () => (await stateOf(rig.db, channel)).succeededAt !== undefined)
  assert.deepEqual(readdirSync(bank.path('in')), [])
  for (const fileId of [waiting, staging, releasing]) {
    const found = await putOf(fileId)
    assert.equal(found?.state, 'UNCLEAR')
    assert.match(found.why ?? '', /restored from a backup/)
  }
  await files.takeByHand(waiting, { actor: ACTOR, reason: 'the bank does not have it' })
  assert.ok((await files.fetch(waiting, 'ada')).bytes.length > 0)
})

test('a protocol of orders goes through the same door: nothing is staged, and a lost answer is found by its order', async (t) => {
  const { rig, channel, outgoing, file, putOf, retry } = await open(t)
  /** What the bank has, by name: an order is there whole, or not at all. */
  const orders = new Map<string, number>()
  let lost = 0
  const driver: BankLinkDriver = {
    open: async () => ({
      offers: async () => ({ files: [], hasUnfinished: false }),
      read: () => Promise.reject(new ChannelFault('FILE', 'there is none')),
      clear: async () => undefined,
      stage: async ({ bytes }) => bytes.length,
      async release({ name }) {
        orders.set(name, (orders.get(name) ?? 0) + 1)
        lost += 1
        if (lost === 1) throw new ChannelFault('UNREACHABLE', 'the answer is lost')
      },
      ask: async ({ name }) => ({ kind: orders.has(name) ? 'RELEASED' : 'STAGED' }),
      close: async () => undefined,
    }),
  }
  const fileIds = [await file(), await file()]
  startWorker(t, rig, { channel: { ...channel, driver }, outgoing })
  for (const fileId of fileIds)
    await until('the order', async () => {
      await retry()
      return (await putOf(fileId))?.state === 'PUT'
    })
  assert.deepEqual([...orders.values()], [1, 1])
})
