import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { whileNothingIsNoted } from './security/support/unnoted.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess, violatedFields } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { statusReport } from './support/pain002.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Payouts that leave in files, over the operator API and by the command line, and what banks report about them.

const CHANGE_TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const own = temporaryFolder()
const folder = join(own, 'bank')
const gateway = await startGateway(
  { after },
  { databaseUrl: door.url, settings: { TOLLGATE_PAYOUT_FILES_DIR: folder } },
)
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const ada = gateway.operatorKey('ada')
const auditor = await addOperator('olga', 'AUDITOR')
const hasty = await addOperator('otto', 'FINANCE')
const outsider = await addOperator('cato', 'CATALOGUE')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

after(() => rmSync(own, { recursive: true, force: true }))

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]

const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const post = (key: string | undefined, path: string, body: unknown = {}): RawRequest => ({
  method: 'POST',
  path,
  token: key,
  body,
})

const take = (key: string | undefined, content: string): RawRequest => ({
  method: 'POST',
  path: '/operator/payout-reports?fileName=status.xml',
  token: key,
  rawBody: content,
  headers: { 'content-type': 'application/xml' },
})

/** A payout that waits for a file; its id and the reference that travels with the money. */
async function waiting() {
  const id = newId()
  const { body } = await createPayout(gateway, token, { id, email: BY_FILE })
  return { id, reference: textAt(body, 'paymentMethodResponse', 'reference') }
}

/** The one file that a run makes. */
async function fileOf(): Promise<string> {
  const run = expectSuccess(await send(post(ada, '/operator/payout-files', { currencyCode: 'EUR' })), 200)
  assert.equal(listAt(run, 'files').length, 1)
  return textAt(run, 'files', 0, 'fileId')
}

/** A payout in a file. */
async function filed() {
  const payout = await waiting()
  return { ...payout, fileId: await fileOf() }
}

test('POST /operator/payout-files → 200 what waits is in one file, and in no other one', async () => {
  const { id } = await waiting()
  const run = expectSuccess(await send(post(ada, '/operator/payout-files', {})), 200)
  assert.deepEqual(listAt(run, 'leftOut'), [])
  const [file, ...others] = listAt(run, 'files')
  assert.equal(others.length, 0)
  assert.deepEqual(
    ['accountCode', 'format', 'paymentCount', 'controlSum', 'createdBy', 'folder'].map((name) =>
      at(file, name),
    ),
    ['SANDBOX_EUR', 'pain.001.001.09', 1, { amount: '10', currencyCode: 'EUR' }, 'operator:ada', 'LAID'],
  )
  await payoutWithStatus(gateway, token, { id, status: 'SUBMITTED' })
  const again = expectSuccess(await send(post(ada, '/operator/payout-files', {})), 200)
  assert.deepEqual(again, { files: [], leftOut: [] })
})

test('GET /operator/payout-files/{fileId} → 200 what is in it, without names and accounts', async () => {
  const { id, reference, fileId } = await filed()
  const response = await send(get(auditor, `/operator/payout-files/${fileId}`))
  const [payment] = listAt(expectSuccess(response, 200), 'payments')
  assert.deepEqual(payment, {
    position: 1,
    merchantCode: 'DEMO',
    kind: 'PAYOUT',
    idPayment: id,
    reference,
    money: { amount: '10', currencyCode: 'EUR' },
  })
  assert.doesNotMatch(response.text, /DE8937|Lovelace/)
})

test('GET /operator/payout-files/{fileId}/content → 200 the bytes, which are those in the folder', async () => {
  const { reference, fileId } = await filed()
  const body = expectSuccess(await send(get(ada, `/operator/payout-files/${fileId}/content`)), 200)
  const bytes = Buffer.from(textAt(body, 'contentBase64'), 'base64')
  assert.ok(bytes.equals(readFileSync(join(folder, `${fileId}.xml`))))
  const text = bytes.toString('utf8')
  assert.match(text, new RegExp(`<EndToEndId>${reference}</EndToEndId>`))
  assert.match(text, /<IBAN>DE89370400440532013000<\/IBAN>/)
  assert.match(text, /<Nm>Ada Lovelace<\/Nm>/)
})

