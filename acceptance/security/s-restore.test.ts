import assert from 'node:assert/strict'
import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { CLI, startGateway, type TestGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS } from '../support/merchant.ts'
import { mt940OfDays } from '../support/mt940.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import {
  ACCOUNT_NUMBERS,
  createPayout,
  PAYOUT_OPERATIONS,
  payoutRequest,
  payoutWithStatus,
  readPayout,
  type WantedPayout,
} from '../support/payouts.ts'
import { runProgram } from '../support/process.ts'
import { bankOf } from '../support/simulator.ts'
import { fundBalance } from '../support/topups.ts'

// A gateway goes on for a while after its backup, is lost, and is restored. What it paid meanwhile is not paid again. The bank
// keeps its own books: they are not restored.

const BY_FILE = 'file@sandbox.test'
/** A payout with this address is handed to the bank simulator. */
const BY_BANK = 'normal@simulator.test'

const elsewhere = temporaryFolder()
after(() => rmSync(elsewhere, { recursive: true, force: true }))
const backup = join(elsewhere, 'tonight')
const dataDir = join(elsewhere, 'restored')

const lost = await startGateway({ after }, { embedded: true, simulator: true })
const token = await lost.demo().token(...new Set([...ALL_OPERATIONS, ...PAYOUT_OPERATIONS]))
/** Payouts by what becomes of them: accepted before the backup or after it, and paid after it in any case. */
const ids = {
  approved: newId(),
  filed: newId(),
  lostOnline: newId(),
  lostNamed: newId(),
  lostOnStatement: newId(),
  payin: newId(),
}
const references = new Map<string, string>()

const referenceOf = (id: string): string => references.get(id) ?? ''
const keyFile = (gateway: TestGateway, code: 'ada' | 'grace'): readonly string[] => [
  '--operator-key-file',
  join(gateway.dataDir, 'demo', `operator-${code}.key`),
]

async function pay(id: string, wanted: WantedPayout = {}): Promise<void> {
  const { body } = await createPayout(lost, token, { id, ...wanted })
  references.set(id, textAt(body, 'paymentMethodResponse', 'reference'))
}

/** What operators see of a payout. */
async function itemOf(gateway: TestGateway, id: string): Promise<unknown> {
  const path = '/operator/payouts?merchantCode=DEMO&limit=100'
  const { body } = await gateway.sendToOperators({ method: 'GET', path, token: gateway.operatorKey('ada') })
  return listAt(body, 'data').find((each) => at(each, 'idPayout') === id)
}

async function approve(gateway: TestGateway, id: string): Promise<void> {
  const hash = textAt(await itemOf(gateway, id), 'contentHash')
  for (const code of ['ada', 'grace'] as const)
    await gateway.cli('payouts', 'approve', 'DEMO', id, '--content', hash, ...keyFile(gateway, code))
}

/** Payouts in files that are made now. */
async function makeFiles(gateway: TestGateway): Promise<readonly unknown[]> {
  const run = await gateway.cli('payout-files', 'create', ...keyFile(gateway, 'ada'), '--json')
  const found: unknown[] = []
  for (const file of listAt(JSON.parse(run.stdout), 'files')) {
    const path = `/operator/payout-files/${textAt(file, 'fileId')}`
    const { body } = await gateway.sendToOperators({ method: 'GET', path, token: gateway.operatorKey('ada') })
    found.push(...listAt(body, 'payments').map((payment) => at(payment, 'idPayment')))
  }
  return found
}

async function timesPaid(id: string): Promise<number> {
  const movements = await bankOf(restored).movements()
  return movements.filter(({ reference }) => reference === referenceOf(id)).length
}

async function failing(...parts: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram([CLI, ...parts], {
    TOLLGATE_DATA_DIR: restored.dataDir,
    TOLLGATE_OPERATOR_PORT: new URL(restored.operatorUrl).port,
  })
  assert.notEqual(code, 0, stdout)
  return stderr
}

const phaseIn = async (gateway: TestGateway, id: string): Promise<unknown> =>
  at(await readPayout(gateway, token, id), 'process', 'processorStatus')

const refundRequest: RawRequest = {
  method: 'POST',
  path: `/payins/${ids.payin}/refunds/R-1`,
  token,
  body: {
    refundRequested: { money: { amount: '40', currencyCode: 'EUR' } },
    account: { accountName: 'Ada Lovelace', accountNumber: ACCOUNT_NUMBERS[0] },
  },
}

