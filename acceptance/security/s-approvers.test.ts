import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { databaseDoor } from '../support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess, violatedFields } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { statusReport } from '../support/pain002.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'
import { whileNothingIsNoted } from './support/unnoted.ts'

// Whom a payout pays: in full for those who approve it, and nobody reads it without a trace.

const NAME = 'Zora Neale Hurston'
const NUMBER = 'NL91ABNA0417164300'
const { url: databaseUrl } = await testDatabase({ after })
const door = await databaseDoor({ after }, databaseUrl)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
const keys = {
  auditor: await addOperator('olga', 'AUDITOR'),
  approver: await addOperator('anna', 'APPROVER'),
  support: await addOperator('susi', 'SUPPORT'),
  finance: await addOperator('fred', 'FINANCE'),
  hasty: await addOperator('otto', 'APPROVER'),
  hastyAuditor: await addOperator('odin', 'AUDITOR'),
} as const
await fundBalance(gateway, token, { id: newId(), amount: '1000' })

async function addOperator(code: string, role: string): Promise<string> {
  return (await gateway.cli('operators', 'create', code, '--role', role)).stdout.trim()
}

const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)
const send = (request: RawRequest): Promise<RawResponse> => gateway.sendToOperators(request)
const payee = (key: string | undefined, id: string, query = ''): RawRequest => ({
  method: 'GET',
  path: `/operator/payouts/DEMO/${id}/payee${query}`,
  token: key,
})
const unmaskings = (key: string | undefined, query = ''): RawRequest => ({
  method: 'GET',
  path: `/operator/unmaskings${query}`,
  token: key,
})

async function payout(email?: string): Promise<string> {
  const id = newId()
  const account = { accountName: NAME, accountNumber: NUMBER }
  await createPayout(gateway, token, { id, account, amount: '25', ...(email !== undefined && { email }) })
  return id
}

const DAY_MS = 86_400_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

function keyFileOf(key: string): readonly string[] {
  const path = join(gateway.dataDir, 'operator.key')
  writeFileSync(path, key)
  return ['--operator-key-file', path]
}

const looksAt = async (id: string): Promise<readonly unknown[]> => {
  const { body } = await send(unmaskings(keys.auditor, '?limit=100'))
  return listAt(body, 'data').filter((each) => at(each, 'idPayment') === id)
}

test('S29 GET /operator/payouts/{merchantCode}/{idPayout}/payee → 200 name, account, history and rule for an APPROVER, GET /operator/unmaskings → 200 and who has read it', async () => {
  const paid = await payout()
  await payoutWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  const id = await payout('approval@sandbox.test')
  const body = expectSuccess(await send(payee(keys.approver, id)), 200)
  assert.deepEqual(at(body, 'account'), { accountName: NAME, accountNumber: NUMBER })
  const history = at(body, 'history')
  assert.deepEqual(
    [at(history, 'paidCount'), at(history, 'openCount'), at(history, 'paidMoney')],
    [1, 1, [{ amount: '25', currencyCode: 'EUR' }]],
  )
  assert.ok(textAt(history, 'firstPaidAt') <= textAt(history, 'lastPaidAt'))
  assert.equal(at(body, 'isBlocked'), false)
  assert.deepEqual(listAt(body, 'waitsBecause'), ['OTHER'])
  assert.deepEqual(
    (await looksAt(id)).map((look) => [at(look, 'operatorCode'), at(look, 'subject'), at(look, 'kind')]),
    [['anna', 'PAYEE', 'PAYOUT']],
  )
  // Each look counts, the second one, too.
  expectSuccess(await send(payee(keys.approver, id)), 200)
  assert.equal((await looksAt(id)).length, 2)
})

test('S29 GET /operator/payouts/{merchantCode}/{idPayout}/payee → 403 for everybody else, who see the end of the account in lists', async () => {
  const id = await payout('approval@sandbox.test')
  for (const key of [keys.auditor, keys.support, keys.finance]) {
    expectError(await send(payee(key, id)), 403, 'OPERATION_NOT_PERMITTED')
    const list = await send({ method: 'GET', path: '/operator/payouts?limit=100', token: key })
    assert.equal(list.status, 200)
    assert.ok(!list.text.includes(NAME) && !list.text.includes(NUMBER))
    assert.ok(list.text.includes('…4300'))
  }
  assert.deepEqual(await looksAt(id), [])
})

test('S29 whom a payout pays is not shown where it cannot be noted who reads it', async () => {
  const id = await payout('approval@sandbox.test')
  await whileNothingIsNoted(databaseUrl, async () => {
    const refused = await send(payee(keys.approver, id))
    expectError(refused, 500, 'SYSTEM')
    assert.ok(!refused.text.includes(NAME) && !refused.text.includes(NUMBER))
  })
  expectSuccess(await send(payee(keys.approver, id)), 200)
})

