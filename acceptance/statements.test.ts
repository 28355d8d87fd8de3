import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// What banks say, as operators hand it in, and what they decide: over the operator API, the command line and the folder.

const TIMEOUT_MS = 60_000
const folder = temporaryFolder()
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway(
  { after },
  { databaseUrl: door.url, settings: { TOLLGATE_STATEMENTS_DIR: folder } },
)
const token = await gateway.demo().token('GET /.*', 'POST /payins/.*')
const ada = gateway.operatorKey('ada')
const auditor = (await gateway.cli('operators', 'create', 'olga', '--role', 'AUDITOR')).stdout.trim()
const catalogue = (await gateway.cli('operators', 'create', 'otto', '--role', 'CATALOGUE')).stdout.trim()
const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')] as const

/** A person would wait, too, when told to. */
async function send(request: RawRequest): Promise<RawResponse> {
  let response = await gateway.sendToOperators(request)
  const isAdmitted = async (): Promise<boolean> => {
    if (response.status === 429) response = await gateway.sendToOperators(request)
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: TIMEOUT_MS, what: 'the gateway to take a request' })
  return response
}

let files = 0

/** A day's MT940 of the sandbox's account in EUR: money that came, each with its text. */
function mt940(lines: readonly (readonly [amount: string, text: string])[], closing?: string): string {
  files += 1
  const cents = lines.reduce((sum, [amount]) => sum + Math.round(Number(amount) * 100), 0)
  const [opening, end] = [
    `${files}000,00`,
    closing ?? `${files * 1000 + Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`,
  ]
  return [
    ':20:TEST',
    ':25:99999999/0000000001',
    `:28C:${files}/1`,
    `:60F:C261119EUR${opening}`,
    ...lines.flatMap(([amount, text], index) => [
      `:61:2611201120C${amount.replace('.', ',')}NTRFNONREF//B${files}-${index}`,
      `:86:${text}`,
    ]),
    `:62F:C261120EUR${end}`,
    '-',
    '',
  ].join('\r\n')
}

const takeRequest = (key: string | undefined, text: string, query = ''): RawRequest => ({
  method: 'POST',
  path: `/operator/statements?fileName=day.sta${query}`,
  token: key,
  rawBody: text,
  headers: { 'content-type': 'text/plain' },
})
const filesRequest = (key: string | undefined, query = ''): RawRequest => ({
  method: 'GET',
  path: `/operator/statements${query}`,
  token: key,
})
const linesRequest = (key: string | undefined, query = ''): RawRequest => ({
  method: 'GET',
  path: `/operator/statement-lines${query}`,
  token: key,
})
const lineRequest = (key: string | undefined, lineId: string): RawRequest => ({
  method: 'GET',
  path: `/operator/statement-lines/${lineId}`,
  token: key,
})
const detailsRequest = (key: string | undefined, lineId: string): RawRequest => ({
  method: 'GET',
  path: `/operator/statement-lines/${lineId}/details`,
  token: key,
})
const decideRequest = (key: string | undefined, lineId: string, body: unknown): RawRequest => ({
  method: 'POST',
  path: `/operator/statement-lines/${lineId}/!decide`,
  token: key,
  body,
})

/** A payin that waits to be paid, and the reference that its customer was told. */
async function waitingPayin(amount: string) {
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount })
  return { id, reference: textAt(body, 'paymentMethodResponse', 'reference') }
}

/** Takes one line, and answers its id. */
async function bring(amount: string, text: string): Promise<string> {
  expectSuccess(await send(takeRequest(ada, mt940([[amount, text]]))), 200)
  const { body } = await send(linesRequest(ada, '?limit=1'))
  return textAt(body, 'data', 0, 'lineId')
}

const DECISION = { decision: 'RETURN', reason: 'The customer asked for it.' }

