import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { whileNothingIsNoted } from './security/support/unnoted.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { mt940 } from './support/mt940.ts'
import { statusReport } from './support/pain002.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Watched folders for statements and status reports: what is taken, what waits, and what cannot be taken.

const TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'
const LIST = '/operator/failed-documents'

const own = temporaryFolder()
const [statements, reports, channel] = ['statements', 'reports', 'channel'].map((name) => join(own, name))
assert.ok(statements !== undefined && reports !== undefined && channel !== undefined)
for (const folder of [statements, reports, channel]) mkdirSync(folder, { recursive: true })
const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const masterKey = join(own, 'master.key')
mkdirSync(own, { recursive: true })
writeFileSync(masterKey, randomBytes(32).toString('base64'), { mode: 0o600 })
/** Of two gateways on one database. */
const settings = { TOLLGATE_SECOND_PERSON: 'on', TOLLGATE_MASTER_KEY_FILE: masterKey }
const gateway = await startGateway(
  { after },
  {
    databaseUrl: door.url,
    settings: {
      ...settings,
      TOLLGATE_STATEMENTS_DIR: statements,
      TOLLGATE_PAYOUT_REPORTS_DIR: reports,
    },
  },
)
after(() => rmSync(own, { recursive: true, force: true }))
const token = await gateway.demo().token('GET /payins/.*', 'POST /payins/.*', ...PAYOUT_OPERATIONS)
const fina = await addOperator('fina', 'FINANCE')
const appa = await addOperator('appa', 'APPROVER')
const auditor = await addOperator('olga', 'AUDITOR')
const catalogue = await addOperator('cato', 'CATALOGUE')

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

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

const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const post = (key: string, path: string, body: unknown = {}): RawRequest => ({
  method: 'POST',
  path,
  token: key,
  body,
})
const contentPath = (documentId: string): string => `${LIST}/${documentId}/content`

/** Lays a file into a folder and waits until it lies in one of the other two. */
async function lay(folder: string, name: string, content: string | Buffer, becomes: 'done' | 'failed') {
  writeFileSync(join(folder, name), content)
  await waitUntil(() => existsSync(join(folder, becomes, name)), { timeoutMs: TIMEOUT_MS, what: name })
}

/** What is listed of a file. */
async function listed(name: string): Promise<unknown> {
  const { data } = { data: listAt(expectSuccess(await send(get(auditor, LIST)), 200), 'data') }
  const found = data.filter((each) => at(each, 'fileName') === name)
  assert.equal(found.length, 1, name)
  return found[0]
}

/** A payout in a file; its id, its reference and the id of the file. */
async function filed() {
  const id = newId()
  const { body } = await createPayout(gateway, token, { id, email: BY_FILE })
  const run = expectSuccess(await send(post(fina, '/operator/payout-files', { currencyCode: 'EUR' })), 200)
  return {
    id,
    reference: textAt(body, 'paymentMethodResponse', 'reference'),
    fileId: textAt(run, 'files', 0, 'fileId'),
  }
}

const BAD = mt940([['7', 'x']]).replace(/:61:.*/, ':61:ADA LOVELACE, DE89370400440532013000')

test('D50 GET /operator/failed-documents → 200 a file that cannot be taken is kept whole and listed with the reason; words of the file are masked', async () => {
  const content = Buffer.from(BAD, 'latin1')
  await lay(statements, 'bad.sta', content, 'failed')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const { documentId: _, putAsideAt: __, reason, ...facts } = Object(await listed('bad.sta'))
  assert.deepEqual(facts, {
    channel: 'STATEMENTS',
    fileName: 'bad.sta',
    sha256,
    byteCount: content.length,
    isStored: true,
  })
  assert.match(String(reason), /^line \d+: "…" is no booking/)
  assert.match(readFileSync(join(statements, 'failed', 'bad.sta.error.txt'), 'utf8'), /LOVELACE/)
  await lay(reports, 'bad.xml', '<Document>', 'failed')
  const query = `${LIST}?channel=PAYOUT_REPORTS&limit=1`
  const found = listAt(expectSuccess(await send(get(auditor, query)), 200), 'data')
  assert.deepEqual(
    found.map((each) => at(each, 'fileName')),
    ['bad.xml'],
  )
  // Put back unchanged, it is refused for the same reason: it is listed once.
  writeFileSync(join(statements, 'bad.sta'), content)
  const again = join(statements, 'failed', 'bad.sta.2')
  await waitUntil(() => existsSync(again), { timeoutMs: TIMEOUT_MS, what: again })
  await listed('bad.sta')
  const shown = await gateway.cli('statements', 'failed')
  assert.match(shown.stdout, /bad\.sta .*is no booking/)
  assert.doesNotMatch(shown.stdout, /LOVELACE|bad\.xml/)
  assert.match((await gateway.cli('payout-files', 'failed')).stdout, /bad\.xml/)
})

