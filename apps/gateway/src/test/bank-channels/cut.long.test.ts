import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { type TestLife, testRounds } from '@tollgate/testkit'
import type { SftpTrouble } from '@tollgate/testkit/sftp'
import type { ChannelWorker } from '../../modules/bank-channels/index.ts'
import { openBank } from '../../modules/bank-channels/test/bank.ts'
import { createOutgoingFiles } from '../../modules/payout-files/index.ts'
import { openRig as openPayoutRig } from '../../modules/payout-files/test/rig.ts'
import { StatementProblem } from '../../modules/statements/index.ts'
import { writeCamt } from '../../modules/statements/test/camt-writer.ts'
import { openRig as openStatementRig } from '../../modules/statements/test/rig.ts'
import { fileChannelsOf } from '../../rooms/bank-channels.ts'
import { channelOf, startWorker, until } from './rig.ts'

// Many files over a connection that breaks at random, before and after what was asked, with workers that are stopped and
// started meanwhile: everything arrives, and everything arrives once.

const STATEMENTS = 200
const PAYOUT_FILES = 50
const CUT_SHARE = 0.04
const LOOKS_MAX = 1000
const LOOKS_PER_WORKER = 5

const SEED = Number(process.env['TOLLGATE_TEST_SEED'] ?? 1107)

/** The same trouble for the same seed, as far as the order of questions is the same. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function breaking(random: () => number, cuts: { count: number }): () => SftpTrouble {
  return () => {
    if (random() >= CUT_SHARE) return undefined
    cuts.count += 1
    return random() < 0.5 ? 'CUT' : 'CUT_AFTER'
  }
}

/** Looks again at once after each failure, and changes workers, until it is so. */
async function drive(
  rig: { sql(text: string): Promise<readonly Record<string, unknown>[]> },
  start: () => ChannelWorker,
  isSo: () => Promise<boolean>,
): Promise<void> {
  let worker = start()
  for (let looks = 1; !(await isSo()); looks += 1) {
    assert.ok(looks < LOOKS_MAX, 'it does not come to an end')
    await rig.sql(`update bank_channels set next_look_at = '-infinity'`)
    await until('the worker looks', async () => {
      const due = await rig.sql(`select from bank_channels where next_look_at = '-infinity'`)
      return due.length === 0
    })
    if (looks % LOOKS_PER_WORKER !== 0) continue
    const stopped = worker.stop()
    worker = start()
    await stopped
  }
  await worker.stop()
}

async function fetchAll(t: TestLife, seed: number): Promise<string> {
  const [rig, bank] = [await openStatementRig(t), await openBank(t)]
  const amounts: number[] = []
  for (let number = 1; number <= STATEMENTS; number += 1) {
    amounts.push(number)
    writeFileSync(
      bank.path(`out/${String(number).padStart(3, '0')}.xml`),
      writeCamt({
        statements: [{ id: `S-${number}`, entries: [{ amount: String(number), text: `line ${number}` }] }],
      }),
    )
  }
  const cuts = { count: 0 }
  bank.server.setTrouble(breaking(chance(seed), cuts))
  const channel = channelOf(bank)
  const taken = new Map<string, number>()
  const start = () =>
    startWorker(t, rig, {
      channel,
      isOfFile: (error): error is Error => error instanceof StatementProblem,
      async take(file) {
        const { kind } = await rig.acts.takeFromChannel(file)
        if (kind === 'TAKEN') taken.set(file.fileName, (taken.get(file.fileName) ?? 0) + 1)
      },
    })
  await drive(rig, start, async () => {
    // In this order: what the bank has no more is in the database.
    if (readdirSync(bank.path('out')).length > 0) return false
    const [row] = await rig.sql(
      `select count(*)::int as waiting from bank_channel_files where outcome is null`,
    )
    return row?.['waiting'] === 0
  })
  const lines = (await rig.lines())
    .map((line) => Number(line.replace('UNKNOWN ', '')))
    .toSorted((a, b) => a - b)
  assert.deepEqual(lines, amounts)
  assert.deepEqual([...new Set(taken.values())], [1])
  return `${STATEMENTS} statements, ${cuts.count} cuts`
}

async function putAll(t: TestLife, seed: number): Promise<string> {
  const [rig, bank] = [await openPayoutRig(t), await openBank(t)]
  const channel = channelOf(bank, { sources: [] })
  const files = rig.open({ channels: fileChannelsOf([{ ...channel, accounts: ['SANDBOX_EUR'] }]) })
  const fileIds: string[] = []
  for (let number = 0; number < PAYOUT_FILES; number += 1) {
    await rig.payOut()
    const [made] = (await files.create({ currencyCode: 'EUR', actor: 'operator:ada' })).files
    assert.ok(made)
    fileIds.push(made.fileId)
  }
  const cuts = { count: 0 }
  bank.server.setTrouble(breaking(chance(seed), cuts))
  const start = () => startWorker(t, rig, { channel, outgoing: createOutgoingFiles(rig) })
  await drive(rig, start, async () => {
    const [row] = await rig.sql(`select count(*)::int as open from payout_file_puts where state <> 'PUT'`)
    return row?.['open'] === 0
  })
  assert.deepEqual(
    bank.server.renamed.map((path) => path.replace(/^\/in\/|\.xml$/g, '')).toSorted(),
    fileIds.toSorted(),
    'each got its name once',
  )
  const submitted = await rig.sql(
    `select count(*)::int as events, count(distinct file_id)::int as files from payout_file_events where event = 'SUBMITTED'`,
  )
  assert.deepEqual(submitted, [{ events: PAYOUT_FILES, files: PAYOUT_FILES }])
  return `${PAYOUT_FILES} payout files, ${cuts.count} cuts`
}

for (let round = 0; round < testRounds(1); round += 1) {
  const seed = SEED + round
  test(`${STATEMENTS} statements over a connection that breaks: each is taken once (seed ${seed})`, async (t) => {
    t.diagnostic(await fetchAll(t, seed))
  })
  test(`${PAYOUT_FILES} files of payouts over a connection that breaks: each is put once (seed ${seed})`, async (t) => {
    t.diagnostic(await putAll(t, seed))
  })
}
