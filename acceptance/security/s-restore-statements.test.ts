import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from '../support/expectations.ts'
import { CLI, startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { type DaysOfMt940, mt940OfDays } from '../support/mt940.ts'
import { newId } from '../support/payins.ts'
import { PAYOUT_OPERATIONS, payoutRequest, readPayout } from '../support/payouts.ts'
import { runProgram, type Settings } from '../support/process.ts'
import { fundBalance } from '../support/topups.ts'

// After a restore, a payout that left in a file is known to nobody but the bank. So the gap closes on what the bank says, and on
// all of it. The gap is opened as after a restore by other means, over a gateway that never heard of the payouts.

const BY_FILE = 'file@sandbox.test'
/** What the bank says has the form of our references, and belongs to no payment here. */
const STRANGER = '7K3MPQ2X9RTA'
const DAY_MS = 86_400_000

const elsewhere = temporaryFolder()
after(() => rmSync(elsewhere, { recursive: true, force: true }))
const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const settings: Settings = {
  TOLLGATE_DATA_DIR: gateway.dataDir,
  TOLLGATE_DATABASE_URL: databaseUrl,
  TOLLGATE_OPERATOR_PORT: new URL(gateway.operatorUrl).port,
}
const keyFile = (code: 'ada' | 'grace'): readonly string[] => [
  '--operator-key-file',
  join(gateway.dataDir, 'demo', `operator-${code}.key`),
]
const [ada, grace] = [keyFile('ada'), keyFile('grace')]
const because = ['--reason', 'compared with the statements'] as const

await fundBalance(gateway, token, { id: newId(), amount: '500' })
// It lasted from 20 to 10 days ago: all of its days are over.
await gateway.cli('restore-gap', 'open', '--since', momentsAgo(20 * DAY_MS), ...ada)
await runSql(databaseUrl, `update restore_gaps set restored_at = restored_at - interval '10 days'`)

function momentsAgo(milliseconds: number): string {
  return `${new Date(Date.now() - milliseconds).toISOString().slice(0, 19)}Z`
}

/** So many days from now, ISO 8601. */
const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

async function failing(...parts: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram([CLI, ...parts], settings)
  assert.notEqual(code, 0, stdout)
  return stderr
}

const shown = async (): Promise<unknown> =>
  at(JSON.parse((await gateway.cli('restore-gap', 'show', '--json')).stdout), 'gap')
const digestNow = async (): Promise<string> => textAt(await shown(), 'digest')
const propose = (key = ada): Promise<unknown> => gateway.cli('restore-gap', 'propose', ...because, ...key)
const refusedProposal = (): Promise<string> => failing('restore-gap', 'propose', ...because, ...ada)

async function coverageOf(code: string): Promise<unknown> {
  return listAt(await shown(), 'accounts').find((each) => at(each, 'accountCode') === code)
}

async function take(days: DaysOfMt940): Promise<void> {
  const file = join(elsewhere, `${newId()}.sta`)
  writeFileSync(file, mt940OfDays(days))
  await gateway.cli('statements', 'import', file, ...ada)
}

test('S43 a gap is not closed before statements have every booking of it, of every account that payouts leave from', async () => {
  const all = await refusedProposal()
  for (const code of ['SANDBOX_EUR', 'SANDBOX_CZK', 'SANDBOX_KWD'])
    assert.match(all, new RegExp(`${code}: statements from`))
  // It begins too late, ends too early, does not add up, or is of a day that has not come.
  await take({ openingOn: day(-20), closingOn: day(-2), opening: 100 })
  await take({ openingOn: day(-25), closingOn: day(-15), opening: 200 })
  await take({ openingOn: day(-25), closingOn: day(-2), opening: 300, closing: 299 })
  await take({ openingOn: day(-25), closingOn: day(3), opening: 400 })
  assert.equal(at(await coverageOf('SANDBOX_EUR'), 'isComplete'), false)
  assert.match(await refusedProposal(), /SANDBOX_EUR: statements from .* are missing/)
  // Days that follow each other, one of them not taken yet; and one that goes on from another balance.
  await take({ openingOn: day(-25), closingOn: day(-12), opening: 1000, bookings: [['5.00', 'RENT']] })
  await take({ openingOn: day(-11), closingOn: day(-2), opening: 990 })
  await take({ openingOn: day(-12), closingOn: day(-2), opening: 900 })
  assert.equal(at(await coverageOf('SANDBOX_EUR'), 'isComplete'), false)
  await take({
    openingOn: day(-12),
    closingOn: day(-11),
    opening: 1005,
    bookings: [['-15.00', `PAYOUT ${STRANGER}`]],
  })
  assert.equal(at(await coverageOf('SANDBOX_EUR'), 'isComplete'), true)
  assert.doesNotMatch(await refusedProposal(), /SANDBOX_EUR: statements/)
})

test('S44 money that left for nobody’s payment is named or explained by people before the gap closes', async () => {
  for (const code of ['SANDBOX_CZK', 'SANDBOX_KWD'])
    await gateway.cli('restore-gap', 'waive', code, '--reason', 'the bank is closed', ...grace)
  const refused = await refusedProposal()
  const [open] = listAt(await shown(), 'debits').filter((debit) => at(debit, 'isOpen') === true)
  const line = textAt(open, 'lineId')
  assert.match(refused, new RegExp(`line ${line}, 15 EUR, ${STRANGER}\\. Name the ids`))
  await gateway.cli('statements', 'decide', line, 'note', '--reason', 'of a branch of ours', ...ada)
  await propose()
  // What came to light after the proposal is seen first.
  const seen = await digestNow()
  await take({ openingOn: day(-1), closingOn: day(0), opening: 4000, bookings: [['-1.00', 'FEE']] })
  const words = ['--without', 'SANDBOX_CZK', '--without', 'SANDBOX_KWD', ...because] as const
  assert.match(
    await failing('restore-gap', 'close', '--digest', seen, ...words, ...grace),
    /since it was proposed/,
  )
  assert.match(await refusedProposal(), /line \d+, 1 EUR\. Name/)
  const [fee] = listAt(await shown(), 'debits').filter((debit) => at(debit, 'isOpen') === true)
  await gateway.cli(
    'statements',
    'decide',
    textAt(fee, 'lineId'),
    'note',
    '--reason',
    'fee of the bank',
    ...ada,
  )
  await propose()
})

test('S45 a gap without a statement of an account is closed by two people who name it, and that is shown afterwards', async () => {
  const digest = await digestNow()
  const close = (...parts: readonly string[]) =>
    ['restore-gap', 'close', '--digest', digest, ...because, ...parts] as const
  const both = ['--without', 'SANDBOX_CZK', '--without', 'SANDBOX_KWD'] as const
  assert.match(await failing(...close(...both, ...ada)), /another operator/)
  const unnamed = await failing(...close('--without', 'SANDBOX_CZK', ...grace))
  assert.match(unnamed, /no statement of SANDBOX_KWD \(operator:grace: the bank is closed\)/)
  assert.match(await failing(...close(...both, '--without', 'SANDBOX_EUR', ...grace)), /SANDBOX_EUR is no/)
  assert.match(
    await failing('restore-gap', 'waive', 'SANDBOX_EUR', '--reason', 'in a hurry', ...grace),
    /nothing to waive/,
  )
  await gateway.cli(...close(...both, ...grace))
  // The tests' server writes without fsync, which doctor does not let pass.
  const { stdout } = await runProgram([CLI, 'doctor'], settings)
  assert.match(
    stdout,
    /warn .*restore .*closed by operator:grace without a statement of SANDBOX_CZK \(operator:grace: the bank is closed\)/,
  )
  const verified: unknown = JSON.parse((await gateway.cli('ledger', 'check', '--json')).stdout)
  assert.equal(at(verified, 'clean'), true)
  assert.match(
    listAt(verified, 'waived').join('\n'),
    /without a statement of SANDBOX_CZK \(operator:grace: the bank is closed\)\.\n.*SANDBOX_KWD/,
  )
  await assert.rejects(runSql(databaseUrl, 'delete from restore_gap_waivers'))
  await assert.rejects(
    runSql(
      databaseUrl,
      `insert into restore_gap_waivers (gap_id, account_code, reason, waived_by)
        select gap_id, 'SANDBOX_EUR', 'later', 'operator:ada' from restore_gaps`,
    ),
    /is closed/,
  )
  // A payout that comes to have the reference of the line is stopped, although the line was noted.
  const id = newId()
  await waitUntil(
    async () => (await gateway.send(payoutRequest(token, id, { email: BY_FILE }))).status !== 500,
    {
      timeoutMs: 60_000,
      what: 'the gateway to have heard that the gap is closed',
    },
  )
  await runSql(databaseUrl, 'update payments set reference = $1 where id_payment = $2', [STRANGER, id])
  const made = await gateway.cli('payout-files', 'create', ...ada, '--json')
  assert.deepEqual(listAt(JSON.parse(made.stdout), 'files'), [])
  assert.equal(at(await readPayout(gateway, token, id), 'process', 'processorStatus'), 'ON_HOLD')
  expectSuccess(await gateway.send({ method: 'GET', path: '/readyz' }), 200)
})