async function refundIn(gateway: TestGateway, status: string): Promise<void> {
  await waitUntil(
    async () => {
      const { body } = await gateway.send({ method: 'GET', path: refundRequest.path, token })
      return at(body, 'process', 'status') === status
    },
    { timeoutMs: 60_000, what: `the refund to be ${status}` },
  )
}

/** It pays after its backup: by the bank at once, after an approval, and by a file. What the restore says. */
async function loseAndRestore(): Promise<string> {
  await fundBalance(lost, token, { id: newId(), amount: '5000' })
  await createPayin(lost, token, { id: ids.payin, amount: '100', email: BY_BANK })
  await lost.cli('trigger', 'payin', 'paid', ids.payin)
  await payinWithStatus(lost, token, { id: ids.payin, status: 'SUCCESS' })
  await lost.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', 'EUR', '--amount-from', '100')
  await pay(ids.filed, { email: BY_FILE })
  await waitUntil(
    async () => {
      await pay(ids.approved, { amount: '200', email: BY_BANK })
      if ((await phaseIn(lost, ids.approved)) === 'AWAITING_APPROVAL') return true
      ids.approved = newId()
      return false
    },
    { timeoutMs: 60_000, what: 'the rule to count' },
  )
  await lost.cli('backup', backup)

  const refunded = expectSuccess(await lost.send(refundRequest), 201)
  references.set('refund', textAt(refunded, 'paymentMethodResponse', 'reference'))
  await refundIn(lost, 'SUCCESS')
  await approve(lost, ids.approved)
  await payoutWithStatus(lost, token, { id: ids.approved, status: 'SUCCESS' })
  await pay(ids.lostOnline, { email: BY_BANK })
  for (const id of [ids.lostNamed, ids.lostOnStatement]) await pay(id, { email: BY_FILE })
  await payoutWithStatus(lost, token, { id: ids.lostOnline, status: 'SUCCESS' })
  const filed = await makeFiles(lost)
  assert.deepEqual([...filed].sort(), [ids.filed, ids.lostNamed, ids.lostOnStatement].sort())
  await lost.stop()

  const { stderr } = await runProgram([CLI, 'restore', backup], { TOLLGATE_DATA_DIR: dataDir })
  copyFileSync(join(lost.dataDir, 'master.key'), join(dataDir, 'master.key'))
  for (const kept of ['demo', 'simulator'])
    cpSync(join(lost.dataDir, kept), join(dataDir, kept), { recursive: true })
  return stderr
}

const said = await loseAndRestore()
const restored = await startGateway({ after }, { embedded: true, simulator: true, dataDir })

test('S40 until the gap is closed the restored gateway accepts no payout, hands nothing over, and says so', async () => {
  assert.match(said, /No money leaves/)
  for (const id of [ids.lostOnline, ids.lostNamed, ids.lostOnStatement, newId()]) {
    const refused = await restored.send(payoutRequest(token, id))
    expectError(refused, 500, 'PAYOUTS_STOPPED')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
  }
  expectError(await restored.send(refundRequest), 500, 'PAYOUTS_STOPPED')
  expectError(await restored.send(payoutRequest(token, ids.filed)), 409, 'ENTITY_DUPLICATED')
  await createPayin(restored, token, { id: newId() })
  assert.deepEqual(await makeFiles(restored), [])
  assert.equal(await phaseIn(restored, ids.filed), 'ON_HOLD')
  assert.equal(await phaseIn(restored, ids.approved), 'ON_HOLD')
  for (const action of ['release', 'cancel'])
    assert.match(
      await failing(
        'payments',
        action,
        'PAYOUT',
        'DEMO',
        ids.approved,
        '--reason',
        'in a hurry',
        ...keyFile(restored, 'ada'),
      ),
      /may have been handed over before the restore/,
    )
  assert.match((await restored.cli('doctor')).stdout, /warn .*restore .*No payouts are accepted/)
  const ready = await restored.send({ method: 'GET', path: '/readyz' })
  assert.match(textAt(expectSuccess(ready, 200), 'checks', 'outgoing'), /restore gap is open/)
})