test('GET /operator/payout-files → 200 the newest first, page by page', async () => {
  const older = (await filed()).fileId
  const newer = (await filed()).fileId
  const first = expectSuccess(await send(get(auditor, '/operator/payout-files?limit=1')), 200)
  assert.equal(textAt(first, 'data', 0, 'fileId'), newer)
  const cursor = textAt(first, 'nextCursor')
  const second = await send(get(auditor, `/operator/payout-files?limit=1&cursor=${cursor}`))
  assert.equal(textAt(expectSuccess(second, 200), 'data', 0, 'fileId'), older)
})

test('POST /operator/payout-files/{fileId}/!submitted → 200 it is noted, and changes no payment', async () => {
  const { id, fileId } = await filed()
  const body = expectSuccess(await send(post(ada, `/operator/payout-files/${fileId}/!submitted`)), 200)
  const submittedAt = textAt(body, 'submittedAt')
  const again = expectSuccess(await send(post(ada, `/operator/payout-files/${fileId}/!submitted`)), 200)
  assert.equal(textAt(again, 'submittedAt'), submittedAt)
  await payoutWithStatus(gateway, token, { id, status: 'SUBMITTED' })
})

test('POST /operator/payout-reports → 200 what the bank says becomes so, and is taken once', async () => {
  const paid = await waiting()
  const refused = await waiting()
  const pending = await waiting()
  const fileId = await fileOf()
  const content = statusReport(fileId, [
    [paid.reference, 'ACSC'],
    [refused.reference, 'RJCT', 'AC04'],
    [pending.reference, 'PDNG'],
    ['NOBODYSREF12', 'ACSC'],
  ])
  const request = take(ada, content)
  const body = expectSuccess(await send(request), 200)
  assert.deepEqual([at(body, 'isNew'), at(body, 'fileId')], [true, fileId])
  assert.deepEqual(at(body, 'counts'), { APPLIED: 2, NO_OUTCOME: 1, ASIDE: 1 })
  await payoutWithStatus(gateway, token, { id: paid.id, status: 'SUCCESS' })
  const failed = await payoutWithStatus(gateway, token, { id: refused.id, status: 'FAILED' })
  assert.equal(at(failed, 'process', 'failureReasons', 'failureReasonCode'), 'ACCOUNT_CLOSED')
  await payoutWithStatus(gateway, token, { id: pending.id, status: 'SUBMITTED' })
  const again = expectSuccess(await send(request), 200)
  assert.deepEqual([at(again, 'isNew'), at(again, 'reportId')], [false, at(body, 'reportId')])
})

/** A report about no file of ours; its id. */
async function strange(): Promise<string> {
  const content = statusReport(`TG${newId().slice(0, 8).toUpperCase()}`, [['R1', 'ACSC']])
  const body = expectSuccess(await send(take(ada, content)), 200)
  return textAt(body, 'reportId')
}

test('GET /operator/payout-reports/{reportId} → 200 what was put aside, and why', async () => {
  const body = expectSuccess(await send(get(auditor, `/operator/payout-reports/${await strange()}`)), 200)
  const [entry] = listAt(body, 'entries')
  assert.deepEqual([at(entry, 'outcome'), at(entry, 'reference')], ['ASIDE', 'R1'])
  assert.match(textAt(entry, 'why'), /There is no file TG/)
})

test('D49 GET /operator/payout-reports/{reportId}/content → 200 the bytes of what was put aside, whole, for those who may; who has read them is noted', async () => {
  const content = Buffer.from(
    `\ufeff${statusReport(`TG${newId().slice(0, 8).toUpperCase()}`, [['R1', 'ACSC']])}`,
    'utf16le',
  )
  const taken = expectSuccess(await send({ ...take(ada, ''), rawBody: content }), 200)
  const reportId = textAt(taken, 'reportId')
  const path = `/operator/payout-reports/${reportId}/content`
  expectError(await send(get(auditor, path)), 403, 'OPERATION_NOT_PERMITTED')
  await whileNothingIsNoted(door.url, async () => {
    expectError(await send(get(ada, path)), 500, 'SYSTEM')
  })
  const body = expectSuccess(await send(get(ada, path)), 200)
  assert.deepEqual(Buffer.from(textAt(body, 'contentBase64'), 'base64'), content)
  assert.deepEqual(
    [at(body, 'name'), at(body, 'sha256')],
    ['status.xml', createHash('sha256').update(content).digest('hex')],
  )
  const looks = listAt(expectSuccess(await send(get(auditor, '/operator/unmaskings')), 200), 'data')
  const noted = looks.filter((look) => at(look, 'subject') === 'PAYOUT_REPORT')
  assert.deepEqual(
    noted.map((look) => [at(look, 'operatorCode'), at(look, 'reportId')]),
    [['ada', reportId]],
  )
  const out = join(own, 'report.xml')
  await gateway.cli('payout-files', 'fetch-report', reportId, '--out', out)
  assert.deepEqual(readFileSync(out), content)
})

