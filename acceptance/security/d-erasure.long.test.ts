import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest } from '@tollgate/sdk'
import { callbackReceiver, testDatabase, waitUntil } from '@tollgate/testkit'
import { camtStatement } from '../support/camt.ts'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS } from '../support/merchant.ts'
import { statusReport } from '../support/pain002.ts'
import { newId, payinBody } from '../support/payins.ts'
import { PAYOUT_OPERATIONS, payoutBody, payoutWithStatus } from '../support/payouts.ts'
import { filesThatHold, tablesThatHold } from '../support/remains.ts'
import { fundBalance } from '../support/topups.ts'

// A person pays, is paid out by a file, is named by a statement and a report, and is erased. What is left is looked at by
// somebody who has the database, the data directory and the master key.

const PERSON = {
  name: 'Zdeňka Vohralíková',
  emailAddress: 'zdenka.vohralikova@example.org',
  phone: '+420 737 040 404',
  account: 'DE02120300000000202051',
  street: 'Kaprova 1404/7',
}
/** As banks write it. */
const NAME_IN_LETTERS_OF_BANKS = 'Zdenka Vohralikova'
const SOUGHT = [
  ...Object.values(PERSON),
  NAME_IN_LETTERS_OF_BANKS,
  'Vohral',
  '737 040 404'.replaceAll(' ', ''),
]
const ID_CUSTOMER = 'C-4711'
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'
const TIMEOUT_MS = 60_000

const { url: databaseUrl } = await testDatabase({ after })
const elsewhere = temporaryFolder()
after(() => rmSync(elsewhere, { recursive: true, force: true }))
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: {
      TOLLGATE_SECOND_PERSON: 'on',
      TOLLGATE_LOG_LEVEL: 'debug',
      TOLLGATE_CALLBACK_INTERVAL_SECONDS: '1',
    },
  },
)
const masterKey = join(gateway.dataDir, 'master.key')
// Answers of a merchant's receiver that did not take a callback are kept, and may repeat what it knows.
let isDown = false
const receiver = await callbackReceiver(
  { after },
  {
    answer: (_, n) => ({
      kind: 'reply',
      status: n <= 2 || isDown ? 500 : 200,
      body: `thank you, ${PERSON.name}`,
    }),
  },
)
const token = await gateway
  .demo()
  .token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS, 'POST /customers/.*', 'GET /customers/.*')
const [ada, grace] = [gateway.operatorKey('ada'), gateway.operatorKey('grace')]

const post = (path: string, body: unknown): RawRequest => ({ method: 'POST', path, token, body })
async function operate(
  key: string,
  path: string,
  { status = 200, ...sent }: Partial<RawRequest> & { readonly status?: 200 | 202 } = {},
): Promise<unknown> {
  const request = { method: 'POST', path, token: key, body: {}, ...sent } as const
  return expectSuccess(await gateway.sendToOperators(request), status)
}

/** One operator hands a document in, and another one confirms it. */
async function handIn(path: string, document: Partial<RawRequest>): Promise<void> {
  const taken = await operate(ada, path, { status: 202, ...document })
  const [id, digest] = ['confirmationId', 'digest'].map((name) => textAt(taken, 'waiting', name))
  await operate(grace, `/operator/confirmations/${id}/!confirm`, { body: { digest } })
}

async function payIn(): Promise<string> {
  const id = newId()
  const body = {
    ...payinBody({
      email: PERSON.emailAddress,
      account: { accountName: PERSON.name, accountNumber: PERSON.account },
      callbackUrl: receiver.url,
    }),
    customer: { idCustomer: ID_CUSTOMER },
  }
  const created = expectSuccess(await gateway.send(post(`/payins/${id}`, body)), 201)
  const reference = textAt(created, 'paymentMethodResponse', 'reference')
  const credit = {
    amount: '149.9',
    reference: `${reference} ${PERSON.street} ${PERSON.emailAddress}`,
    payerName: PERSON.name,
    payerIban: PERSON.account,
  }
  await handIn('/operator/statements?fileName=day.xml', {
    body: undefined,
    rawBody: camtStatement('DE93999999990000000001', [credit]),
    headers: { 'content-type': 'application/xml' },
  })
  await waitUntil(
    async () => {
      const { body: detail } = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
      return textAt(detail, 'process', 'status') === 'SUCCESS'
    },
    { timeoutMs: TIMEOUT_MS, what: 'the payin to be paid' },
  )
  return id
}