test('S41 one person cannot close the gap, and what came to light after the proposal has to be seen', async () => {
  const [ada, grace] = [keyFile(restored, 'ada'), keyFile(restored, 'grace')]
  const because = ['--reason', 'compared with the statements'] as const
  const digestNow = async (): Promise<string> =>
    textAt(JSON.parse((await restored.cli('restore-gap', 'show', '--json')).stdout), 'gap', 'digest')
  assert.match(
    await failing('restore-gap', 'close', '--digest', await digestNow(), ...because, ...ada),
    /Nobody has proposed/,
  )
  // The bank has no statement of days to come: s-restore-statements.test.ts has gaps that are over.
  const accounts = ['SANDBOX_CZK', 'SANDBOX_EUR', 'SANDBOX_KWD'] as const
  for (const account of accounts)
    await restored.cli('restore-gap', 'waive', account, '--reason', 'asked by telephone', ...ada)
  const without = accounts.flatMap((account) => ['--without', account])
  await restored.cli('restore-gap', 'propose', ...because, ...ada)
  assert.match(
    await failing('restore-gap', 'close', '--digest', await digestNow(), ...without, ...because, ...ada),
    /another operator/,
  )
  const file = join(elsewhere, 'statement.sta')
  const booked = [ids.filed, ids.lostOnStatement].map(
    (id) => ['-10.00', `PAYOUT ${referenceOf(id)}`] as const,
  )
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(file, mt940OfDays({ openingOn: today, closingOn: today, opening: 1000, bookings: booked }))
  await restored.cli('statements', 'import', file, ...ada)
  await payoutWithStatus(restored, token, { id: ids.filed, status: 'SUCCESS' })
  const seen = await digestNow()
  assert.match(
    await failing('restore-gap', 'close', '--digest', seen, ...without, ...because, ...grace),
    /since it was proposed/,
  )
  const named = join(elsewhere, 'ids.txt')
  writeFileSync(named, `${ids.lostNamed}\n`)
  await restored.cli('restore-gap', 'ids', 'DEMO', named, ...ada)
  const shown: unknown = JSON.parse((await restored.cli('restore-gap', 'show', '--json')).stdout)
  assert.deepEqual(
    listAt(shown, 'gap', 'ids').map((id) => [at(id, 'idPayment'), at(id, 'reference')]),
    [[ids.lostNamed, referenceOf(ids.lostNamed)]],
  )
  assert.deepEqual(
    listAt(shown, 'gap', 'debits').map((debit) => at(debit, 'references')),
    [[referenceOf(ids.lostOnStatement)]],
  )
  const line = textAt(listAt(shown, 'gap', 'debits')[0], 'lineId')
  assert.match(
    await failing('restore-gap', 'propose', ...because, ...ada),
    new RegExp(`line ${line}, 10 EUR`),
  )
  await restored.cli('statements', 'decide', line, 'note', '--reason', 'nobody names it', ...ada)
  await restored.cli('restore-gap', 'propose', ...because, ...ada)
  assert.match(
    await failing('restore-gap', 'close', '--digest', 'f'.repeat(12), ...because, ...grace),
    /not that of the gap/,
  )
  await restored.cli('restore-gap', 'close', '--digest', await digestNow(), ...without, ...because, ...grace)
  assert.match(
    await failing('restore-gap', 'close', '--digest', seen, ...because, ...grace),
    /No restore gap/,
  )
})

test('S42 a merchant sends the ids of the gap again after it is closed: the bank is asked for none of them twice', async () => {
  const answerOf = (id: string, email: string) => restored.send(payoutRequest(token, id, { email }))
  await waitUntil(async () => (await answerOf(ids.lostNamed, BY_FILE)).status === 409, {
    timeoutMs: 60_000,
    what: 'the gateway to have heard that the gap is closed',
  })
  expectError(await answerOf(ids.lostNamed, BY_FILE), 409, 'PAYOUT_ID_LOST')
  expectSuccess(await answerOf(ids.lostOnStatement, BY_FILE), 201)
  expectSuccess(await answerOf(ids.lostOnline, BY_BANK), 201)
  const because = ['--reason', 'not on any statement', ...keyFile(restored, 'ada')] as const
  await restored.cli('payments', 'release', 'PAYOUT', 'DEMO', ids.approved, ...because)
  await approve(restored, ids.approved)
  // A new one shows that all goes on.
  const id = newId()
  const { body } = await createPayout(restored, token, { id, email: BY_BANK })
  references.set(id, textAt(body, 'paymentMethodResponse', 'reference'))
  for (const each of [ids.lostOnline, ids.approved, id])
    await payoutWithStatus(restored, token, { id: each, status: 'SUCCESS' })
  expectSuccess(await restored.send(refundRequest), 201)
  await refundIn(restored, 'SUCCESS')
  for (const each of [ids.lostOnline, ids.approved, id, 'refund']) assert.equal(await timesPaid(each), 1)
  assert.deepEqual(await makeFiles(restored), [])
  assert.equal(await phaseIn(restored, ids.lostOnStatement), 'ON_HOLD')
  await restored.cli('ledger', 'check')
})
