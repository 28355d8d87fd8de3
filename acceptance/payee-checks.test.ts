import assert from 'node:assert/strict'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startPayeeAdapter, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at } from './support/json.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Whether the name and the account of a payee belong together, asked of an adapter before the money leaves.

const UNTIL_MS = 60_000
const SECRET = Buffer.alloc(32, 9)
const own = temporaryFolder()
after(() => rmSync(own, { recursive: true, force: true }))
const adapter = await startPayeeAdapter({ after }, SECRET)
adapter.reply = ({ accountName }) => ({ body: { result: accountName === 'Eve' ? 'CLOSE_MATCH' : 'MATCH' } })
const settings = join(own, 'payee-checks.json')
writeFileSync(join(own, 'payees.secret'), SECRET.toString('base64'), { mode: 0o600 })
writeFileSync(
  settings,
  JSON.stringify({ keyId: 'payees-1', secretFile: 'payees.secret', baseUrl: adapter.url }),
)
const gateway = await startGateway(
  { after },
  { databaseUrl: (await testDatabase({ after })).url, settings: { TOLLGATE_PAYEE_CHECKS_FILE: settings } },
)
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '500' })

/** A payout that waits for a file. */
async function payOut(accountName: string): Promise<string> {
  const id = newId()
  const account = { accountName, accountNumber: 'DE89370400440532013000' }
  await createPayout(gateway, token, { id, account, email: 'file@sandbox.test' })
  return id
}

async function verificationOf(id: string): Promise<unknown> {
  const path = `/operator/payouts/DEMO/${id}/payee`
  const response = await gateway.sendToOperators({ method: 'GET', path, token: gateway.operatorKey('ada') })
  return at(expectSuccess(response, 200), 'verification')
}

test('an approver sees what the adapter said of the payee before anything left', async () => {
  const ids = [await payOut('Ada Lovelace'), await payOut('Eve')]
  for (const [index, [result, statusCode]] of [
    ['MATCH', 'RCVC'],
    ['CLOSE_MATCH', 'RVMC'],
  ].entries()) {
    const id = ids[index] ?? ''
    await waitUntil(async () => (await verificationOf(id)) !== undefined, {
      what: 'the answer',
      timeoutMs: UNTIL_MS,
    })
    const { receivedAt, ...said } = Object(await verificationOf(id))
    assert.ok(Date.parse(String(receivedAt)) > 0)
    assert.deepEqual(said, {
      result,
      statusCode,
      level: 'TRANSACTION',
      kind: 'PAYOUT',
      idPayout: id,
      takenBy: 'adapter:payees-1',
    })
  }
  const shown = await gateway.cli(
    'payouts',
    'payee',
    'DEMO',
    ids[1] ?? '',
    '--operator-key-file',
    join(gateway.dataDir, 'demo', 'operator-ada.key'),
  )
  assert.match(
    shown.stdout,
    /Verification of payee +CLOSE_MATCH \(RVMC\) for payout .+; asked .+, by adapter:payees-1/,
  )
})

test('the adapter is told of the payee, and of nothing else', () => {
  for (const question of adapter.asked)
    assert.deepEqual(Object.keys(question), ['reference', 'currencyCode', 'accountName', 'accountNumber'])
})

test('doctor names a secret that others can read', async () => {
  const secret = join(own, 'payees.secret')
  chmodSync(secret, 0o644)
  const found = await gateway.tryCli(['doctor'], UNTIL_MS)
  chmodSync(secret, 0o600)
  assert.match(found.stdout, /Others may read .*payees\.secret \(mode 644\), by TOLLGATE_PAYEE_CHECKS_FILE/)
})