test('POST /operator/statements → 200 a file is taken once, and its money reaches the payin', async () => {
  const { id, reference } = await waitingPayin('12.5')
  const text = mt940([['12.5', `order ${reference}`]])
  const taken = expectSuccess(await send(takeRequest(ada, text)), 200)
  assert.deepEqual(
    [textAt(taken, 'result'), textAt(taken, 'format'), at(taken, 'looked'), at(taken, 'matched')],
    ['TAKEN', 'MT940', 1, 1],
  )
  assert.equal(textAt(taken, 'statements', 0, 'accountCode'), 'SANDBOX_EUR')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const again = expectSuccess(await send(takeRequest(ada, text)), 200)
  assert.deepEqual([textAt(again, 'result'), textAt(again, 'fileId')], ['KNOWN', textAt(taken, 'fileId')])
  const odd = mt940([['1', 'a gift']], '7,00')
  expectError(await send(takeRequest(ada, odd, '&strict=true')), 400, 'BODY_INVALID')
  const [warning] = listAt(expectSuccess(await send(takeRequest(ada, odd)), 200), 'warnings')
  assert.match(String(warning), /does not add up/)
})

test('POST /operator/statements → 200 CSV by the mapping that is given', async () => {
  const mapping = {
    account: 'DE93 9999 9999 0000 0000 01',
    currencyCode: 'EUR',
    columns: { bookedOn: 1, amount: 2, texts: [3] },
  }
  const query = `&mapping=${encodeURIComponent(JSON.stringify({ ...mapping, hasHeader: false }))}`
  const taken = expectSuccess(await send(takeRequest(ada, '2026-11-20,3.00,a gift\n', query)), 200)
  assert.equal(textAt(taken, 'format'), 'CSV')
})

test('POST /operator/statements → 400 what is no statement, does not add up, or is of an account that is none of ours', async () => {
  const right = mt940([['5', 'x']])
  const wrongs = [
    ['hello', /neither XML/],
    [right.replace(':62F:', ':63F:'), /no closing balance/],
    [mt940([['5', 'x']], '9,99'), /does not add up/, '&strict=true'],
    [right.replace('0000000001', '0000000002'), /99999999\/0000000002 in EUR, which is none of ours/],
    [`<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>`, /declares a document type/],
  ] as const
  for (const [text, why, query] of wrongs) {
    const response = await send(takeRequest(ada, text, query))
    expectError(response, 400, 'BODY_INVALID')
    assert.match(textAt(response.body, 'message'), why)
  }
  const asJson = { ...takeRequest(ada, '{}'), headers: { 'content-type': 'application/json' } }
  expectError(await send(asJson), 400, 'BODY_INVALID')
  expectError(await send(takeRequest(ada, right, '&mapping=nothing')), 400, 'BODY_INVALID')
})

test('GET /operator/statements → 200 the files, the newest first, page by page', async () => {
  const first = expectSuccess(await send(filesRequest(auditor, '?limit=1')), 200)
  const cursor = textAt(first, 'nextCursor')
  const second = expectSuccess(await send(filesRequest(auditor, `?limit=1&cursor=${cursor}`)), 200)
  const [newer, older] = [first, second].map((page) => Number(textAt(page, 'data', 0, 'fileId')))
  assert.ok((newer ?? 0) > (older ?? 0))
  assert.equal(textAt(first, 'data', 0, 'takenBy'), 'operator:ada')
})

test('GET /operator/statement-lines → 200 what waits, and what is asked for', async () => {
  const lineId = await bring('7', 'a gift of Jana')
  const waiting = expectSuccess(await send(linesRequest(auditor, '?limit=1')), 200)
  assert.deepEqual(
    ['lineId', 'state', 'direction', 'money', 'openMoney', 'texts'].map((name) =>
      at(waiting, 'data', 0, name),
    ),
    [
      lineId,
      'UNKNOWN',
      'CREDIT',
      { amount: '7', currencyCode: 'EUR' },
      { amount: '7', currencyCode: 'EUR' },
      ['…'],
    ],
  )
  const matched = expectSuccess(await send(linesRequest(auditor, '?states=MATCHED')), 200)
  assert.ok(listAt(matched, 'data').every((line) => at(line, 'state') === 'MATCHED'))
})

test('GET /operator/statement-lines/{lineId} → 200 a line with the payments that it may be for', async () => {
  const { id } = await waitingPayin('23.45')
  const lineId = await bring('23.45', 'no reference at all')
  const line = expectSuccess(await send(lineRequest(auditor, lineId)), 200)
  const suggested = listAt(line, 'suggestions').find((each) => at(each, 'payment', 'idPayment') === id)
  assert.equal(textAt(suggested, 'payment', 'merchantCode'), 'DEMO')
})