test('S29 by the command line: an APPROVER reads whom a payout pays, and an AUDITOR who has read it', async () => {
  const id = await payout('approval@sandbox.test')
  const file = (name: 'approver' | 'auditor'): readonly string[] => {
    const path = join(gateway.dataDir, `${name}.key`)
    writeFileSync(path, keys[name])
    return ['--operator-key-file', path]
  }
  const shown = await gateway.cli('payouts', 'payee', 'DEMO', id, ...file('approver'))
  assert.match(shown.stdout, new RegExp(`${NAME}[^]*${NUMBER}`))
  await assert.rejects(gateway.cli('payouts', 'payee', 'DEMO', id, ...file('auditor')), /payouts[.]unmask/)
  const list = await gateway.cli('operators', 'unmaskings', ...file('auditor'))
  assert.match(list.stdout, new RegExp(`anna +PAYEE +PAYOUT ${id} of DEMO`))
})

/** Puts payouts to one account into a file, and gives the file with their references. */
async function fileOf(account: Readonly<Record<string, string>>, ids: readonly string[]) {
  const references: string[] = []
  for (const id of ids) {
    const { body } = await createPayout(gateway, token, { id, account, amount: '5', email: BY_FILE })
    references.push(textAt(body, 'paymentMethodResponse', 'reference'))
  }
  const path = '/operator/payout-files'
  const made = await send({ method: 'POST', path, token: keys.finance, body: { currencyCode: 'EUR' } })
  return { fileId: textAt(expectSuccess(made, 200), 'files', 0, 'fileId'), references }
}

async function report(content: string): Promise<string> {
  const path = '/operator/payout-reports?fileName=vop.xml'
  const headers = { 'content-type': 'application/xml' }
  const taken = await send({ method: 'POST', path, token: keys.finance, rawBody: content, headers })
  return textAt(expectSuccess(taken, 200), 'reportId')
}

const verified = async (id: string, name = 'verification'): Promise<readonly unknown[]> => {
  const body = expectSuccess(await send(payee(keys.approver, id)), 200)
  const found = at(body, name)
  if (found === undefined) return []
  assert.ok(Date.parse(textAt(found, 'receivedAt')) <= Date.now() + DAY_MS)
  return ['result', 'statusCode', 'level', 'idPayout', 'fileId', 'reportId', 'takenBy'].map((member) =>
    at(found, member),
  )
}

test('S32 an approver sees what the bank said of name and account, of this payment and of an earlier one, and who brought it', async () => {
  const account = { accountName: 'Virginia Woolf', accountNumber: 'DE02120300000000202051' }
  const [first, second, other] = [newId(), newId(), newId()]
  const { fileId, references } = await fileOf(account, [first, second])
  assert.deepEqual(await verified(first), [])
  const [one = '', two = ''] = references
  const early = await report(statusReport(fileId, [[one, 'RVMC']]))
  assert.deepEqual(await verified(first), [
    'CLOSE_MATCH',
    'RVMC',
    'TRANSACTION',
    first,
    fileId,
    early,
    'operator:fred',
  ])
  const late = await report(
    statusReport(fileId, [
      [one, 'RVNM'],
      [two, 'RCVC'],
    ]),
  )
  const said = (result: string, code: string, id: string) => [
    result,
    code,
    'TRANSACTION',
    id,
    fileId,
    late,
    'operator:fred',
  ]
  assert.deepEqual(await verified(first), said('NO_MATCH', 'RVNM', first))
  assert.deepEqual(await verified(second), said('MATCH', 'RCVC', second))
  assert.deepEqual(await verified(first, 'earlierVerification'), said('MATCH', 'RCVC', second))
  // A later payment to the same account, written otherwise, and one to somebody else.
  await createPayout(gateway, token, {
    id: other,
    amount: '5',
    email: 'approval@sandbox.test',
    account: { ...account, accountNumber: 'de02 1203 0000 0000 2020 51' },
  })
  assert.deepEqual(await verified(other), [])
  assert.equal((await verified(other, 'earlierVerification'))[5], late)
  assert.deepEqual(await verified(await payout('approval@sandbox.test'), 'earlierVerification'), [])
  const shown = await gateway.cli('payouts', 'payee', 'DEMO', first, ...keyFileOf(keys.approver))
  assert.match(
    shown.stdout,
    new RegExp(`payee +NO_MATCH \\(RVNM\\) for payout ${first}; report ${late} of .*, by operator:fred`),
  )
})

