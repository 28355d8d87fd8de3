import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createGateway, type RawResponse } from '@tollgate/sdk'
import { callbackReceiver, runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess, rejectionItem } from './support/expectations.ts'
import { CLI, startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { mt940OfDays } from './support/mt940.ts'
import { createPayin, newId, payinBody, payinWithStatus, readPayin, type Wanted } from './support/payins.ts'
import { ACCOUNT_NUMBERS, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { runProgram } from './support/process.ts'
import { fundBalance } from './support/topups.ts'

// Refunds, an addition of interface version 2.83.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

const keyFile = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]

const PAYER = { accountName: 'Ada Lovelace', accountNumber: ACCOUNT_NUMBERS[0] }

/** A payin of 100 EUR that its customer has paid. */
async function paidPayin(wanted: Wanted = {}): Promise<string> {
  const id = newId()
  await createPayin(gateway, token, {
    id,
    amount: '100',
    account: PAYER,
    email: 'success@sandbox.test',
    ...wanted,
  })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  return id
}

const bodyOf = (amount: string, more: object = {}) => ({
  refundRequested: { money: { amount, currencyCode: 'EUR' } },
  ...more,
})
const refund = (idPayin: string, idRefund: string, body: unknown = bodyOf('40')): Promise<RawResponse> =>
  gateway.send({ method: 'POST', path: `/payins/${idPayin}/refunds/${idRefund}`, token, body })
const read = (path: string): Promise<RawResponse> => gateway.send({ method: 'GET', path, token })

const check = () =>
  runProgram([CLI, 'ledger', 'check'], {
    TOLLGATE_DATA_DIR: gateway.dataDir,
    TOLLGATE_DATABASE_URL: databaseUrl,
  })

async function refundWithStatus(idPayin: string, idRefund: string, status: string): Promise<unknown> {
  let detail: unknown
  await waitUntil(
    async () => {
      detail = expectSuccess(await read(`/payins/${idPayin}/refunds/${idRefund}`), 200)
      return textAt(detail, 'process', 'status') === status
    },
    { timeoutMs: 60_000, what: `the refund to be ${status}` },
  )
  return detail
}

const expectRejected = (response: RawResponse, code: string): string => {
  expectError(response, 406, code)
  return textAt(rejectionItem(response, code), 'message')
}

test('POST /payins/{idPayin}/refunds/{idRefund} → 201 money goes back to the account it came from', async () => {
  const receiver = await callbackReceiver({ after })
  const id = await paidPayin({ callbackUrl: receiver.url })
  const accepted = expectSuccess(await refund(id, 'R-1'), 201)
  assert.deepEqual(at(accepted, 'refundRequested'), bodyOf('40').refundRequested)
  assert.equal(at(accepted, 'paymentMethodResponse', 'idPayin'), id)
  assert.equal(at(accepted, 'paymentMethodResponse', 'idRefund'), 'R-1')
  await refundWithStatus(id, 'R-1', 'SUCCESS')
  const payin = await readPayin(gateway, token, id)
  assert.equal(at(payin, 'process', 'status'), 'SUCCESS')
  assert.deepEqual(at(payin, 'paymentRefunded'), { money: { amount: '40', currencyCode: 'EUR' } })
  await waitUntil(
    () => receiver.requests.some(({ headers }) => headers['webhook-event-type'] === 'refund.status'),
    { timeoutMs: 60_000, what: 'the callback of the refund' },
  )
  for (const { body } of receiver.requests) assert.deepEqual(JSON.parse(body), { idEntity: id })
  const [row] = await runSql(
    databaseUrl,
    `select p.fee_amount::text, p.id_payment from refunds r join payments p using (merchant_id, id_payment) where r.id_payin = $1`,
    [id],
  )
  assert.equal(row?.['fee_amount'], '0')
})

test('a payin of the sandbox is refunded without naming an account', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, amount: '100', email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  expectSuccess(await refund(id, 'R-1'), 201)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
})

test('POST /payins/{idPayin}/refunds/{idRefund} → 406 more than what is left, however often it is asked', async () => {
  const id = await paidPayin()
  expectSuccess(await refund(id, 'R-1', bodyOf('60')), 201)
  assert.match(
    expectRejected(await refund(id, 'R-2', bodyOf('41')), 'REFUND_AMOUNT_EXCEEDED'),
    /At most 40 EUR/,
  )
  expectSuccess(await refund(id, 'R-2', bodyOf('40')), 201)
  assert.match(
    expectRejected(await refund(id, 'R-3', bodyOf('1')), 'REFUND_AMOUNT_EXCEEDED'),
    /At most 0 EUR/,
  )
  expectRejected(await refund(await paidPayin(), 'R', bodyOf('101')), 'REFUND_AMOUNT_EXCEEDED')
})