test('D51 GET /operator/failed-documents/{documentId}/content → 200 the bytes, whole, for those who may; who has read them is noted', async () => {
  const documentId = textAt(await listed('bad.sta'), 'documentId')
  expectError(await send(get(auditor, contentPath(documentId))), 403, 'OPERATION_NOT_PERMITTED')
  await whileNothingIsNoted(door.url, async () => {
    expectError(await send(get(fina, contentPath(documentId))), 500, 'SYSTEM')
  })
  const body = expectSuccess(await send(get(fina, contentPath(documentId))), 200)
  assert.equal(Buffer.from(textAt(body, 'contentBase64'), 'base64').toString('latin1'), BAD)
  assert.match(textAt(body, 'reason'), /LOVELACE/)
  const looks = listAt(expectSuccess(await send(get(auditor, '/operator/unmaskings')), 200), 'data')
  assert.deepEqual(
    looks.map((look) => ['operatorCode', 'subject', 'documentId'].map((name) => at(look, name))),
    [['fina', 'FAILED_DOCUMENT', documentId]],
  )
  const keyFile = join(own, 'appa.key')
  writeFileSync(keyFile, appa, { mode: 0o600 })
  const out = join(own, 'bad.sta')
  await gateway.cli('statements', 'fetch-failed', documentId, '--out', out, '--operator-key-file', keyFile)
  assert.deepEqual(readFileSync(out), Buffer.from(BAD, 'latin1'))
  const [kept] = await runSql(
    door.url,
    `select position('LOVELACE'::bytea in sealed) as place from failed_documents`,
  )
  assert.equal(kept?.['place'], 0)
})

test('D52: a status report that somebody puts into the watched folder waits for an operator, and moves no payout before', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  const { id, reference, fileId } = await filed()
  await lay(reports, 'planted.xml', statusReport(fileId, [[reference, 'RJCT', 'AC04']]), 'done')
  const item = at(expectSuccess(await send(get(appa, '/operator/confirmations?limit=1')), 200), 'data', 0)
  assert.deepEqual(
    ['title', 'kind', 'proposedBy'].map((name) => at(item, name)),
    ['planted.xml', 'PAYOUT_REPORT', 'folder'],
  )
  await payoutWithStatus(gateway, token, { id, status: 'SUBMITTED' })
  const confirmationId = textAt(item, 'confirmationId')
  const digest = textAt(item, 'digest')
  const path = `/operator/confirmations/${confirmationId}/!confirm`
  expectSuccess(await send(post(appa, path, { digest })), 200)
  await payoutWithStatus(gateway, token, { id, status: 'FAILED' })
  const [proof] = await runSql(
    door.url,
    `select evidence_class, operators from payment_timeline where id_payment = '${id}' and status = 'FAILED'`,
  )
  assert.deepEqual(proof, { evidence_class: 'BANK_UPLOAD', operators: ['appa'] })
})

test('a folder into which only a bank’s channel writes needs no second person, and the same report is taken once', async () => {
  const { id, reference, fileId } = await filed()
  await startGateway(
    { after },
    {
      databaseUrl: door.url,
      settings: {
        ...settings,
        TOLLGATE_PAYOUT_REPORTS_DIR: channel,
        TOLLGATE_PAYOUT_REPORTS_DIR_IS_CHANNEL: 'true',
      },
    },
  )
  const content = statusReport(fileId, [[reference, 'ACSC']])
  await lay(channel, 'status.xml', content, 'done')
  const isPaid = async () =>
    (await runSql(door.url, `select 1 from payments where id_payment = '${id}' and status = 'SUCCESS'`))
      .length === 1
  await waitUntil(isPaid, { timeoutMs: TIMEOUT_MS, what: 'the payout to be paid' })
  await lay(channel, 'again.xml', content, 'done')
  const taken = listAt(expectSuccess(await send(get(auditor, '/operator/payout-reports')), 200), 'data')
  assert.deepEqual(
    taken.filter((each) => at(each, 'fileId') === fileId).map((each) => at(each, 'actor')),
    ['folder'],
  )
  const { stdout } = await gateway.cli('ledger', 'check', '--json')
  assert.deepEqual(listAt(JSON.parse(stdout), 'findings'), [])
})

test('GET /operator/failed-documents → 400, GET /operator/failed-documents/{documentId}/content → 400, GET /operator/failed-documents/{documentId}/content → 410 what is not asked rightly, and what is not there', async () => {
  expectError(await send(get(fina, `${LIST}?channel=MAIL`)), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(get(fina, `${LIST}?cursor=eA`)), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(get(fina, contentPath('x'))), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await send(get(fina, contentPath('999999'))), 410, 'ENTITY_NOT_FOUND')
  await lay(statements, 'empty.sta', '', 'failed')
  const empty = await listed('empty.sta')
  assert.deepEqual([at(empty, 'byteCount'), at(empty, 'isStored')], [0, false])
  const refused = await send(get(fina, contentPath(textAt(empty, 'documentId'))))
  expectError(refused, 410, 'ENTITY_NOT_FOUND')
})

const EACH = (key: string | undefined): readonly RawRequest[] => [
  get(key, LIST),
  get(key, contentPath('999999')),
]

test('GET /operator/failed-documents → 401, GET /operator/failed-documents/{documentId}/content → 401, GET /operator/failed-documents → 403, GET /operator/failed-documents/{documentId}/content → 403 without a key or the role', async () => {
  for (const request of EACH(undefined)) expectError(await send(request), 401, 'TOKEN_MISSING')
  for (const request of EACH(catalogue)) expectError(await send(request), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/failed-documents → 429, GET /operator/failed-documents/{documentId}/content → 429 faster than a person can', async () => {
  for (const request of EACH(auditor)) {
    const requests = Array.from({ length: 60 }, () => gateway.sendToOperators(request))
    expectOneLimited(await Promise.all(requests))
  }
})

test('GET /operator/failed-documents → 500, GET /operator/failed-documents/{documentId}/content → 500 the database is away', async () => {
  await door.shut()
  for (const request of EACH(appa)) expectError(await send(request), 500, 'SYSTEM')
  await door.open()
})
