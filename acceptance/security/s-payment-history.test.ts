import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callbackReceiver, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { ALL_OPERATIONS } from '../support/merchant.ts'
import { mt940 } from '../support/mt940.ts'
import { operatorsOf } from '../support/operators.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { ACCOUNT_NUMBERS, createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// Everything that happened to a payment, as every room has kept it: complete, in order, by name, and without personal data.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const { get, post } = await operatorsOf(gateway, {
  auditor: ['olga', 'AUDITOR'],
  support: ['susi', 'SUPPORT'],
  first: ['anna', 'APPROVER'],
  second: ['bert', 'APPROVER'],
  catalogue: ['carl', 'CATALOGUE'],
})
const token = await gateway.demo().token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)
const PAYER = { accountName: 'Ada Lovelace', accountNumber: ACCOUNT_NUMBERS[0] }
const PERSONAL = [...Object.values(PAYER), 'sandbox.test', 'LOVELACE']

interface Seen {
  readonly line: string
  readonly facts: unknown
}

/** `STATUS SUCCESS (CONFIRMED) by worker` and the facts of each event. */
async function historyOf(kind: string, id: string): Promise<readonly Seen[]> {
  const answer = expectSuccess(await get('auditor', `payments/${kind}/DEMO/${id}/history`), 200)
  const told = JSON.stringify(answer).toUpperCase()
  for (const text of PERSONAL) assert.ok(!told.includes(text.toUpperCase()), `${text} is in ${told}`)
  const times = listAt(answer, 'data').map((event) => textAt(event, 'happenedAt'))
  assert.deepEqual(times, times.toSorted())
  return listAt(answer, 'data').map((event) => {
    const by = at(event, 'by')
    return {
      line: `${textAt(event, 'what')} ${textAt(event, 'says')}${typeof by === 'string' ? ` by ${by}` : ''}`,
      facts: at(event, 'facts'),
    }
  })
}

const linesOf = async (kind: string, id: string): Promise<readonly string[]> =>
  (await historyOf(kind, id)).map(({ line }) => line)

test('S115 GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history → 200, GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history → 400, GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history → 410: a payin with its evidence, bookings, callbacks and refund, for readers of payments alone', async (t) => {
  const receiver = await callbackReceiver(t)
  const id = newId()
  const wanted = { account: PAYER, email: 'success@sandbox.test', callbackUrl: `${receiver.url}/` }
  await createPayin(gateway, token, { id, amount: '100', ...wanted })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await fundBalance(gateway, token, { id: newId(), amount: '1000' })
  const refunded = await gateway.send({
    method: 'POST',
    path: `/payins/${id}/refunds/R-1`,
    token,
    body: { refundRequested: { money: { amount: '40', currencyCode: 'EUR' } } },
  })
  expectSuccess(refunded, 201)
  await waitUntil(async () => (await linesOf('PAYIN', id)).includes('ATTEMPT OK'), {
    timeoutMs: 60_000,
    what: 'the callback',
  })
  const events = await historyOf('PAYIN', id)
  const lines = events.map(({ line }) => line)
  assert.match(lines[0] ?? '', /^STATUS CREATED \(\w+\) by merchant$/)
  for (const expected of [
    /^STATUS SUCCESS \(CONFIRMED\) by /,
    /^BOOKING PAYIN_SUCCESS$/,
    /^CALLBACK DELIVERED$/,
    /^ATTEMPT OK$/,
    /^REFUND 40 EUR$/,
  ])
    assert.equal(lines.filter((line) => expected.test(line)).length, 1, `${expected} in ${lines.join('\n')}`)
  const factsOf = (what: string): unknown => events.find(({ line }) => line.startsWith(what))?.facts
  assert.match(textAt(factsOf('BOOKING'), 'postings'), /(?:AVAILABLE|NOT_SETTLED) \d+(?:\.\d+)? EUR/)
  assert.equal(at(factsOf('ATTEMPT'), 'httpStatus'), '200')
  assert.equal(at(factsOf('STATUS SUCCESS'), 'evidence'), 'RAIL')
  assert.equal(at(factsOf('REFUND'), 'idRefund'), 'R-1')
  const idPayout = textAt(factsOf('REFUND'), 'idPayout')
  assert.ok((await linesOf('PAYOUT', idPayout)).includes('REFUND 40 EUR'))
  const { stdout } = await gateway.cli('payments', 'history', 'payin', 'DEMO', id)
  assert.match(stdout, /BOOKING +PAYIN_SUCCESS +transferId: /)

  const path = (kind: string, code: string, idPayment: string) =>
    `payments/${kind}/${code}/${idPayment}/history`
  expectError(await get('catalogue', path('PAYIN', 'DEMO', id)), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await get('auditor', path('PAYIN', 'NOBODY', id)), 410, 'ENTITY_NOT_FOUND')
  expectError(await get('auditor', path('PAYOUT', 'DEMO', id)), 410, 'ENTITY_NOT_FOUND')
  const ofCycle = await get('auditor', path('SETTLEMENT', 'DEMO', '2026-12-03-JPY-ZFM124'))
  expectError(ofCycle, 410, 'ENTITY_NOT_FOUND')
  assert.match(
    textAt(ofCycle.body, 'message'),
    /^DEMO has no requested settlement 2026-12-03-JPY-ZFM124\. A settlement of a cycle is no payment/,
  )
  expectError(await get('auditor', path('REFUND', 'DEMO', id)), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('S115 GET /operator/payments/{kind}/{merchantCode}/{idPayment}/history → 200: a payout with who stopped, released and approved it, and a payin with the line of the statement that paid it', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '1000' })
  const id = newId()
  await createPayout(gateway, token, { id, email: 'approval@sandbox.test' })
  const act = async (name: 'support' | 'first' | 'second', path: string, body: unknown): Promise<void> =>
    void expectSuccess(await post(name, path, body), 200)
  await act('support', `payments/PAYOUT/DEMO/${id}/!hold`, { reason: 'the merchant called' })
  await act('first', `payments/PAYOUT/DEMO/${id}/!release`, { reason: 'it is right' })
  const waiting = expectSuccess(await get('auditor', 'payouts?merchantCode=DEMO&limit=100'), 200)
  const contentHash = at(
    listAt(waiting, 'data').find((each) => at(each, 'idPayout') === id),
    'contentHash',
  )
  for (const name of ['first', 'second'] as const)
    await act(name, `payouts/DEMO/${id}/!approve`, { contentHash, reason: 'as agreed' })
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const lines = await linesOf('PAYOUT', id)
  const people = lines.filter((line) => /^(?:HOLD|APPROVAL) /.test(line))
  assert.deepEqual(people, [
    'HOLD HELD by susi',
    'HOLD RELEASED by anna',
    'APPROVAL APPROVED by anna',
    'APPROVAL APPROVED by bert',
  ])
  assert.ok(lines.includes('BOOKING PAYOUT_SUCCESS'), lines.join('\n'))

  const wired = newId()
  const created = await createPayin(gateway, token, { id: wired, amount: '12.50', account: PAYER })
  const reference = textAt(created.body, 'paymentMethodResponse', 'reference')
  const file = join(gateway.dataDir, 'wired.sta')
  writeFileSync(file, mt940([['12.50', `${reference} ADA LOVELACE`]]))
  const key = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
  await gateway.cli('statements', 'import', file, ...key)
  await payinWithStatus(gateway, token, { id: wired, status: 'SUCCESS' })
  const events = await historyOf('PAYIN', wired)
  const line = events.find(({ line: text }) => text === 'STATEMENT MATCHED')
  assert.equal(at(line?.facts, 'amount'), '12.5 EUR')
})
