import assert from 'node:assert/strict'
import { copyFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { CLI, startGateway, type TestGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { expectKept, startLoad, untilAccepted } from './support/load.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId } from './support/payins.ts'
import {
  createPayout,
  PAYOUT_OPERATIONS,
  payoutRequest,
  payoutWithStatus,
  readPayout,
} from './support/payouts.ts'
import { runProgram } from './support/process.ts'
import { fundBalance } from './support/topups.ts'

// The drill of docs/backup.md: a backup of a gateway that works, restored elsewhere, checked, and put to work.

const LOAD_WORKERS = 3
const ENOUGH = 20

const elsewhere = temporaryFolder()
after(() => rmSync(elsewhere, { recursive: true, force: true }))
const backup = join(elsewhere, 'tonight')
const dataDir = join(elsewhere, 'restored')

const gateway = await startGateway({ after }, { embedded: true })
const token = await gateway.demo().token(...new Set([...ALL_OPERATIONS, ...PAYOUT_OPERATIONS]))
const payins = new Map<string, string>()
const payouts: string[] = []
let head = ''

test('a backup is taken while payins and payouts go on', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '5000' })
  const load = startLoad(gateway, token, LOAD_WORKERS)
  const paying = startPayouts()
  await untilAccepted(load, ENOUGH)
  for (const [id, acceptedAt] of load.accepted) payins.set(id, acceptedAt)
  const paid = [...payouts]
  const { stdout } = await gateway.cli('backup', backup, '--json')
  head = textAt(JSON.parse(stdout), 'journalHead')
  const health = await gateway.sendToOperators({
    method: 'GET',
    path: '/operator/health',
    token: gateway.operatorKey('ada'),
  })
  assert.equal(textAt(health.body, 'lastBackup', 'startedAt'), textAt(JSON.parse(stdout), 'startedAt'))
  assert.equal(at(health.body, 'lastBackup', 'bytes'), at(JSON.parse(stdout), 'bytes'))
  assert.ok(load.accepted.size > payins.size, 'payins were accepted during the backup')
  await load.stop()
  await paying.stop()
  assert.ok(payouts.length > paid.length, 'payouts were accepted during the backup')
  payouts.splice(paid.length)
  await gateway.stop()
})

/** One payout after the other; `payouts` has those that were answered with 201. */
function startPayouts(): { stop(): Promise<void> } {
  let isStopped = false
  async function pay(): Promise<void> {
    while (!isStopped) {
      const id = newId()
      await createPayout(gateway, token, { id })
      payouts.push(id)
    }
  }
  const paying = pay()
  return {
    async stop() {
      isStopped = true
      await paying
    },
  }
}

test('restored into a new data directory, the books agree, and only the master key is missed', async () => {
  const { code, stdout } = await runProgram([CLI, 'restore', backup, '--json'], {
    TOLLGATE_DATA_DIR: dataDir,
  })
  const findings = listAt(JSON.parse(stdout), 'findings')
  assert.deepEqual(
    findings.map((finding) => textAt(finding, 'check')),
    ['master_key'],
  )
  assert.equal(code, 1)
  copyFileSync(join(gateway.dataDir, 'master.key'), join(dataDir, 'master.key'))
  // Without it the sandbox makes new keys for its merchant, and tokens end with their key.
  cpSync(join(gateway.dataDir, 'demo'), join(dataDir, 'demo'), { recursive: true })
})

test('the restored gateway has everything that was accepted before the backup began, and serves', async (t) => {
  const restored = await startGateway(t, { embedded: true, dataDir })
  await expectKept(restored, token, { accepted: payins })
  for (const id of payouts) await readPayout(restored, token, id)
  await closeGap(restored)
  await expectServing(restored)
  await restored.cli('ledger', 'check', '--head', head)
})

/** Two operators say that they know what was paid since the backup; `security/s-restore.test.ts` has what comes before. */
async function closeGap(restored: TestGateway): Promise<void> {
  const keyFile = (code: string): readonly string[] => [
    '--operator-key-file',
    join(dataDir, 'demo', `operator-${code}.key`),
  ]
  const word = ['--reason', 'nothing was paid', '--json'] as const
  const accounts = ['SANDBOX_CZK', 'SANDBOX_EUR', 'SANDBOX_KWD']
  for (const account of accounts)
    await restored.cli('restore-gap', 'waive', account, ...word, ...keyFile('ada'))
  const without = accounts.flatMap((account) => ['--without', account])
  const proposed = await restored.cli('restore-gap', 'propose', ...word, ...keyFile('ada'))
  const digest = textAt(JSON.parse(proposed.stdout), 'gap', 'digest')
  await restored.cli('restore-gap', 'close', '--digest', digest, ...without, ...word, ...keyFile('grace'))
  // Each process hears of it within a second.
  await waitUntil(async () => (await restored.send(payoutRequest(token, newId()))).status === 201, {
    timeoutMs: 60_000,
    what: 'payouts to be accepted',
  })
}

/** New payments come to their end, for a token that was made before the backup. */
async function expectServing(restored: TestGateway): Promise<void> {
  await createPayin(restored, token, { id: newId() })
  const id = newId()
  await createPayout(restored, token, { id })
  await payoutWithStatus(restored, token, { id, status: 'SUCCESS' })
}
