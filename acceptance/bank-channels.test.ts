import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { startSftpServer } from '@tollgate/testkit/sftp'
import { writeChannels } from './support/bank-channels.ts'
import { camtStatement } from './support/camt.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { statusReport } from './support/pain002.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// A bank that is reached over SFTP, and a gateway that wants a second person for whatever people hand in.

const TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

const own = temporaryFolder()
const root = join(own, 'bank')
for (const name of ['in', 'out', 'reports', 'done']) mkdirSync(join(root, name), { recursive: true })
const bank = await startSftpServer({ after }, { directory: root })
const channelsFile = writeChannels(own, [
  {
    code: 'MYBANK',
    bank,
    does: {
      everySeconds: 10,
      fetch: [
        { directory: '/out', holds: 'STATEMENTS', names: '*.xml', afterwards: 'ARCHIVE', archive: '/done' },
        { directory: '/reports', holds: 'PAYOUT_REPORTS', afterwards: 'DELETE' },
      ],
      put: { directory: '/in', accounts: ['SANDBOX_EUR'] },
    },
  },
])
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const settings = { TOLLGATE_BANK_CHANNELS_FILE: channelsFile, TOLLGATE_SECOND_PERSON: 'on' }
const gateway = await startGateway({ after }, { databaseUrl: door.url, settings })
const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*', ...PAYOUT_OPERATIONS)
const ada = gateway.operatorKey('ada')
const auditor = await addOperator('olga', 'AUDITOR')
const outsider = await addOperator('cato', 'CATALOGUE')
const support = await addOperator('susi', 'SUPPORT')
const hasty = await addOperator('otto', 'FINANCE')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
after(() => rmSync(own, { recursive: true, force: true }))

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const CHANNEL = '/operator/bank-channels/MYBANK'
const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const post = (key: string | undefined, path: string, body: unknown = {}): RawRequest => ({
  method: 'POST',
  path,
  token: key,
  body,
})
const until = (what: string, isSo: () => Promise<boolean>) => waitUntil(isSo, { timeoutMs: TIMEOUT_MS, what })
const look = async (): Promise<unknown> => expectSuccess(await send(post(ada, `${CHANNEL}/!look`)), 200)

/** A payout in a file of its own, and the reference that travels with the money. */
async function filed() {
  const id = newId()
  const { body } = await createPayout(gateway, token, { id, email: BY_FILE })
  const reference = textAt(body, 'paymentMethodResponse', 'reference')
  const run = expectSuccess(await send(post(ada, '/operator/payout-files', { currencyCode: 'EUR' })), 200)
  return { id, reference, fileId: textAt(run, 'files', 0, 'fileId') }
}
/** Asks again where it was asked faster than an operator may. */
async function readWithPatience(path: string): Promise<unknown> {
  for (;;) {
    const response = await send(get(auditor, path))
    if (response.status !== 429) return expectSuccess(response, 200)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
const channelOf = async (fileId: string): Promise<unknown> =>
  at(await readWithPatience(`/operator/payout-files/${fileId}`), 'channel')

test('POST /operator/bank-channels/{channelCode}/!look → 200, GET /operator/bank-channels/{channelCode}/files → 200: a statement of the bank pays a payin, and no second person is asked', async () => {
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount: '149.90' })
  const instructions = at(body, 'paymentMethodResponse')
  const payer = { payerName: 'Jana Payer', payerIban: 'DE02120300000000202051' }
  const credit = { ...payer, amount: '149.90', reference: textAt(instructions, 'reference') }
  writeFileSync(
    join(root, 'out', 'day.xml'),
    camtStatement(textAt(instructions, 'account', 'accountNumber'), [credit]),
  )
  assert.equal(textAt(await look(), 'code'), 'MYBANK')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  await until('the file to be noted', async () => {
    const files = await readWithPatience(`${CHANNEL}/files`)
    return listAt(files, 'data').some((file) => at(file, 'outcome') === 'TAKEN')
  })
  const files = await readWithPatience(`${CHANNEL}/files?limit=1`)
  assert.deepEqual(
    ['holds', 'fileName', 'outcome'].map((name) => at(files, 'data', 0, name)),
    ['STATEMENTS', 'day.xml', 'TAKEN'],
  )
  await until('the archive', async () => readdirSync(join(root, 'done')).includes('day.xml'))
  const detail = expectSuccess(await send(get(ada, `/operator/payments/PAYIN/DEMO/${id}/history`)), 200)
  assert.match(JSON.stringify(detail), /"evidence":"BANK_CHANNEL"/)
})

test('a file of payouts reaches the bank, and its report comes back: paid, without a second person', async () => {
  const { id, reference, fileId } = await filed()
  await until('the put', async () => at(await channelOf(fileId), 'state') === 'PUT')
  const bytes = readFileSync(join(root, 'in', `${fileId}.xml`), 'utf8')
  assert.match(bytes, new RegExp(reference))
  const file = expectSuccess(await send(get(auditor, `/operator/payout-files/${fileId}`)), 200)
  assert.match(textAt(file, 'submittedAt'), /^2/)
  writeFileSync(join(root, 'reports', 'status.xml'), statusReport(fileId, [[reference, 'ACSC']]))
  await look()
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
})

