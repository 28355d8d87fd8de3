import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callbackReceiver, runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { mt940 } from './support/mt940.ts'
import { statusReport } from './support/pain002.ts'
import { createPayin, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { pngOf } from './support/png.ts'
import { fundBalance } from './support/topups.ts'

// The week of an operator: every command of the page, word for word, in the page's order.

const PAGE = readFileSync(new URL('../docs/operators.md', import.meta.url), 'utf8')
/** The tasks of a part, and the roles that it says they take. */
const PARTS = PAGE.split(/^## /m)
  .slice(1)
  .map((text, index) => ({
    key: `part-${index}.key`,
    roles: (/^Roles: (.+)\.$/m.exec(text)?.[1] ?? '').split(', '),
    tasks: [...text.matchAll(/^\*\*(\d+)\. (.+?)\*\*.*?```bash\n(.+?)```/gms)].map(
      ([, number = '', title = '', block = '']) => ({
        name: `${number}. ${title.replace(/\.$/, '')}`,
        lines: block.trim().split('\n'),
      }),
    ),
  }))
const TIMEOUT_MS = 60_000

const folder = temporaryFolder()
const file = (name: string): string => join(folder, name)
const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: { TOLLGATE_CALLBACK_INTERVAL_SECONDS: '1', TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '1' },
  },
)
const token = await gateway.demo().token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS, 'POST /customers/.*')

/** What stands in capitals on the page. */
const known = new Map<string, string>()

