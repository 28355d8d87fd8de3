import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from '../support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess, violatedFields } from '../support/expectations.ts'
import { startGateway, temporaryFolder } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus, readPayout } from '../support/payouts.ts'
import { balanceIn, fundBalance } from '../support/topups.ts'

// What stops money at the last moment: block-list, merchant, approval, and an operator who puts one payment on hold.

const CHANGE_TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'
const ACCOUNTS = {
  blocked: 'NL91ABNA0417164300',
  plain: 'DE89370400440532013000',
  approved: 'FR1420041010050500013M02606',
} as const

const { url: databaseUrl } = await testDatabase({ after })
const door = await databaseDoor({ after }, databaseUrl)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const [ada, grace] = [gateway.operatorKey('ada'), gateway.operatorKey('grace')]
const support = await addOperator('susi', 'SUPPORT')
const auditor = await addOperator('olga', 'AUDITOR')
const approver = await addOperator('anna', 'APPROVER')
const hasty = await addOperator('otto', 'APPROVER')
const folder = temporaryFolder()
after(() => rmSync(folder, { recursive: true, force: true }))
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)
const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const get = (key: string | undefined, path: string): RawRequest => ({ method: 'GET', path, token: key })
const post = (key: string | undefined, path: string, body: unknown = {}): RawRequest => ({
  method: 'POST',
  path,
  token: key,
  body,
})

type Action = 'hold' | 'release' | 'cancel'

const change = (
  action: Action,
  key: string | undefined,
  id: string,
  body: unknown = { reason: 'the merchant called' },
): RawRequest => post(key, `/operator/payments/PAYOUT/DEMO/${id}/!${action}`, body)

const keyFile = (code: 'ada' | 'grace'): readonly string[] => [
  '--operator-key-file',
  join(gateway.dataDir, 'demo', `operator-${code}.key`),
]

/** A payout that waits for a file. */
async function waiting(accountNumber: string = ACCOUNTS.plain, amount = '10'): Promise<string> {
  const id = newId()
  const account = { accountName: 'Ada Lovelace', accountNumber }
  await createPayout(gateway, token, { id, email: BY_FILE, account, amount })
  return id
}

/** What operators see of it. */
async function itemOf(id: string, query = ''): Promise<unknown> {
  const { body } = await send(get(auditor, `/operator/payouts?merchantCode=DEMO&limit=100${query}`))
  return listAt(body, 'data').find((each) => at(each, 'idPayout') === id)
}

const holdsOf = async (id: string): Promise<readonly unknown[]> => listAt(await itemOf(id), 'holds')

const phaseOf = async (id: string): Promise<unknown> =>
  at(await readPayout(gateway, token, id), 'process', 'processorStatus')

/** Makes files of all that waits; the ids that went into one, and why the others did not. */
async function makeFiles() {
  const run = expectSuccess(await send(post(ada, '/operator/payout-files', { currencyCode: 'EUR' })), 200)
  const filed: unknown[] = []
  for (const file of listAt(run, 'files')) {
    const detail = await send(get(auditor, `/operator/payout-files/${textAt(file, 'fileId')}`))
    filed.push(...listAt(detail.body, 'payments').map((payment) => at(payment, 'idPayment')))
  }
  const leftOut = new Map(
    listAt(run, 'leftOut').map((each) => [at(each, 'idPayment'), textAt(each, 'why')] as const),
  )
  return { filed, leftOut }
}

async function blockList(action: 'block' | 'unblock', accountNumber: string): Promise<void> {
  const file = join(folder, 'accounts.txt')
  writeFileSync(file, `${accountNumber}\n`)
  await gateway.cli('payouts', action, 'house', file, ...keyFile('ada'))
}

test('S20 a payout waits for its file, its account is blocked meanwhile: it is not in the file, and people see why', async () => {
  const [id, other] = [await waiting(ACCOUNTS.blocked), await waiting()]
  await blockList('block', ACCOUNTS.blocked)
  const { filed, leftOut } = await makeFiles()
  assert.deepEqual(filed, [other])
  assert.match(leftOut.get(id) ?? '', /block-list/)
  assert.equal(await phaseOf(id), 'ON_HOLD')
  assert.ok((await itemOf(id, '&status=ON_HOLD')) !== undefined, 'it is in the list of what is on hold')
  assert.deepEqual(
    (await holdsOf(id)).map((hold) => [at(hold, 'event'), at(hold, 'cause'), at(hold, 'operatorCode')]),
    [['HELD', 'BENEFICIARY_BLOCKED', undefined]],
  )
  const reviews = await send(get(auditor, '/operator/reviews?limit=100'))
  assert.ok(listAt(reviews.body, 'data').some((review) => at(review, 'idPayment') === id))
  // To release it does not help as long as the account is blocked.
  expectSuccess(await send(change('release', approver, id)), 200)
  assert.deepEqual((await makeFiles()).filed, [])
  await blockList('unblock', ACCOUNTS.blocked)
  expectSuccess(await send(change('release', approver, id)), 200)
  assert.deepEqual((await makeFiles()).filed, [id])
})