test('POST /operator/payout-files/{fileId}/!by-hand → 200 a person takes a file from the channel, and only then it can be fetched', async () => {
  bank.setOpen(false)
  const { fileId } = await filed()
  await until('the refusal', async () => {
    const body = await readWithPatience('/operator/bank-channels')
    return at(body, 'data', 0, 'state') === 'STOPPED'
  })
  const content = `/operator/payout-files/${fileId}/content`
  const refused = await send(get(ada, content))
  expectError(refused, 400, 'BODY_INVALID')
  assert.match(JSON.stringify(refused.body), /goes to the bank over the channel MYBANK/)
  const taken = await gateway.cli(
    'payout-files',
    'by-hand',
    fileId,
    '--reason',
    'the bank has locked us out',
    ...keyFile,
  )
  assert.match(taken.stdout, /is carried by hand/)
  const again = await send(post(ada, `/operator/payout-files/${fileId}/!by-hand`, { reason: 'again' }))
  const detail = expectSuccess(again, 200)
  assert.deepEqual(
    [at(detail, 'channel', 'state'), at(detail, 'channel', 'why')],
    ['BY_HAND', 'operator:ada: the bank has locked us out'],
  )
  expectSuccess(await send(get(ada, content)), 200)
  assert.ok(!readdirSync(join(root, 'in')).includes(`${fileId}.xml`))
})

test('GET /operator/bank-channels → 200 says what is wrong, and the command line names it and goes on', async () => {
  const { stdout, stderr } = await gateway.cli('bank-channels', 'list', ...keyFile)
  assert.match(stdout, /MYBANK +acme@127.0.0.1:\d+ +STOPPED/)
  assert.match(stderr, /MYBANK, SIGN_IN since .*: 127.0.0.1:\d+ does not let acme in with this key/)
  bank.setOpen(true)
  assert.match(
    (await gateway.cli('bank-channels', 'look', 'mybank', ...keyFile)).stdout,
    /looks within seconds/,
  )
  await until('it to work', async () => {
    const body = await readWithPatience('/operator/bank-channels')
    return at(body, 'data', 0, 'state') === 'WORKS'
  })
  const files = await gateway.cli('bank-channels', 'files', 'MYBANK', ...keyFile)
  assert.match(files.stdout, /PAYOUT_REPORTS +status\.xml .* TAKEN/)
  await assert.rejects(
    gateway.cli('bank-channels', 'files', 'no bank', ...keyFile),
    /A channel's code looks like MYBANK/,
  )
  await gateway.cli('ledger', 'check')
})

// What every operation answers

const LOOK = (key: string | undefined): RawRequest => post(key, `${CHANNEL}/!look`)
const REQUESTS: readonly ((key: string | undefined) => RawRequest)[] = [
  (key) => get(key, '/operator/bank-channels'),
  (key) => get(key, `${CHANNEL}/files`),
  LOOK,
  (key) => post(key, '/operator/payout-files/TGNOFILE/!by-hand', { reason: 'no' }),
]

test('GET /operator/bank-channels/{channelCode}/files → 400, POST /operator/bank-channels/{channelCode}/!look → 400, POST /operator/payout-files/{fileId}/!by-hand → 400: what cannot be asked', async () => {
  const requests = [
    get(ada, '/operator/bank-channels/no-bank/files'),
    get(ada, `${CHANNEL}/files?cursor=x`),
    post(ada, '/operator/bank-channels/no-bank/!look'),
    post(ada, '/operator/payout-files/TGNOFILE/!by-hand', { reason: 'two\nlines' }),
  ]
  for (const request of requests) expectError(await send(request), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(post(ada, '/operator/payout-files/TGNOFILE/!by-hand')), 400, 'ATTRIBUTE_REQUIRED')
})

test('GET /operator/bank-channels/{channelCode}/files → 410, POST /operator/bank-channels/{channelCode}/!look → 410, POST /operator/payout-files/{fileId}/!by-hand → 410: there is no such channel or file', async () => {
  const requests = [
    get(ada, '/operator/bank-channels/OTHER/files'),
    post(ada, '/operator/bank-channels/OTHER/!look'),
    post(ada, '/operator/payout-files/TGNOFILE/!by-hand', { reason: 'no' }),
  ]
  for (const request of requests) expectError(await send(request), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/bank-channels → 401, GET /operator/bank-channels/{channelCode}/files → 401, POST /operator/bank-channels/{channelCode}/!look → 401, POST /operator/payout-files/{fileId}/!by-hand → 401: without an operator’s key', async () => {
  for (const requestOf of REQUESTS) {
    const { token: _, ...bare } = requestOf(undefined)
    expectError(await send(bare), 401, 'TOKEN_MISSING')
    expectError(await send(requestOf(token)), 401, 'TOKEN_INVALID')
  }
})

test('GET /operator/bank-channels → 403, GET /operator/bank-channels/{channelCode}/files → 403, POST /operator/bank-channels/{channelCode}/!look → 403, POST /operator/payout-files/{fileId}/!by-hand → 403: no role permits it', async () => {
  for (const requestOf of REQUESTS)
    expectError(await send(requestOf(requestOf === LOOK ? hasty : outsider)), 403, 'OPERATION_NOT_PERMITTED')
  for (const requestOf of REQUESTS.slice(2))
    expectError(await send(requestOf(auditor)), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/bank-channels → 429, GET /operator/bank-channels/{channelCode}/files → 429, POST /operator/bank-channels/{channelCode}/!look → 429, POST /operator/payout-files/{fileId}/!by-hand → 429: an operator who asks faster than a person can', async () => {
  for (const requestOf of REQUESTS)
    expectOneLimited(
      await Promise.all(
        Array.from({ length: 60 }, () => send(requestOf(requestOf === LOOK ? support : hasty))),
      ),
    )
})

test('GET /operator/bank-channels → 500, GET /operator/bank-channels/{channelCode}/files → 500, POST /operator/bank-channels/{channelCode}/!look → 500, POST /operator/payout-files/{fileId}/!by-hand → 500: the database is away', async () => {
  await door.shut()
  for (const requestOf of REQUESTS) expectError(await send(requestOf(ada)), 500, 'SYSTEM')
})