test('a payin that was not paid, or in another currency, is not refunded', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, amount: '100' })
  assert.match(expectRejected(await refund(id, 'R-1'), 'REFUND_NOT_POSSIBLE'), /this one is CREATED/)
  const paid = await paidPayin()
  const dollars = { refundRequested: { money: { amount: '1', currencyCode: 'USD' } } }
  assert.match(expectRejected(await refund(paid, 'R-1', dollars), 'REFUND_CURRENCY_DIFFERENT'), /is in EUR/)
  await gateway.cli('trigger', 'payin', 'returned', paid)
  assert.match(expectRejected(await refund(paid, 'R-2'), 'REFUND_NOT_POSSIBLE'), /this one is REVERSED/)
})

test('the account is the one that the money came from; where that is not known, the request names it', async () => {
  const id = await paidPayin()
  const other = { account: { accountName: 'Mallory', accountNumber: ACCOUNT_NUMBERS[1] } }
  expectRejected(await refund(id, 'R-1', bodyOf('1', other)), 'REFUND_ACCOUNT_DIFFERENT')
  expectSuccess(await refund(id, 'R-1', bodyOf('1', { account: PAYER })), 201)
  const unknown = await paidPayin()
  await runSql(
    databaseUrl,
    `delete from payment_personal_data where id_payment = $1 and source = 'PROCESS'`,
    [unknown],
  )
  expectRejected(await refund(unknown, 'R-1', bodyOf('1')), 'REFUND_ACCOUNT_REQUIRED')
  expectSuccess(await refund(unknown, 'R-1', bodyOf('1', other)), 201)
})

test('what the institution declined, or sent back, can be refunded again', async () => {
  const id = await paidPayin()
  for (const [name, outcomes] of [
    ['R-1', ['returned']],
    ['R-2', ['returned']],
  ] as const) {
    const accepted = expectSuccess(await refund(id, name, bodyOf('100')), 201)
    await refundWithStatus(id, name, 'SUCCESS')
    const idPayout = textAt(accepted, 'paymentMethodResponse', 'idPayout')
    for (const outcome of outcomes) await gateway.cli('trigger', 'payout', outcome, idPayout)
    await refundWithStatus(id, name, 'REVERSED')
  }
  assert.equal(at(await readPayin(gateway, token, id), 'paymentRefunded'), undefined)
})

test('a payin by a method that takes no payouts is refunded by another one, to the account it came from', async () => {
  const id = await paidPayin({ method: 'ONLINE_BANKING', operator: 'SPARKASSE_ELBSTROM', account: {} })
  expectRejected(await refund(id, 'R-1'), 'PAYMENT_METHOD_NOT_AVAILABLE')
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }
  expectSuccess(await refund(id, 'R-1', bodyOf('40', { paymentMethod, account: PAYER })), 201)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
})

test('a refund leaves in a file like any payout, and a debit on the statement ends it', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, amount: '100', account: PAYER, email: 'file@sandbox.test' })
  await gateway.cli('trigger', 'payin', 'paid', id)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const accepted = expectSuccess(await refund(id, 'R-1', bodyOf('40', { account: PAYER })), 201)
  const idPayout = textAt(accepted, 'paymentMethodResponse', 'idPayout')
  const made = await gateway.cli('payout-files', 'create', '--json', ...keyFile)
  const [fileId = ''] = listAt(JSON.parse(made.stdout), 'files').map((file) => textAt(file, 'fileId'))
  assert.match((await gateway.cli('payout-files', 'show', fileId, ...keyFile)).stdout, new RegExp(idPayout))
  const reference = textAt(accepted, 'paymentMethodResponse', 'reference')
  const today = new Date().toISOString().slice(0, 10)
  const statement = join(gateway.dataDir, 'refund.sta')
  const days = { openingOn: today, closingOn: today, opening: 1000 }
  writeFileSync(statement, mt940OfDays({ ...days, bookings: [['-40.00', `REFUND ${reference}`]] }))
  await gateway.cli('statements', 'import', statement, ...keyFile)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
  assert.deepEqual(at(await readPayin(gateway, token, id), 'paymentRefunded', 'money', 'amount'), '40')
})

test('POST /payins/{idPayin}/refunds/{idRefund} → 409 the id was accepted before for this payin', async () => {
  const id = await paidPayin()
  expectSuccess(await refund(id, 'R-1', bodyOf('100')), 201)
  const again = await refund(id, 'R-1', bodyOf('100.00'))
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  assert.equal(at((await refund(id, 'R-1', bodyOf('5'))).body, 'duplicate'), 'DIFFERENT')
  expectSuccess(await refund(await paidPayin(), 'R-1'), 201)
})

test('POST /payins/{idPayin}/refunds/{idRefund} → 400 no money, or an id that is none', async () => {
  const id = await paidPayin()
  expectError(await refund(id, 'R-1', {}), 400, 'ATTRIBUTE_REQUIRED')
  expectError(await refund(id, 'R-1', bodyOf('0')), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await refund(id, 'a.b'), 400, 'ATTRIBUTE_VALUE_INVALID')
})
test('POST /payins/{idPayin}/refunds/{idRefund} → 410 there is no such payin', async () => {
  expectError(await refund(newId(), 'R-1'), 410, 'ENTITY_NOT_FOUND')
})