test('GET /operator/payout-reports → 200 all, or those of which something was put aside', async () => {
  const older = await strange()
  const newer = await strange()
  const first = expectSuccess(await send(get(auditor, '/operator/payout-reports?aside=true&limit=1')), 200)
  assert.equal(textAt(first, 'data', 0, 'reportId'), newer)
  const { body } = await send(
    get(auditor, `/operator/payout-reports?limit=1&cursor=${textAt(first, 'nextCursor')}`),
  )
  assert.equal(textAt(body, 'data', 0, 'reportId'), older)
})

test('by the command line: collected, listed, shown, fetched, noted, and a report taken', async () => {
  const { id, reference } = await waiting()
  const made = await gateway.cli('payout-files', 'create', '--currency', 'eur', ...keyFile)
  const [, fileId = ''] = /(TG[A-Z0-9]{16}) +SANDBOX_EUR +1 +10 EUR/.exec(made.stdout) ?? []
  assert.match((await gateway.cli('payout-files', 'list', '--limit', '1')).stdout, new RegExp(fileId))
  assert.match((await gateway.cli('payout-files', 'show', fileId)).stdout, new RegExp(`${id} +${reference}`))
  const out = join(own, 'file.xml')
  await gateway.cli('payout-files', 'fetch', fileId, '--out', out, ...keyFile)
  const shown = await gateway.cli('payout-files', 'fetch', fileId, ...keyFile)
  assert.equal(readFileSync(out, 'utf8').trimEnd(), shown.stdout.trimEnd())
  assert.match((await gateway.cli('payout-files', 'submitted', fileId, ...keyFile)).stdout, /The bank has/)
  const report = join(own, 'status.xml')
  writeFileSync(report, statusReport(fileId, [[reference, 'ACSC']]))
  const taken = await gateway.cli('payout-files', 'report', report, ...keyFile)
  assert.match(taken.stdout, /APPLIED 1/)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.match((await gateway.cli('payout-files', 'reports')).stdout, new RegExp(`status[.]xml +${fileId}`))
  const [, reportId = ''] = /Report +(\d+)/.exec(taken.stdout) ?? []
  assert.match((await gateway.cli('payout-files', 'show-report', reportId)).stdout, /ACSC \(SETTLED\)/)
  const bytes = await gateway.cli('payout-files', 'fetch-report', reportId)
  assert.equal(bytes.stdout, readFileSync(report, 'utf8'))
})

test('the command line prints what the API answers, and names the bank’s file that is refused', async () => {
  const { stdout } = await gateway.cli('payout-files', 'reports', '--limit', '1', '--json')
  const { body } = await send(get(auditor, '/operator/payout-reports?limit=1'))
  assert.deepEqual(listAt(JSON.parse(stdout), 'data'), listAt(body, 'data'))
  const wrong = join(own, 'wrong.xml')
  writeFileSync(wrong, '<a/>')
  await assert.rejects(
    gateway.cli('payout-files', 'report', wrong, ...keyFile),
    /wrong[.]xml: .* \(BODY_INVALID\)/,
  )
  const reportId = textAt(body, 'data', 0, 'reportId')
  await assert.rejects(
    gateway.cli('payout-files', 'fetch-report', reportId, '--out', wrong),
    /wrong[.]xml cannot be written: it exists already/,
  )
  await assert.rejects(
    gateway.cli('payout-files', 'fetch-report', reportId, '--out', join(own, 'nowhere', 'report.xml')),
    /its folder does not exist/,
  )
})