async function prepareFiles(): Promise<void> {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 3072 })
  writeFileSync(file('shop-public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  writeFileSync(file('second.key'), gateway.operatorKey('grace'), { mode: 0o600 })
  for (const [index, { key, roles }] of PARTS.entries()) {
    const given = roles.flatMap((role) => ['--role', role])
    const made = await gateway.cli('operators', 'create', `person-${index}`, ...given)
    writeFileSync(file(key), made.stdout, { mode: 0o600 })
  }
  writeFileSync(file('logo.png'), pngOf(32, 32))
  writeFileSync(file('statement.sta'), mt940([['77.70', 'a gift']]))
  writeFileSync(file('accounts.txt'), 'GB82 WEST 1234 5698 7654 32\n')
  const account = { accountName: 'Demo Ltd', accountNumber: 'DE89370400440532013000' }
  writeFileSync(file('account.json'), JSON.stringify(account))
  writeFileSync(file('rates.csv'), 'currencyCode,unit,buy,sell,mid\nUSD,1,0.90,0.94,0.92\n')
}

async function preparePayments(): Promise<void> {
  known.set('TODAY', new Date().toISOString().slice(0, 10))
  await fundBalance(gateway, token, { id: 'TOP-1', amount: '5000' })
  const receiver = await callbackReceiver({ after }, { answer: () => 500 })
  const created = await createPayin(gateway, token, {
    id: 'ORD-1',
    email: 'success@sandbox.test',
    callbackUrl: `${receiver.url}/`,
  })
  known.set('REFERENCE', textAt(created.body, 'paymentMethodResponse', 'reference'))
  await payinWithStatus(gateway, token, { id: 'ORD-1', status: 'SUCCESS' })
  for (const id of ['OUT-1', 'OUT-2'])
    await createPayout(gateway, token, { id, email: 'approval@sandbox.test' })
  const filed = await createPayout(gateway, token, { id: 'OUT-3', email: 'file@sandbox.test' })
  known.set('FILED', textAt(filed.body, 'paymentMethodResponse', 'reference'))
  await createPayout(gateway, token, { id: 'OUT-4', email: 'unknown@sandbox.test' })
  await payoutWithStatus(gateway, token, { id: 'OUT-4', status: 'UNKNOWN' })
  await runSql(
    databaseUrl,
    `update payment_tasks set unknown_since = unknown_since - interval '1 h', due_at = due_at + interval '1 h' where id_payment = 'OUT-4'`,
  )
  const customer = await gateway.send({
    method: 'POST',
    path: '/customers/C-1',
    token,
    body: { name: 'Jana Novak' },
  })
  assert.equal(customer.status, 201, customer.text)
}

const json = async (...parts: readonly string[]): Promise<unknown> =>
  JSON.parse((await gateway.cli(...parts, '--json')).stdout)

/** The key that is to be replaced. */
async function lookAtKeys(line: string): Promise<void> {
  if (line.includes('operators show ada'))
    known.set('KEY', textAt(await json('operators', 'show', 'ada'), 'keys', 0, 'keyId'))
}

/** What a reader takes from a list that a command before has shown. */
async function look(line: string): Promise<void> {
  if (line.includes('payouts list'))
    for (const each of listAt(await json('payouts', 'list'), 'data'))
      if (at(each, 'contentHash') !== undefined)
        known.set(textAt(each, 'idPayout').replace('OUT', 'CONTENT'), textAt(each, 'contentHash'))
  if (line.includes('statements list'))
    known.set('LINE', String(at(await json('statements', 'list'), 'data', 0, 'lineId')))
  if (line.includes('payout-files create'))
    known.set('FILE', textAt(await json('payout-files', 'list'), 'data', 0, 'fileId'))
  if (line.includes('payout-files submitted'))
    writeFileSync(
      file('report.xml'),
      statusReport(known.get('FILE') ?? '', [[known.get('FILED') ?? '', 'ACSC']]),
    )
  if (line.includes('--state EXHAUSTED')) {
    const exhausted = async () => listAt(await json('callbacks', 'list', '--state', 'EXHAUSTED'), 'data')
    await waitUntil(async () => (await exhausted()).length > 0, {
      timeoutMs: TIMEOUT_MS,
      what: 'a callback that is given up',
    })
    known.set('EVENT', textAt((await exhausted())[0], 'eventId'))
  }
}

const isFile = (word: string): boolean => /\.(?:key|yaml|pem|xml|sta|csv|txt|png|json)$/.test(word)

/** Runs a line as a shell would, in a folder of its own. */
async function walk(line: string, ownKey: string): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
  const [npx, tollgate, ...rest] = words.map((word) => {
    if (word === 'nightly') return file(word)
    return isFile(word) ? file(word) : (known.get(word) ?? word)
  })
  assert.deepEqual([npx, tollgate], ['npx', 'tollgate'], line)
  const to = rest.indexOf('>')
  const command = to === -1 ? rest : rest.slice(0, to)
  const isLocal =
    ['doctor', 'backup'].includes(command[0] ?? '') ||
    ['ledger check', 'operators create'].includes(command.slice(0, 2).join(' '))
  const hasKey = command.includes('--operator-key-file')
  const key = isLocal || hasKey ? [] : ['--operator-key-file', file(ownKey)]
  const { stdout } = await gateway.cli(...command, ...key).catch((error: unknown) => {
    // The servers of tests lose in a power cut what was accepted, which doctor says.
    if (command[0] === 'doctor') return { stdout: String(error) }
    // The client programs of this server need not be here; tests of backups bring them.
    if (command[0] === 'backup' && /pg_dump/.test(String(error))) return { stdout: '' }
    throw new Error(`${line}: ${String(error)}`)
  })
  if (to !== -1) writeFileSync(rest[to + 1] ?? '', stdout, { mode: 0o600 })
  return stdout
}

test('every task of the page is done by its commands as they stand there', async (t) => {
  const numbers = PARTS.flatMap(({ tasks }) => tasks.map(({ name }) => Number.parseInt(name, 10)))
  assert.deepEqual(
    numbers,
    Array.from({ length: 26 }, (_, index) => index + 1),
  )
  await prepareFiles()
  await preparePayments()
  for (const { key, tasks } of PARTS)
    for (const { name, lines } of tasks)
      await t.test(name, async () => {
        for (const line of lines) {
          await walk(line, key)
          await look(line)
          await lookAtKeys(line)
        }
      })
  // What the commands were for.
  for (const id of ['OUT-1', 'OUT-3', 'OUT-4'])
    await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await payoutWithStatus(gateway, token, { id: 'OUT-2', status: 'CANCELLED' })
})