test('GET /payins/{idPayin}/refunds → 200 all refunds, the oldest first', async () => {
  const id = await paidPayin()
  assert.deepEqual(listAt(expectSuccess(await read(`/payins/${id}/refunds`), 200), 'data'), [])
  for (const name of ['R-2', 'R-1']) expectSuccess(await refund(id, name, bodyOf('1')), 201)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
  const data = listAt(expectSuccess(await read(`/payins/${id}/refunds`), 200), 'data')
  assert.deepEqual(
    data.map((each) => textAt(each, 'paymentMethodResponse', 'idRefund')),
    ['R-2', 'R-1'],
  )
})
test('GET /payins/{idPayin}/refunds → 400 the id is none', async () => {
  expectError(await read('/payins/a.b/refunds'), 400, 'ATTRIBUTE_VALUE_INVALID')
})
test('GET /payins/{idPayin}/refunds → 410 there is no such payin', async () => {
  expectError(await read(`/payins/${newId()}/refunds`), 410, 'ENTITY_NOT_FOUND')
})

test('GET /payins/{idPayin}/refunds/{idRefund} → 200 the refund', async () => {
  const id = await paidPayin()
  expectSuccess(await refund(id, 'R-1'), 201)
  const detail = await refundWithStatus(id, 'R-1', 'SUCCESS')
  assert.deepEqual(at(detail, 'paymentReceived'), { money: { amount: '40', currencyCode: 'EUR' } })
})
test('GET /payins/{idPayin}/refunds/{idRefund} → 400 the id is none', async () => {
  expectError(await read(`/payins/${newId()}/refunds/a.b`), 400, 'ATTRIBUTE_VALUE_INVALID')
})
test('GET /payins/{idPayin}/refunds/{idRefund} → 410 there is no such refund', async () => {
  expectError(await read(`/payins/${await paidPayin()}/refunds/R-1`), 410, 'ENTITY_NOT_FOUND')
})

test('the data of a refund is erased with its customer', async () => {
  const customers = await demo.token('POST /customers/.*')
  const act = (path: string) => gateway.send({ method: 'POST', path, token: customers, body: {} })
  const idCustomer = newId()
  expectSuccess(await act(`/customers/${idCustomer}`), 201)
  const id = newId()
  const body = { ...payinBody({ amount: '100', account: PAYER, email: 'success@sandbox.test' }) }
  const path = `/payins/${id}`
  expectSuccess(
    await gateway.send({ method: 'POST', path, token, body: { ...body, customer: { idCustomer } } }),
    201,
  )
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const accepted = expectSuccess(await refund(id, 'R-1', bodyOf('1')), 201)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
  expectSuccess(await act(`/customers/${idCustomer}/!erase`), 204)
  const left = await runSql(
    databaseUrl,
    `select 1 from payment_personal_data where id_payment = any ($1) and sealed is not null`,
    [[id, textAt(accepted, 'paymentMethodResponse', 'idPayout')]],
  )
  assert.deepEqual(left, [])
  expectRejected(await refund(id, 'R-2', bodyOf('1')), 'REFUND_ACCOUNT_REQUIRED')
  expectError(await refund(id, 'R-1', bodyOf('1')), 409, 'ENTITY_DUPLICATED')
})

test('the SDK refunds, finds its refund again, and lists it', async () => {
  const { code: merchantCode, privateKey } = demo
  const sdk = createGateway({ baseUrl: gateway.url, merchantCode, privateKey })
  const id = await paidPayin()
  const wanted = { money: { amount: '2', currencyCode: 'EUR' } }
  assert.equal((await sdk.refunds.create(id, 'R-1', wanted)).created, true)
  const again = await sdk.refunds.create(id, 'R-1', wanted)
  assert.equal(again.created, false)
  const [listed] = await sdk.refunds.list(id)
  assert.equal(listed?.paymentMethodResponse.idRefund, 'R-1')
  assert.deepEqual((await sdk.refunds.get(id, 'R-1')).refundRequested.money, wanted.money)
})

test('the books agree after all of it, and a refund beyond what was received is found', async () => {
  assert.equal((await gateway.cli('ledger', 'check')).code, 0)
  const id = await paidPayin()
  const accepted = expectSuccess(await refund(id, 'R-1', bodyOf('60')), 201)
  await refundWithStatus(id, 'R-1', 'SUCCESS')
  await runSql(
    databaseUrl,
    `update payments set received_amount = 59.99 where kind = 'PAYIN' and id_payment = $1`,
    [id],
  )
  const found = await check()
  assert.equal(found.code, 1)
  assert.match(
    found.stdout,
    new RegExp(`payin ${id} of merchant DEMO received 59.99 EUR and 60 EUR of it are refunded`),
  )
  await runSql(
    databaseUrl,
    `update payments set received_amount = 100 where kind = 'PAYIN' and id_payment = $1`,
    [id],
  )
  const idPayout = textAt(accepted, 'paymentMethodResponse', 'idPayout')
  await runSql(databaseUrl, `update payments set amount = 61 where kind = 'PAYOUT' and id_payment = $1`, [
    idPayout,
  ])
  assert.match((await check()).stdout, /is of 60 EUR; its payout is of 61 EUR/)
})