test('a method whose payouts go at once, and an account whose bank takes that: a file of instant transfers', async () => {
  const [catalogue, key] = [join(own, 'instant.yaml'), join(own, 'cato.key')]
  const method = 'code: BANK_TRANSFER, name: Bank transfer, flow: INSTRUCTIONS, rail: sandbox'
  writeFileSync(catalogue, `methods:\n  - { ${method}, expiresAfterSeconds: 259200, payoutSpeed: INSTANT }\n`)
  writeFileSync(key, outsider, { mode: 0o600 })
  await gateway.cli('catalogue', 'apply', catalogue, '--operator-key-file', key)
  const alan = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-alan.key')]
  const set = await gateway.cli('accounts', 'set', 'SANDBOX_EUR', '--instant-max', '9.99', ...alan)
  assert.match(set.stdout, /9\.99/)
  assert.equal((await speedOf(await filed())).speed, 'NORMAL', 'more than the bank moves at once')
  await gateway.cli('accounts', 'set', 'SANDBOX_EUR', '--instant-max', '10', ...alan)
  const instant = await filed()
  const { speed, xml } = await speedOf(instant)
  assert.equal(speed, 'INSTANT')
  assert.match(xml, /<LclInstrm><Cd>INST<\/Cd><\/LclInstrm>/)
  const shown = await gateway.cli('payout-files', 'show', instant.fileId, ...keyFile)
  assert.match(shown.stdout, /Speed +INSTANT/)
  await gateway.cli('accounts', 'set', 'SANDBOX_EUR', '--instant-max', '0', ...alan)
  assert.equal((await speedOf(await filed())).speed, 'NORMAL')
})

async function speedOf({ fileId }: { readonly fileId: string }) {
  const file = expectSuccess(await send(get(ada, `/operator/payout-files/${fileId}`)), 200)
  const content = expectSuccess(await send(get(ada, `/operator/payout-files/${fileId}/content`)), 200)
  const xml = Buffer.from(textAt(content, 'contentBase64'), 'base64').toString('utf8')
  return { speed: textAt(file, 'speed'), xml }
}

test('after all this the books agree', async () => {
  await gateway.cli('ledger', 'check')
})

// What every operation answers

const FILE = '/operator/payout-files/TGNOFILE'
const REQUESTS: readonly ((key: string | undefined) => RawRequest)[] = [
  (key) => get(key, '/operator/payout-files'),
  (key) => post(key, '/operator/payout-files', { currencyCode: 'XXX' }),
  (key) => get(key, FILE),
  (key) => get(key, `${FILE}/content`),
  (key) => post(key, `${FILE}/!submitted`),
  (key) => get(key, '/operator/payout-reports'),
  (key) => take(key, '<a/>'),
  (key) => get(key, '/operator/payout-reports/999999'),
  (key) => get(key, '/operator/payout-reports/999999/content'),
]

