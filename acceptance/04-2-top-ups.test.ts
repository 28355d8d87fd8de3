import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createGateway, type RawRequest } from '@tollgate/sdk'
import { callbackReceiver, setRateLimit, testDatabase, waitUntil } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { differenceOf, sumOf } from './support/decimal.ts'
import {
  expectError,
  expectOneLimited,
  expectSuccess,
  expectTokenNeeded,
  expectVersionNeeded,
  rejectionItem,
  violatedFields,
} from './support/expectations.ts'
import { startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId } from './support/payins.ts'
import {
  balanceIn,
  createTopUp,
  readTopUp,
  TOP_UP_OPERATIONS,
  topUpBody,
  topUpRequest,
  topUpWithStatus,
} from './support/topups.ts'

// Specification 4.2, with the statuses of 4.7.

const CALLBACK_TIMEOUT_MS = 60_000

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const demo = gateway.demo()
const token = await demo.token(...TOP_UP_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*')

const optionsRequest = (body: unknown, key: string | undefined = token): RawRequest => ({
  method: 'POST',
  path: '/topups/!availablePaymentOptions',
  token: key,
  body,
})
const readRequest = (id: string, key: string | undefined = token): RawRequest => ({
  method: 'GET',
  path: `/topups/${id}`,
  token: key,
})
const euros = (amount: string) => ({ money: { amount, currencyCode: 'EUR' } })
const euroBalance = () => balanceIn(gateway, token, 'EUR')

test('POST /topups/!availablePaymentOptions → 200 the methods by which a wallet can be topped up', async () => {
  const body = expectSuccess(await gateway.send(optionsRequest(euros('149.90'))), 200)
  const codes = listAt(body, 'data').map((item) => textAt(item, 'paymentMethodCode'))
  assert.deepEqual(codes, ['BANK_TRANSFER', 'WALLET'])
  const transfer = itemWith(listAt(body, 'data'), 'paymentMethodCode', 'BANK_TRANSFER')
  assert.deepEqual(at(transfer, 'fee'), { amount: '0.25', currencyCode: 'EUR' })
  assert.equal(at(transfer, 'externalReference'), 'NONE')
})

test('POST /topups/!availablePaymentOptions → 400 the money is missing, zero, or not a number', async () => {
  const refused = await gateway.send(optionsRequest({}))
  expectError(refused, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(refused), ['money'])
  expectError(await gateway.send(optionsRequest(euros('0'))), 400, 'ATTRIBUTE_VALUE_INVALID')
  const { body: _, ...bare } = optionsRequest(undefined)
  const rawBody = '{"money":{"amount":"10","currencyCode":"EUR"}}'
  expectError(await gateway.send({ ...bare, rawBody }), 400, 'ATTRIBUTE_INVALID')
})

test('POST /topups/!availablePaymentOptions → 406 one reason for every method that is left out', async () => {
  const response = await gateway.send(optionsRequest(euros('999999999')))
  expectError(response, 406, 'NO_OPTION_AVAILABLE')
  const limited = itemWith(listAt(response.body), 'paymentMethodCode', 'BANK_TRANSFER')
  assert.equal(at(limited, 'code'), 'AMOUNT_ABOVE_MAXIMUM')
})

test('POST /topups/{idTopUp} → 201 the top-up is accepted and says how to pay', async () => {
  const id = newId()
  const returnUrl = 'https://shop.example/treasury'
  const { body } = await createTopUp(gateway, token, { id, segmentCode: 'VIP', returnUrl })
  const money = { amount: '500', currencyCode: 'EUR' }
  assert.deepEqual(at(body, 'topUpRequested'), { money, segmentCode: 'VIP' })
  assert.equal(at(body, 'paymentRequested'), undefined)
  const answer = at(body, 'paymentMethodResponse')
  assert.deepEqual([at(answer, 'idTopUp'), at(answer, 'paymentMethodCode')], [id, 'BANK_TRANSFER'])
  assert.deepEqual([at(answer, 'money'), at(answer, 'returnUrl')], [money, returnUrl])
  assert.ok(textAt(answer, 'account', 'accountNumber').length > 0)
  assert.match(textAt(answer, 'reference'), /^\S{6,35}$/)
  assert.ok(Date.parse(textAt(answer, 'expireAt')) > Date.parse(textAt(answer, 'acceptedAt')))
})

test('what is asked for may be called paymentRequested, too', async () => {
  const id = newId()
  const { topUpRequested, ...rest } = topUpBody()
  const send = (body: unknown) => gateway.send({ ...topUpRequest(token, id), body })
  const accepted = await send({ ...rest, paymentRequested: topUpRequested })
  expectSuccess(accepted, 201)
  assert.deepEqual(at(accepted.body, 'topUpRequested'), euros('500'))
  const both = await send({ ...rest, topUpRequested, paymentRequested: { ...euros('500.00') } })
  assert.equal(at(both.body, 'duplicate'), 'IDENTICAL', both.text)
})

test('POST /topups/{idTopUp} → 400 nothing, two different things, or an impossible id is asked for', async () => {
  const { topUpRequested, ...rest } = topUpBody()
  const send = (body: unknown) => gateway.send({ ...topUpRequest(token, newId()), body })
  const missing = await send(rest)
  expectError(missing, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(missing), ['topUpRequested'])
  const torn = await send({ ...rest, topUpRequested, paymentRequested: euros('501') })
  expectError(torn, 400, 'ATTRIBUTE_VALUE_INVALID')
  assert.deepEqual(violatedFields(torn), ['paymentRequested'])
  const negative = await send(topUpBody({ amount: '-5' }))
  assert.deepEqual(violatedFields(negative), ['topUpRequested.money.amount'])
  for (const id of ['x'.repeat(251), 'a.b', 'a%2Fb'])
    expectError(await gateway.send(topUpRequest(token, id)), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /topups/{idTopUp} → 406 all the reasons at once, each with its field', async () => {
  const response = await gateway.send(
    topUpRequest(token, newId(), { amount: '0.505', segmentCode: 'NOBODY', method: 'OFFLINE_TRANSFER' }),
  )
  for (const [code, field] of [
    ['AMOUNT_PRECISION_INVALID', 'topUpRequested.money.amount'],
    ['SEGMENT_NOT_SUPPORTED', 'topUpRequested.segmentCode'],
    ['PAYMENT_METHOD_NOT_AVAILABLE', 'paymentMethod.paymentMethodCode'],
  ] as const) {
    expectError(response, 406, code)
    assert.equal(at(rejectionItem(response, code), 'field'), field)
  }
})

test('POST /topups/{idTopUp} → 409 the id was already accepted', async () => {
  const id = newId()
  const accepted = await createTopUp(gateway, token, { id })
  const again = await gateway.send(topUpRequest(token, id))
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  assert.equal(at(again.body, 'acceptedAt'), at(accepted.body, 'paymentMethodResponse', 'acceptedAt'))
  const other = await gateway.send(topUpRequest(token, id, { amount: '501', method: 'CHEQUE' }))
  expectError(other, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
})

test('a top-up and a payin may have the same id, and are not each other', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  expectError(await gateway.send(readRequest(id)), 410, 'ENTITY_NOT_FOUND')
  await createTopUp(gateway, token, { id })
  expectError(await gateway.send(createRequest(token, id)), 409, 'ENTITY_DUPLICATED')
})

test('GET /topups/{idTopUp} → 200 the detail, before and after the end', async () => {
  const waiting = newId()
  const accepted = await createTopUp(gateway, token, { id: waiting })
  const open = await readTopUp(gateway, token, waiting)
  assert.deepEqual(at(open, 'paymentRequested'), at(accepted.body, 'topUpRequested'))
  assert.deepEqual(at(open, 'paymentMethodResponse'), at(accepted.body, 'paymentMethodResponse'))
  assert.deepEqual([at(open, 'process', 'status'), at(open, 'fee')], ['CREATED', undefined])
  const paid = newId()
  await createTopUp(gateway, token, { id: paid, email: 'success@sandbox.test' })
  const detail = await topUpWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  assert.deepEqual(at(detail, 'paymentReceived', 'money'), { amount: '500', currencyCode: 'EUR' })
  assert.deepEqual(at(detail, 'fee'), { amount: '0.25', currencyCode: 'EUR' })
  assert.equal(at(detail, 'process', 'processorStatus'), 'CONFIRMED')
  assert.ok(textAt(detail, 'process', 'processedAt').length > 0)
})

test('GET /topups/{idTopUp} → 400 the id cannot be one', async () => {
  for (const id of ['x'.repeat(251), 'a~b'])
    expectError(await gateway.send(readRequest(id)), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /topups/{idTopUp} → 406 never: a top-up can be read in every status', async () => {
  for (const [email, status] of [
    ['declined@sandbox.test', 'FAILED'],
    ['cancelled@sandbox.test', 'CANCELLED'],
    ['nobody@example.com', 'CREATED'],
  ] as const) {
    const id = newId()
    await createTopUp(gateway, token, { id, email })
    await topUpWithStatus(gateway, token, { id, status })
  }
})

test('GET /topups/{idTopUp} → 410 there is no such top-up, or it is of another merchant', async () => {
  const id = newId()
  expectError(await gateway.send(readRequest(id)), 410, 'ENTITY_NOT_FOUND')
  await createTopUp(gateway, token, { id })
  const stranger = await (await addMerchant(gateway, 'STRANGER')).token(...TOP_UP_OPERATIONS)
  expectError(await gateway.send(readRequest(id, stranger)), 410, 'ENTITY_NOT_FOUND')
})

test('a success is available at once, less the fee, to the last digit', async () => {
  for (const [method, amount, currencyCode] of [
    ['BANK_TRANSFER', '250.01', 'EUR'],
    ['CRYPTO', '1.000000000000000001', 'ETH'],
  ] as const) {
    const before = await balanceIn(gateway, token, currencyCode)
    const id = newId()
    await createTopUp(gateway, token, { id, method, amount, currencyCode, email: 'success@sandbox.test' })
    const detail = await topUpWithStatus(gateway, token, { id, status: 'SUCCESS' })
    const net = differenceOf(amount, textAt(detail, 'fee', 'amount'))
    assert.deepEqual(await balanceIn(gateway, token, currencyCode), {
      ...before,
      available: sumOf([before.available, net]),
    })
  }
})

test('nothing that a merchant can send credits a balance', async () => {
  const before = await euroBalance()
  const id = newId()
  await createTopUp(gateway, token, { id, email: 'reference@sandbox.test' })
  const reference = { externalReference: 'PAID' }
  const process = { status: 'SUCCESS', processorStatus: 'CONFIRMED' }
  const paymentReceived = euros('500')
  const claims = [
    gateway.send(topUpRequest(token, id, { email: 'reference@sandbox.test' })),
    gateway.send({
      ...topUpRequest(token, newId()),
      body: { ...topUpBody(), process, paymentReceived, balance: euros('9') },
    }),
    gateway.send({
      method: 'POST',
      path: `/payins/${id}/!setExternalReference`,
      token,
      body: reference,
    }),
    gateway.send(readRequest(id)),
  ]
  const statuses = (await Promise.all(claims)).map(({ status }) => status)
  assert.deepEqual(statuses, [409, 201, 410, 200])
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const beside = { method, path: `/topups/${id}/!setExternalReference`, token, body: reference }
    expectError(await gateway.send(beside), 404, 'ROUTE_NOT_FOUND')
  }
  // Whatever the workers had to do with these is done once a later top-up is through.
  const declined = newId()
  await createTopUp(gateway, token, { id: declined, email: 'declined@sandbox.test' })
  await topUpWithStatus(gateway, token, { id: declined, status: 'FAILED' })
  assert.equal(at(await readTopUp(gateway, token, id), 'process', 'status'), 'CREATED')
  assert.deepEqual(await euroBalance(), before)
})

test('a change of status is called back where a callbackUrl was given', async (t) => {
  const receiver = await callbackReceiver(t)
  const [heard, silent] = [newId(), newId()]
  await createTopUp(gateway, token, { id: silent, email: 'success@sandbox.test' })
  const callbackUrl = `${receiver.url}/callbacks`
  await createTopUp(gateway, token, { id: heard, email: 'success@sandbox.test', callbackUrl })
  const [callback] = await receiver.waitForCount(1, CALLBACK_TIMEOUT_MS)
  assert.equal(callback?.body.toString(), JSON.stringify({ idEntity: heard }))
  await topUpWithStatus(gateway, token, { id: silent, status: 'SUCCESS' })
  assert.equal(receiver.requests.length, 1)
})

test('tokens by action open one top-up, and what a browser may see of it', async () => {
  const id = newId()
  const create = await demo.tokenFor({ action: 'TOPUP_CREATE', idPayment: id, ...euros('500') })
  expectSuccess(await gateway.send(optionsRequest(euros('500'), create)), 200)
  await createTopUp(gateway, create, { id })
  expectSuccess(await gateway.send(readRequest(id, create)), 200)
  expectError(await gateway.send(topUpRequest(create, newId())), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await gateway.send(optionsRequest(euros('501'), create)), 403, 'MONEY_NOT_PERMITTED')
  const info = await demo.tokenFor({ action: 'TOPUP_INFO', idPayment: id })
  expectSuccess(await gateway.send(readRequest(id, info)), 200)
  expectError(await gateway.send(topUpRequest(info, id)), 403, 'OPERATION_NOT_PERMITTED')
})

test('the command line shows a top-up with its timeline, and the books agree', async () => {
  const id = newId()
  await createTopUp(gateway, token, { id, email: 'success@sandbox.test' })
  await topUpWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const shown = await gateway.cli('topups', 'show', 'DEMO', id)
  assert.match(shown.stdout, new RegExp(`TOPUP ${id} of DEMO`))
  assert.match(shown.stdout, /SUCCESS \(CONFIRMED\)/)
  await gateway.cli('ledger', 'check')
})

test('the SDK takes a merchant through a top-up', async () => {
  const client = createGateway({ baseUrl: gateway.url, merchantCode: demo.code, privateKey: demo.privateKey })
  const money = { amount: '12.50', currencyCode: 'EUR' }
  const options = await client.topUps.options({ money })
  assert.ok(options.some((option) => option.paymentMethodCode === 'BANK_TRANSFER'))
  const id = newId()
  const request = { money, paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' }
  const first = await client.topUps.create(id, request)
  assert.ok(first.created)
  assert.deepEqual(first.topUp.topUpRequested.money, { ...money, amount: '12.5' })
  assert.equal((await client.topUps.create(id, request)).created, false)
  const other = { ...request, money: { ...money, amount: '13' } }
  await assert.rejects(client.topUps.create(id, other), { name: 'IdConflictError', status: 409 })
  await topUpWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.deepEqual((await client.topUps.read(id)).paymentReceived?.money, { ...money, amount: '12.5' })
})

// 401, 403, 404, 429 and 500 of every operation

const OPERATIONS = {
  options: (key: string | undefined) => optionsRequest(euros('10'), key),
  create: (key: string | undefined): RawRequest => ({ ...topUpRequest('', 'T-1'), token: key }),
  read: (key: string | undefined) => readRequest('T-1', key),
} as const
type Operation = keyof typeof OPERATIONS

test('POST /topups/!availablePaymentOptions → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.options(token)))
test('POST /topups/{idTopUp} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.create(token)))
test('GET /topups/{idTopUp} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.read(token)))

const otherToken = await demo.token(
  'POST /payins/.*',
  'GET /payins/.*',
  'GET /topups/T-2',
  'POST /topups/T-2',
)
const expectPermissionNeeded = async (operation: Operation): Promise<void> =>
  expectError(await gateway.send(OPERATIONS[operation](otherToken)), 403, 'OPERATION_NOT_PERMITTED')

test('POST /topups/!availablePaymentOptions → 403 the token is for something else', () =>
  expectPermissionNeeded('options'))
test('POST /topups/{idTopUp} → 403 the token is for something else', () => expectPermissionNeeded('create'))
test('GET /topups/{idTopUp} → 403 the token is for something else', () => expectPermissionNeeded('read'))

test('POST /topups/!availablePaymentOptions → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.options(token)))
test('POST /topups/{idTopUp} → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.create(token)))
test('GET /topups/{idTopUp} → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.read(token)))

const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...TOP_UP_OPERATIONS)
await setRateLimit(gateway.databaseUrl ?? '', 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

async function expectLimited(operation: Operation): Promise<void> {
  const request = OPERATIONS[operation](slowToken)
  expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send(request))))
}

test('POST /topups/!availablePaymentOptions → 429 more requests than the limit', () =>
  expectLimited('options'))
test('POST /topups/{idTopUp} → 429 more requests than the limit', () => expectLimited('create'))
test('GET /topups/{idTopUp} → 429 more requests than the limit', () => expectLimited('read'))

// A merchant whose methods the gateway has not read yet, so that it has to ask its database for them.
const fresh = await (await addMerchant(gateway, 'FRESH')).token(...TOP_UP_OPERATIONS)

async function expectSystemError(operation: Operation): Promise<void> {
  await door.shut()
  expectError(await gateway.send(OPERATIONS[operation](fresh)), 500, 'SYSTEM')
}

test('POST /topups/!availablePaymentOptions → 500 the database is away', () => expectSystemError('options'))
test('POST /topups/{idTopUp} → 500 the database is away', () => expectSystemError('create'))
test('GET /topups/{idTopUp} → 500 the database is away', () => expectSystemError('read'))

test('once the database is back, top-ups go on', async () => {
  await door.open()
  const isBack = async (): Promise<boolean> => (await gateway.send(readRequest(newId()))).status === 410
  await waitUntil(isBack, { timeoutMs: CALLBACK_TIMEOUT_MS, what: 'the gateway to go on' })
  await createTopUp(gateway, token, { id: newId() })
})