test('GET /operator/statement-lines/{lineId}/details → 200 what the payer wrote, for who decides', async () => {
  const lineId = await bring('7', 'a gift of Jana')
  const line = expectSuccess(await send(detailsRequest(ada, lineId)), 200)
  assert.deepEqual([at(line, 'isMasked'), at(line, 'texts')], [false, ['a gift of Jana']])
})

test('POST /operator/statement-lines/{lineId}/!decide → 200 money finds its payin by the word of an operator', async () => {
  const { id } = await waitingPayin('31')
  const lineId = await bring('31', 'no reference')
  const payment = { merchantCode: 'DEMO', kind: 'PAYIN', idPayment: id }
  const body = { decision: 'ACCEPT', reason: 'The customer sent a proof.', payment }
  const decided = expectSuccess(await send(decideRequest(ada, lineId, body)), 200)
  assert.deepEqual([textAt(decided, 'state'), at(decided, 'payment')], ['APPLIED', payment])
  assert.equal(textAt(decided, 'decisions', 0, 'decidedBy'), 'operator:ada')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('POST /operator/statement-lines/{lineId}/!decide → 409 what is decided, or cannot be done', async () => {
  const { reference } = await waitingPayin('31')
  const under = await bring('30', reference)
  const accept = { decision: 'ACCEPT', reason: 'It is close.' }
  expectError(await send(decideRequest(ada, under, accept)), 409, 'STATEMENT_LINE_NOT_OPEN')
  expectSuccess(await send(decideRequest(ada, under, DECISION)), 200)
  expectError(await send(decideRequest(ada, under, DECISION)), 409, 'STATEMENT_LINE_NOT_OPEN')
})

test('POST /operator/statement-lines/{lineId}/!decide → 410 a line or a payment that is not there', async () => {
  expectError(await send(decideRequest(ada, '999999999', DECISION)), 410, 'ENTITY_NOT_FOUND')
  const payment = { merchantCode: 'DEMO', kind: 'PAYIN', idPayment: newId() }
  const lineId = await bring('31', 'no reference')
  const body = { ...DECISION, decision: 'ACCEPT', payment }
  expectError(await send(decideRequest(ada, lineId, body)), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/statement-lines/{lineId} → 410, GET /operator/statement-lines/{lineId}/details → 410 a line that is not there', async () => {
  expectError(await send(lineRequest(ada, '999999999')), 410, 'ENTITY_NOT_FOUND')
  expectError(await send(detailsRequest(ada, '999999999')), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/statements → 400, GET /operator/statement-lines → 400, GET /operator/statement-lines/{lineId} → 400, GET /operator/statement-lines/{lineId}/details → 400, POST /operator/statement-lines/{lineId}/!decide → 400 what no schema allows', async () => {
  const wrongs = [
    filesRequest(ada, '?limit=0'),
    filesRequest(ada, '?cursor=x'),
    linesRequest(ada, '?states=SOLD'),
    linesRequest(ada, '?cursor=x'),
    lineRequest(ada, 'x'),
    detailsRequest(ada, 'x'),
    decideRequest(ada, '1', { ...DECISION, decision: 'KEEP' }),
    decideRequest(ada, '1', { decision: 'RETURN' }),
  ]
  for (const wrong of wrongs) assert.equal((await send(wrong)).status, 400, wrong.path)
})

const EACH = (key: string | undefined): readonly RawRequest[] => [
  takeRequest(key, mt940([['5', 'x']])),
  filesRequest(key),
  linesRequest(key),
  lineRequest(key, '1'),
  detailsRequest(key, '1'),
  decideRequest(key, '1', DECISION),
]

test('POST /operator/statements → 401, GET /operator/statements → 401, GET /operator/statement-lines → 401, GET /operator/statement-lines/{lineId} → 401, GET /operator/statement-lines/{lineId}/details → 401, POST /operator/statement-lines/{lineId}/!decide → 401 without a key', async () => {
  for (const request of EACH(undefined)) expectError(await send(request), 401, 'TOKEN_MISSING')
})

test('POST /operator/statements → 403, GET /operator/statements → 403, GET /operator/statement-lines → 403, GET /operator/statement-lines/{lineId} → 403, GET /operator/statement-lines/{lineId}/details → 403, POST /operator/statement-lines/{lineId}/!decide → 403 without the role', async () => {
  for (const request of EACH(catalogue)) expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
  const [take, , , , details, decide] = EACH(auditor)
  for (const request of [take, details, decide])
    if (request !== undefined) expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
})

/** Commands do not wait as `send` does: they begin when the requests before them count no longer. */
async function untilOperatorHasRoom(): Promise<void> {
  const hasRoom = async (): Promise<boolean> => {
    const { headers } = await gateway.sendToOperators(filesRequest(ada))
    return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? 0) >= 8
  }
  await waitUntil(hasRoom, { timeoutMs: TIMEOUT_MS, what: 'the operator to have room' })
}

test('the command line takes, lists, shows and decides', async () => {
  await untilOperatorHasRoom()
  const file = join(gateway.dataDir, 'cli.sta')
  writeFileSync(file, mt940([['44', 'by the command line']]))
  const taken: unknown = JSON.parse(
    (await gateway.cli('statements', 'import', file, ...keyFile, '--json')).stdout,
  )
  assert.equal(textAt(taken, 'result'), 'TAKEN')
  const lines: unknown = JSON.parse(
    (await gateway.cli('statements', 'list', '--limit', '1', '--json')).stdout,
  )
  const lineId = textAt(lines, 'data', 0, 'lineId')
  assert.doesNotMatch((await gateway.cli('statements', 'show', lineId)).stdout, /by the command line/)
  const shown = await gateway.cli('statements', 'show', lineId, '--full', ...keyFile)
  assert.match(shown.stdout, /by the command line/)
  const { stdout } = await gateway.cli(
    'statements',
    'decide',
    lineId,
    'return',
    '--reason',
    'a mistake',
    ...keyFile,
  )
  assert.match(stdout, /RETURNING[\s\S]*Return under +[0-9A-Z]{12}/)
  assert.match((await gateway.cli('statements', 'list', '--files')).stdout, /cli\.sta/)
  assert.match((await gateway.cli('statements', 'match')).stdout, /^0 of 0 lines matched/)
  const large = join(gateway.dataDir, 'large.sta')
  writeFileSync(large, Buffer.alloc(16 * 1_048_576 + 1))
  await assert.rejects(
    gateway.cli('statements', 'import', large, ...keyFile),
    /large[.]sta has 17 MiB; the limit is 16 MiB/,
  )
})

test('what lies in the folder is taken, and what cannot be taken is put aside with the reason', async () => {
  mkdirSync(folder, { recursive: true })
  const { id, reference } = await waitingPayin('99')
  writeFileSync(join(folder, 'day.sta'), mt940([['99', reference]]))
  writeFileSync(join(folder, 'bad.sta'), mt940([['99', 'x']]).replace(':62F:', ':63F:'))
  const isDone = () =>
    existsSync(join(folder, 'done', 'day.sta')) && existsSync(join(folder, 'failed', 'bad.sta'))
  await waitUntil(isDone, { timeoutMs: TIMEOUT_MS, what: 'the files to be moved' })
  assert.match(readFileSync(join(folder, 'failed', 'bad.sta.error.txt'), 'utf8'), /no closing balance/)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('the books agree', async () => {
  const { stdout } = await gateway.cli('ledger', 'check', '--json')
  assert.deepEqual(listAt(JSON.parse(stdout), 'findings'), [])
})

test('POST /operator/statements → 429, GET /operator/statements → 429, GET /operator/statement-lines → 429, GET /operator/statement-lines/{lineId} → 429, GET /operator/statement-lines/{lineId}/details → 429, POST /operator/statement-lines/{lineId}/!decide → 429 faster than a person can', async () => {
  for (const [index] of EACH(ada).entries()) {
    const requests = Array.from({ length: 60 }, () => EACH(ada)[index] ?? filesRequest(ada))
    expectOneLimited(await Promise.all(requests.map((request) => gateway.sendToOperators(request))))
  }
})

test('POST /operator/statements → 500, GET /operator/statements → 500, GET /operator/statement-lines → 500, GET /operator/statement-lines/{lineId} → 500, GET /operator/statement-lines/{lineId}/details → 500, POST /operator/statement-lines/{lineId}/!decide → 500 the database is away', async () => {
  const grace = gateway.operatorKey('grace')
  await door.shut()
  for (const request of EACH(grace)) expectError(await send(request), 500, 'SYSTEM')
  await door.open()
})