test('GET /operator/payout-files → 400, GET /operator/payout-reports → 400: a cursor or limit that cannot be', async () => {
  for (const list of ['payout-files', 'payout-reports'])
    for (const query of ['cursor=x', 'limit=0', 'limit=101'])
      expectError(await send(get(auditor, `/operator/${list}?${query}`)), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(get(auditor, '/operator/payout-reports?aside=no')), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /operator/payout-files/{fileId} → 400, GET /operator/payout-files/{fileId}/content → 400, POST /operator/payout-files/{fileId}/!submitted → 400, GET /operator/payout-reports/{reportId} → 400, GET /operator/payout-reports/{reportId}/content → 400: no id looks like that', async () => {
  const requests = [
    get(ada, '/operator/payout-files/a.b'),
    get(ada, '/operator/payout-files/a.b/content'),
    post(ada, '/operator/payout-files/a.b/!submitted'),
    get(ada, '/operator/payout-reports/0'),
    get(ada, '/operator/payout-reports/0/content'),
  ]
  for (const request of requests) expectError(await send(request), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /operator/payout-files → 400, POST /operator/payout-reports → 400: a currency or a report that is none', async () => {
  const currency = await send(post(hasty, '/operator/payout-files', { currencyCode: 'e' }))
  expectError(currency, 400, 'ATTRIBUTE_VALUE_INVALID')
  const nameless = await send({ ...take(hasty, '<a/>'), path: '/operator/payout-reports' })
  expectError(nameless, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(nameless), ['fileName'])
  const asJson = await send(post(hasty, '/operator/payout-reports?fileName=a', { content: '<a/>' }))
  expectError(asJson, 400, 'BODY_INVALID')
  for (const content of ['hello', '<a/>', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'])
    expectError(await send(take(hasty, content)), 400, 'BODY_INVALID')
})

test('GET /operator/payout-files → 401, POST /operator/payout-files → 401, GET /operator/payout-files/{fileId} → 401, GET /operator/payout-files/{fileId}/content → 401, POST /operator/payout-files/{fileId}/!submitted → 401, GET /operator/payout-reports → 401, POST /operator/payout-reports → 401, GET /operator/payout-reports/{reportId} → 401, GET /operator/payout-reports/{reportId}/content → 401: without an operator’s key', async () => {
  for (const requestOf of REQUESTS) {
    const { token: _, ...bare } = requestOf(undefined)
    expectError(await send(bare), 401, 'TOKEN_MISSING')
    expectError(await send(requestOf(token)), 401, 'TOKEN_INVALID')
  }
})

test('GET /operator/payout-files → 403, POST /operator/payout-files → 403, GET /operator/payout-files/{fileId} → 403, GET /operator/payout-files/{fileId}/content → 403, POST /operator/payout-files/{fileId}/!submitted → 403, GET /operator/payout-reports → 403, POST /operator/payout-reports → 403, GET /operator/payout-reports/{reportId} → 403, GET /operator/payout-reports/{reportId}/content → 403: no role permits it', async () => {
  for (const requestOf of REQUESTS)
    expectError(await send(requestOf(outsider)), 403, 'OPERATION_NOT_PERMITTED')
})

test('who may look may neither make files, nor fetch what is in them, nor hand in reports', async () => {
  const denied = REQUESTS.map((requestOf) => requestOf(auditor)).filter(
    ({ method, path }) => method === 'POST' || path.endsWith('/content'),
  )
  assert.equal(denied.length, 5)
  for (const request of denied) expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
})

test('POST /operator/payout-files → 410, GET /operator/payout-files/{fileId} → 410, GET /operator/payout-files/{fileId}/content → 410, POST /operator/payout-files/{fileId}/!submitted → 410, GET /operator/payout-reports/{reportId} → 410, GET /operator/payout-reports/{reportId}/content → 410: there is no such account, file or report', async () => {
  const missing = REQUESTS.map((requestOf) => requestOf(ada)).filter(
    ({ method, path }) =>
      path.startsWith(FILE) ||
      path.includes('999999') ||
      (method === 'POST' && path.endsWith('payout-files')),
  )
  assert.equal(missing.length, 6)
  for (const request of missing) expectError(await send(request), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/payout-files → 429, POST /operator/payout-files → 429, GET /operator/payout-files/{fileId} → 429, GET /operator/payout-files/{fileId}/content → 429, POST /operator/payout-files/{fileId}/!submitted → 429, GET /operator/payout-reports → 429, POST /operator/payout-reports → 429, GET /operator/payout-reports/{reportId} → 429, GET /operator/payout-reports/{reportId}/content → 429: an operator who asks faster than a person can', async () => {
  for (const requestOf of REQUESTS) {
    expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => send(requestOf(hasty)))))
  }
})

test('GET /operator/payout-files → 500, POST /operator/payout-files → 500, GET /operator/payout-files/{fileId} → 500, GET /operator/payout-files/{fileId}/content → 500, POST /operator/payout-files/{fileId}/!submitted → 500, GET /operator/payout-reports → 500, POST /operator/payout-reports → 500, GET /operator/payout-reports/{reportId} → 500, GET /operator/payout-reports/{reportId}/content → 500: the database is away', async () => {
  await door.shut()
  for (const requestOf of REQUESTS) {
    const request = requestOf(ada)
    const isReport = request.method === 'POST' && request.path.startsWith('/operator/payout-reports')
    const asked = isReport ? take(ada, statusReport('TGX', [['R1', 'ACSC']])) : request
    expectError(await send(asked), 500, 'SYSTEM')
  }
})

test('once the database is back, operators go on', async () => {
  await door.open()
  const isBack = async (): Promise<boolean> => (await send(get(ada, '/operator/payout-files'))).status === 200
  await waitUntil(isBack, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the gateway to go on' })
})