test('S21 the merchant is disabled while its payout waits: it is not in the file', async () => {
  const id = await waiting()
  await gateway.cli('merchants', 'disable', 'DEMO')
  const { filed, leftOut } = await makeFiles()
  assert.deepEqual(filed, [])
  assert.match(leftOut.get(id) ?? '', /merchant is disabled/)
  await gateway.cli('merchants', 'enable', 'DEMO')
  await waitUntil(
    async () => (await gateway.send({ method: 'GET', path: `/payouts/${id}`, token })).status === 200,
    { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the merchant to be let in again' },
  )
  expectSuccess(await send(change('cancel', approver, id)), 200)
})

/** A payout that two operators have approved, and that waits for a file. */
async function approved(): Promise<string> {
  await gateway.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', 'EUR', '--amount-from', '777')
  let id = ''
  const waits = async (): Promise<boolean> => {
    id = await waiting(ACCOUNTS.approved, '777')
    return (await phaseOf(id)) === 'AWAITING_APPROVAL'
  }
  await waitUntil(waits, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the rule to be known' })
  const contentHash = textAt(await itemOf(id), 'contentHash')
  for (const key of [ada, grace])
    expectSuccess(await send(post(key, `/operator/payouts/DEMO/${id}/!approve`, { contentHash })), 200)
  assert.equal(await phaseOf(id), 'QUEUED')
  return id
}

test('S22 an approved payout is changed in the database while it waits: it is not in the file', async () => {
  const [id, untouched] = [await approved(), await approved()]
  await sql(`update payments set amount = 778 where id_payment = $1`, [id])
  const { filed, leftOut } = await makeFiles()
  assert.ok(!filed.includes(id) && filed.includes(untouched))
  assert.match(leftOut.get(id) ?? '', /two operators have not approved/)
  await sql(`update payments set amount = 777 where id_payment = $1`, [id])
  expectSuccess(await send(change('release', approver, id)), 200)
  assert.deepEqual((await makeFiles()).filed, [id])
})

test('S22 a payout that nobody approved is put into the queue by hand: it is neither in a file nor handed over', async () => {
  await approved()
  await makeFiles()
  const id = await waiting(ACCOUNTS.approved, '777')
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  await sql(`update payments set processor_status = 'QUEUED' where id_payment = $1`, [id])
  assert.deepEqual((await makeFiles()).filed, [])
  assert.equal(await phaseOf(id), 'ON_HOLD')
  const direct = newId()
  await createPayout(gateway, token, { id: direct, email: 'approval@sandbox.test' })
  await sql(
    `with queued as (update payments set processor_status = 'QUEUED' where id_payment = $1 returning merchant_id, kind, id_payment)
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) select merchant_id, kind, id_payment, 'RAIL', now() from queued`,
    [direct],
  )
  await payoutWithStatus(gateway, token, { id: direct, status: 'ON_HOLD' })
  assert.equal(at(await readPayout(gateway, token, direct), 'process', 'status'), 'CREATED')
})

test('S23 POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 200 it is in no file, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 406 by who stopped it, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 200 by another one', async () => {
  const id = await waiting()
  const held = expectSuccess(await send(change('hold', ada, id, { reason: 'a stolen token' })), 200)
  assert.equal(at(held, 'process', 'processorStatus'), 'ON_HOLD')
  assert.deepEqual((await makeFiles()).filed, [])
  expectError(await send(change('release', ada, id)), 406, 'HOLD_OWN')
  assert.deepEqual((await makeFiles()).filed, [])
  expectSuccess(await send(change('release', grace, id, { reason: 'it was not stolen' })), 200)
  assert.deepEqual((await makeFiles()).filed, [id])
  assert.deepEqual(
    (await holdsOf(id)).map((hold) => [at(hold, 'event'), at(hold, 'operatorCode'), at(hold, 'reason')]),
    [
      ['HELD', 'ada', 'a stolen token'],
      ['RELEASED', 'grace', 'it was not stolen'],
    ],
  )
})

test('S23 a payout that waits for approval is held: two approvals do not send it off, and after the release they are needed all the same', async () => {
  const id = newId()
  await createPayout(gateway, token, { id, email: 'approval@sandbox.test' })
  expectSuccess(await send(change('hold', support, id)), 200)
  const contentHash = textAt(await itemOf(id), 'contentHash')
  const approve = (key: string) => send(post(key, `/operator/payouts/DEMO/${id}/!approve`, { contentHash }))
  for (const key of [ada, grace]) expectError(await approve(key), 409, 'APPROVAL_NOT_OPEN')
  expectSuccess(await send(change('release', approver, id)), 200)
  assert.equal(await phaseOf(id), 'AWAITING_APPROVAL')
  for (const key of [ada, grace]) expectSuccess(await approve(key), 200)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
})

test('S24 POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 200 the money is free, and the merchant reads why', async () => {
  const before = await balanceIn(gateway, token, 'EUR')
  const id = await waiting()
  expectSuccess(await send(change('hold', support, id)), 200)
  expectSuccess(await send(change('cancel', approver, id, { reason: 'The account is not theirs.' })), 200)
  const detail = await payoutWithStatus(gateway, token, { id, status: 'CANCELLED' })
  assert.match(JSON.stringify(detail), /The account is not theirs/)
  assert.deepEqual(await balanceIn(gateway, token, 'EUR'), before)
  assert.deepEqual((await makeFiles()).filed, [])
})

test('S24 by the command line: held, listed with the reason, not released by the same operator, released, cancelled', async () => {
  const id = await waiting()
  const reason = ['--reason', 'somebody called']
  await gateway.cli('payments', 'hold', 'payout', 'DEMO', id, ...reason, ...keyFile('ada'))
  const listed = await gateway.cli('payouts', 'list', '--on-hold', '--merchant', 'DEMO')
  assert.match(listed.stdout, new RegExp(`${id}.*ON_HOLD.*OPERATOR`))
  const shown = await gateway.cli('payouts', 'show', 'DEMO', id)
  assert.match(shown.stdout, /ON_HOLD +operator:ada +somebody called/)
  await assert.rejects(
    gateway.cli('payments', 'release', 'payout', 'DEMO', id, ...reason, ...keyFile('ada')),
    /another operator has to release it/,
  )
  await gateway.cli('payments', 'release', 'payout', 'DEMO', id, ...reason, ...keyFile('grace'))
  await gateway.cli('payments', 'hold', 'payout', 'DEMO', id, ...reason, ...keyFile('grace'))
  await gateway.cli('payments', 'cancel', 'payout', 'DEMO', id, ...reason, ...keyFile('grace'))
  assert.equal(at(await readPayout(gateway, token, id), 'process', 'status'), 'CANCELLED')
})

test('S25 POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 409 an institution has it, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 409 it is not on hold, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 409 it is not on hold', async () => {
  const id = await waiting()
  assert.deepEqual((await makeFiles()).filed, [id])
  for (const action of ['hold', 'release', 'cancel'] as const)
    expectError(await send(change(action, approver, id)), 409, 'HOLD_NOT_OPEN')
  assert.equal(await phaseOf(id), 'SUBMITTED')
  const held = await waiting()
  expectSuccess(await send(change('hold', ada, held)), 200)
  expectError(await send(change('hold', grace, held)), 409, 'HOLD_NOT_OPEN')
  expectSuccess(await send(change('cancel', grace, held)), 200)
})

test('S26 who stopped and released a payment can be neither changed nor removed', async () => {
  const id = await waiting()
  expectSuccess(await send(change('hold', ada, id)), 200)
  await assert.rejects(sql(`update payment_holds set operator_code = 'nobody'`), /append-only/)
  await assert.rejects(sql(`delete from payment_holds`), /append-only/)
  expectSuccess(await send(change('cancel', ada, id)), 200)
})

const ACTIONS: readonly Action[] = ['hold', 'release', 'cancel']

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 400, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 400, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 400 no reason, or money that comes in', async () => {
  for (const action of ACTIONS) {
    const unjustified = await send(change(action, approver, 'ANY', {}))
    expectError(unjustified, 400, 'ATTRIBUTE_REQUIRED')
    assert.deepEqual(violatedFields(unjustified), ['reason'])
    const body = { reason: 'x' }
    const incoming = await send(post(approver, `/operator/payments/PAYIN/DEMO/ANY/!${action}`, body))
    assert.equal(incoming.status, 400)
  }
})

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 401, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 401, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 401 without an operator’s key', async () => {
  for (const action of ACTIONS)
    expectError(await send(change(action, undefined, 'ANY')), 401, 'TOKEN_MISSING')
})

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 403 by an AUDITOR, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 403 and POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 403 by SUPPORT', async () => {
  expectError(await send(change('hold', auditor, 'ANY')), 403, 'OPERATION_NOT_PERMITTED')
  for (const action of ['release', 'cancel'] as const)
    expectError(await send(change(action, support, 'ANY')), 403, 'OPERATION_NOT_PERMITTED')
})

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 410, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 410, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 410 there is no such payment', async () => {
  for (const action of ACTIONS)
    expectError(await send(change(action, approver, 'NONE')), 410, 'ENTITY_NOT_FOUND')
})

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 429, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 429, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 429 an operator who clicks faster than a person can', async () => {
  for (const action of ACTIONS)
    expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => send(change(action, hasty, 'NONE')))))
})

test('POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!hold → 500, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!release → 500, POST /operator/payments/{kind}/{merchantCode}/{idPayment}/!cancel → 500 the database is away', async () => {
  await door.shut()
  for (const action of ACTIONS) expectError(await send(change(action, approver, 'NONE')), 500, 'SYSTEM')
  await door.open()
})