async function payOut(): Promise<string> {
  const id = newId()
  const account = { accountName: PERSON.name, accountNumber: PERSON.account }
  const body = {
    ...payoutBody({ email: BY_FILE, account, callbackUrl: receiver.url }),
    customer: { idCustomer: ID_CUSTOMER },
  }
  const created = expectSuccess(await gateway.send(post(`/payouts/${id}`, body)), 201)
  const reference = textAt(created, 'paymentMethodResponse', 'reference')
  const made = await operate(ada, '/operator/payout-files')
  const fileId = textAt(made, 'files', 0, 'fileId')
  const whom = `<OrgnlTxRef><Cdtr><Pty><Nm>${PERSON.name}</Nm></Pty></Cdtr><CdtrAcct><Id><IBAN>${PERSON.account}</IBAN></Id></CdtrAcct></OrgnlTxRef>`
  const report = statusReport(fileId, [[reference, 'ACSC']]).replace(
    '</TxInfAndSts>',
    `${whom}</TxInfAndSts>`,
  )
  await handIn('/operator/payout-reports?fileName=report.xml', {
    body: undefined,
    rawBody: report,
    headers: { 'content-type': 'application/xml' },
  })
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  return id
}

/** How many documents lose their bytes with the next round of a worker. */
async function documentsOver(): Promise<unknown> {
  const classes = await operate(ada, '/operator/retention', { method: 'GET', body: undefined })
  return at(
    listAt(classes, 'data').find((each) => at(each, 'class') === 'DOCUMENTS'),
    'over',
  )
}

test('D70 whoever has the database, the files and the master key learns nothing of a person who was erased', async () => {
  const person = {
    name: PERSON.name,
    emailAddress: PERSON.emailAddress,
    phone: PERSON.phone,
    countryCode: 'CZ',
    accounts: [{ accountName: PERSON.name, accountNumber: PERSON.account }],
  }
  expectSuccess(await gateway.send(post(`/customers/${ID_CUSTOMER}`, person)), 201)
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  const paid = [await payIn(), await payOut()]
  await receiver.waitForCount(4, TIMEOUT_MS)
  // What is sought is found as long as the person is known, wherever it is kept.
  const before = await tablesThatHold(databaseUrl, masterKey, SOUGHT)
  for (const table of [
    'callback_attempts',
    'confirmations',
    'customers',
    'payment_personal_data',
    'payout_files',
    'payout_reports',
    'statement_lines',
  ])
    assert.ok(before.includes(table), `${table} is among ${before.join(', ')}`)

  const erased: unknown = JSON.parse(
    (await gateway.cli('customers', 'erase', 'DEMO', ID_CUSTOMER, '--json')).stdout,
  )
  assert.deepEqual(at(erased, 'erased'), { personalData: 3, callbackAnswers: 2, statementLines: 1 })
  assert.deepEqual(
    listAt(erased, 'kept').map((each) => [at(each, 'what'), at(each, 'count')]),
    [
      ['PAYMENTS', 2],
      ['PAYOUT_FILES', 1],
      ['PAYOUT_REPORTS', 1],
      ['CONFIRMATIONS', 2],
    ],
  )
  assert.equal(await documentsOver(), 2)
  // Documents go with the next round of a worker: at its start, and every hour.
  await gateway.stop()
  await gateway.start()
  const held = (): Promise<readonly string[]> => tablesThatHold(databaseUrl, masterKey, SOUGHT)
  const isForgotten = async (): Promise<boolean> => (await held()).length === 0
  // What is left is said below.
  await waitUntil(isForgotten, { timeoutMs: TIMEOUT_MS, what: 'the documents to be erased' }).catch(
    () => undefined,
  )
  // A receiver that is called again may repeat what it knows.
  const { length: calls } = receiver.requests
  isDown = true
  const events = await operate(ada, '/operator/callbacks?state=DELIVERED', { method: 'GET', body: undefined })
  await operate(ada, `/operator/callbacks/${textAt(events, 'data', 0, 'eventId')}/!resend`)
  await receiver.waitForCount(calls + 2, TIMEOUT_MS)
  isDown = false
  await receiver.waitForCount(calls + 3, TIMEOUT_MS)
  await gateway.stop()
  assert.deepEqual(await held(), [])
  assert.deepEqual(filesThatHold(gateway.dataDir, SOUGHT), [])
  // Evidence stays: that is how money is accounted for.
  const payments = await tablesThatHold(databaseUrl, masterKey, paid)
  for (const table of ['payments', 'payment_timeline', 'ledger_transfers', 'payout_file_payments'])
    assert.ok(payments.includes(table), table)
  await gateway.start()
  assert.equal(await documentsOver(), 0)
  assert.equal(
    listAt(JSON.parse((await gateway.cli('ledger', 'check', '--json')).stdout), 'findings').length,
    0,
  )
})