test('S32 a report about other money, or another file, verifies nobody; one about a whole file says so', async () => {
  const account = { accountName: 'Jane Austen', accountNumber: 'FR1420041010050500013M02606' }
  const id = newId()
  const { fileId, references } = await fileOf(account, [id])
  const [reference = ''] = references
  const right = statusReport(fileId, [[reference, 'RCVC']])
  const ofAll = right.replace('>PART<', '>RCVC<').replace(/<OrgnlPmtInfAndSts>.*<.OrgnlPmtInfAndSts>/, '')
  const ofSeven = (content: string): string =>
    content.replace('<GrpSts>', '<OrgnlNbOfTxs>7</OrgnlNbOfTxs><GrpSts>')
  await report(ofSeven(right))
  await report(ofSeven(ofAll))
  await report(right.replace(`<OrgnlMsgId>${fileId}`, '<OrgnlMsgId>SOMEOTHERFILE'))
  await report(statusReport(fileId, [['NOTOURS', 'RCVC']]))
  assert.deepEqual(await verified(id), [])
  const whole = await report(ofAll)
  assert.deepEqual(await verified(id), ['MATCH', 'RCVC', 'GROUP', id, fileId, whole, 'operator:fred'])
})

test('S33 lists show the same of one account however it was written, and nothing but the end of it', async () => {
  const [plain, tricky] = [newId(), newId()]
  const ways = [
    [plain, 'SK3112000000198742637541', undefined],
    [tricky, 'sk31 1200 0000 1987 4263 7541', 'TATRSKBX'],
  ] as const
  for (const [id, accountNumber, bankCode] of ways)
    await createPayout(gateway, token, {
      id,
      amount: '5',
      email: 'approval@sandbox.test',
      account: { accountName: NAME, accountNumber, ...(bankCode !== undefined && { bankCode }) },
    })
  const list = await send({ method: 'GET', path: '/operator/payouts?limit=100', token: keys.support })
  const shown = listAt(expectSuccess(list, 200), 'data')
    .filter((each) => [plain, tricky].includes(textAt(each, 'idPayout')))
    .map((each) => at(each, 'account'))
  assert.deepEqual(shown, [{ accountNumber: '…7541' }, { accountNumber: '…7541' }])
})

test('S30 who has read what can be neither changed nor removed', async () => {
  await assert.rejects(sql(`update unmaskings set operator_code = 'nobody'`), /stays as it was noted/)
  await assert.rejects(sql(`delete from unmaskings`), /stays as it was noted/)
})

test('GET /operator/payouts/{merchantCode}/{idPayout}/payee → 400 a kind that cannot be, GET /operator/unmaskings → 400 a cursor that is none', async () => {
  const strange = await send(payee(keys.approver, 'ANY', '?kind=PAYIN'))
  assert.deepEqual([strange.status, violatedFields(strange)], [400, ['kind']])
  const nowhere = await send(unmaskings(keys.auditor, '?cursor=x'))
  assert.deepEqual([nowhere.status, violatedFields(nowhere)], [400, ['cursor']])
})

test('GET /operator/payouts/{merchantCode}/{idPayout}/payee → 401, GET /operator/unmaskings → 401 without an operator’s key', async () => {
  expectError(await send(payee(undefined, 'ANY')), 401, 'TOKEN_MISSING')
  expectError(await send(unmaskings(undefined)), 401, 'TOKEN_MISSING')
})

test('GET /operator/unmaskings → 403 for who reads in full themselves', async () => {
  expectError(await send(unmaskings(keys.approver)), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/payouts/{merchantCode}/{idPayout}/payee → 410 there is no such payout', async () => {
  expectError(await send(payee(keys.approver, 'NONE')), 410, 'ENTITY_NOT_FOUND')
})

test('GET /operator/payouts/{merchantCode}/{idPayout}/payee → 429, GET /operator/unmaskings → 429 an operator who asks faster than a person can', async () => {
  const many = (request: RawRequest) => Promise.all(Array.from({ length: 60 }, () => send(request)))
  expectOneLimited(await many(payee(keys.hasty, 'NONE')))
  expectOneLimited(await many(unmaskings(keys.hastyAuditor)))
})

test('GET /operator/payouts/{merchantCode}/{idPayout}/payee → 500, GET /operator/unmaskings → 500 the database is away', async () => {
  await door.shut()
  expectError(await send(payee(keys.approver, 'NONE')), 500, 'SYSTEM')
  expectError(await send(unmaskings(keys.auditor)), 500, 'SYSTEM')
  await door.open()
})
