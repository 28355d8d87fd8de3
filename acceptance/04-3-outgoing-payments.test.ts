import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type { RawRequest } from '@tollgate/sdk'
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
import { RATE_UNLIMITED, startGateway, untilRateLimitIs } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { createPayin, newId } from './support/payins.ts'
import {
  createPayout,
  PAYOUT_OPERATIONS,
  payoutBody,
  payoutRequest,
  payoutWithStatus,
  readPayout,
} from './support/payouts.ts'
import { balanceIn, fundBalance } from './support/topups.ts'

// Specification 4.3, with the records of 2.4 to 2.6 and the statuses of 4.7.

const CHANGE_TIMEOUT_MS = 60_000
const BOUNCE_SECONDS = 10
const UNKNOWN_SECONDS = 15
const END_TIMEOUT_MS = 60_000

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...PAYOUT_OPERATIONS, 'POST /payins/.*')
const receiver = await callbackReceiver({ after })

// Under way from the start: the other tests run while these wait.
const bouncing = await addFunded('BOUNCING', '100.25')
const bouncingId = newId()
await createPayout(gateway, bouncing, {
  id: bouncingId,
  email: 'bounce@sandbox.test',
  callbackUrl: `${receiver.url}/bouncing`,
})
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
const unknownId = newId()
await createPayout(gateway, token, {
  id: unknownId,
  email: 'unknown@sandbox.test',
  callbackUrl: `${receiver.url}/unknown`,
})
const small = await addFunded('SMALL', '200.25')

/** A token of a new merchant that was topped up by this, the fee of 0.25 included. */
async function addFunded(code: string, amount: string): Promise<string> {
  const merchant = await addMerchant(gateway, code)
  await gateway.cli('merchants', 'enable-method', code, 'all')
  await setRateLimit(databaseUrl, code, RATE_UNLIMITED)
  const key = await merchant.token(...PAYOUT_OPERATIONS)
  await fundBalance(gateway, key, { id: newId(), amount })
  return key
}

const callbacksTo = (path: string): number =>
  receiver.requests.filter((request) => request.path === path).length

const optionsRequest = (body: unknown, key: string | undefined = token): RawRequest => ({
  method: 'POST',
  path: '/payouts/!availablePaymentOptions',
  token: key,
  body,
})
const readRequest = (id: string, key: string | undefined = token): RawRequest => ({
  method: 'GET',
  path: `/payouts/${id}`,
  token: key,
})
const euros = (amount: string) => ({ money: { amount, currencyCode: 'EUR' } })

test('POST /payouts/!availablePaymentOptions → 200 the methods by which money can be sent', async () => {
  const body = expectSuccess(await gateway.send(optionsRequest(euros('149.90'))), 200)
  const codes = listAt(body, 'data').map((item) => textAt(item, 'paymentMethodCode'))
  assert.deepEqual(codes, ['BANK_TRANSFER', 'WALLET'])
  const transfer = itemWith(listAt(body, 'data'), 'paymentMethodCode', 'BANK_TRANSFER')
  assert.deepEqual(at(transfer, 'fee'), { amount: '0.5', currencyCode: 'EUR' })
  const needed = listAt(transfer, 'fields').filter((field) => at(field, 'required') === true)
  assert.deepEqual(
    needed.map((field) => at(field, 'name')),
    ['accountName', 'accountNumber'],
  )
})

test('POST /payouts/!availablePaymentOptions → 400 the money is missing, zero, or not a number', async () => {
  const refused = await gateway.send(optionsRequest({}))
  expectError(refused, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(refused), ['money'])
  expectError(await gateway.send(optionsRequest(euros('0'))), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /payouts/!availablePaymentOptions → 406 one reason for every method that is left out', async () => {
  const response = await gateway.send(optionsRequest(euros('999999999')))
  expectError(response, 406, 'NO_OPTION_AVAILABLE')
  const limited = itemWith(listAt(response.body), 'paymentMethodCode', 'BANK_TRANSFER')
  assert.equal(at(limited, 'code'), 'AMOUNT_ABOVE_MAXIMUM')
})

test('POST /payouts/{idPayout} → 201 the payout is accepted, and its amount and fee are held', async () => {
  const id = newId()
  const before = await balanceIn(gateway, small, 'EUR')
  const waits = { id, amount: '50', email: 'approval@sandbox.test' }
  const { body } = await createPayout(gateway, small, waits)
  const money = { amount: '50', currencyCode: 'EUR' }
  assert.deepEqual(at(body, 'paymentRequested'), { money })
  const answer = at(body, 'paymentMethodResponse')
  assert.deepEqual([at(answer, 'idPayout'), at(answer, 'paymentMethodCode')], [id, 'BANK_TRANSFER'])
  assert.deepEqual(at(answer, 'money'), money)
  assert.match(textAt(answer, 'reference'), /^\S{6,35}$/)
  assert.ok(Date.parse(textAt(answer, 'expireAt')) > Date.parse(textAt(answer, 'acceptedAt')))
  assert.deepEqual(await balanceIn(gateway, small, 'EUR'), {
    available: differenceOf(before.available, '50.5'),
    notSettled: '0',
    reserved: sumOf([before.reserved, '50.5']),
  })
})

test('POST /payouts/{idPayout} → 400 something is missing, is of the wrong kind, or the id cannot be one', async () => {
  const { callbackUrl: _, ...silent } = payoutBody()
  const missing = await gateway.send({ ...payoutRequest(token, newId()), body: silent })
  expectError(missing, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(missing), ['callbackUrl'])
  const negative = await gateway.send(payoutRequest(token, newId(), { amount: '-5' }))
  assert.deepEqual(violatedFields(negative), ['paymentRequested.money.amount'])
  for (const id of ['x'.repeat(251), 'a.b', 'a%2Fb'])
    expectError(await gateway.send(payoutRequest(token, id)), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /payouts/{idPayout} → 406 all the reasons at once, each with its field', async () => {
  const response = await gateway.send(
    payoutRequest(token, newId(), { amount: '10.505', account: { accountName: 'Ada Lovelace' } }),
  )
  for (const [code, field] of [
    ['AMOUNT_PRECISION_INVALID', 'paymentRequested.money.amount'],
    ['ACCOUNT_REQUIRED', 'paymentMethod.account.accountNumber'],
  ] as const) {
    expectError(response, 406, code)
    assert.equal(at(rejectionItem(response, code), 'field'), field)
  }
})

test('POST /payouts/{idPayout} → 409 the id was already accepted', async () => {
  const id = newId()
  const accepted = await createPayout(gateway, token, { id })
  const again = await gateway.send(payoutRequest(token, id))
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  assert.equal(at(again.body, 'acceptedAt'), at(accepted.body, 'paymentMethodResponse', 'acceptedAt'))
  const other = await gateway.send(payoutRequest(token, id, { amount: '11', method: 'CHEQUE' }))
  expectError(other, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
})

test('a member that payouts do not have is ignored, whatever it holds', async () => {
  for (const returnUrl of [
    null,
    5,
    '',
    {},
    { toString: 'https://shop.example/' },
    ['https://shop.example/'],
  ]) {
    const id = newId()
    const body = { ...payoutBody({ amount: '1' }), returnUrl }
    const accepted = await gateway.send({ ...payoutRequest(token, id), body })
    assert.equal(accepted.status, 201, accepted.text)
    assert.doesNotMatch(accepted.text, /returnUrl/)
    const again = await gateway.send(payoutRequest(token, id, { amount: '1' }))
    assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  }
})

test('a repeat of an accepted payout is 409, never 406: with no balance left, and with its method switched off', async () => {
  const key = await addFunded('REPEATING', '10.75')
  const id = newId()
  const tooMuch = newId()
  expectError(
    await gateway.send(payoutRequest(key, tooMuch, { amount: '10.01' })),
    406,
    'BALANCE_INSUFFICIENT',
  )
  expectError(await gateway.send(readRequest(tooMuch, key)), 410, 'ENTITY_NOT_FOUND')
  await createPayout(gateway, key, { id })
  expectError(await gateway.send(payoutRequest(key, tooMuch, { amount: '1' })), 406, 'BALANCE_INSUFFICIENT')
  const expectDuplicate = async (): Promise<void> => {
    const again = await gateway.send(payoutRequest(key, id))
    expectError(again, 409, 'ENTITY_DUPLICATED')
    assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  }
  await expectDuplicate()
  await gateway.cli('merchants', 'disable-method', 'REPEATING', 'BANK_TRANSFER', '--direction', 'payout')
  const isOff = async (): Promise<boolean> => {
    const { body } = await gateway.send(payoutRequest(key, newId()))
    return at(body, 0, 'code') === 'PAYMENT_METHOD_NOT_AVAILABLE'
  }
  await waitUntil(isOff, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the method to be off' })
  await expectDuplicate()
})

test('a payin and a payout may have the same id, and are not each other', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  expectError(await gateway.send(readRequest(id)), 410, 'ENTITY_NOT_FOUND')
  await createPayout(gateway, token, { id })
})

test('GET /payouts/{idPayout} → 200 the detail, before and after the end, and no account in it', async () => {
  const waiting = newId()
  const email = 'approval@sandbox.test'
  const accepted = await createPayout(gateway, token, { id: waiting, email })
  const open = await readPayout(gateway, token, waiting)
  assert.deepEqual(at(open, 'paymentRequested'), at(accepted.body, 'paymentRequested'))
  assert.deepEqual(at(open, 'paymentMethodResponse'), at(accepted.body, 'paymentMethodResponse'))
  assert.deepEqual(
    [at(open, 'process', 'status'), at(open, 'process', 'processorStatus')],
    ['CREATED', 'AWAITING_APPROVAL'],
  )
  assert.equal(at(open, 'fee'), undefined)
  const paid = newId()
  await createPayout(gateway, token, { id: paid })
  const detail = await payoutWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  assert.deepEqual(at(detail, 'fee'), { amount: '0.5', currencyCode: 'EUR' })
  assert.equal(at(detail, 'process', 'isTest'), true)
  assert.ok(textAt(detail, 'process', 'processedAt').length > 0)
  for (const answer of [accepted.body, open, detail])
    assert.doesNotMatch(JSON.stringify(answer), /DE8937|Lovelace|sandbox[.]test/)
})

test('GET /payouts/{idPayout} → 400 the id cannot be one', async () => {
  for (const id of ['x'.repeat(251), 'a~b', '%25'])
    expectError(await gateway.send(readRequest(id)), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /payouts/{idPayout} → 406 never: a payout can be read in every status', async () => {
  for (const [email, status] of [
    ['declined@sandbox.test', 'FAILED'],
    ['success@sandbox.test', 'SUCCESS'],
    ['approval@sandbox.test', 'CREATED'],
  ] as const) {
    const id = newId()
    await createPayout(gateway, token, { id, email })
    await payoutWithStatus(gateway, token, { id, status })
  }
})

test('GET /payouts/{idPayout} → 410 there is no such payout, or it is somebody else’s', async () => {
  expectError(await gateway.send(readRequest(newId())), 410, 'ENTITY_NOT_FOUND')
  expectError(await gateway.send(readRequest(bouncingId)), 410, 'ENTITY_NOT_FOUND')
})

test('tokens by action open one payout, and what a browser may see of it', async () => {
  const id = newId()
  const create = await demo.tokenFor({ action: 'PAYOUT_CREATE', idPayment: id, ...euros('10') })
  expectSuccess(await gateway.send(optionsRequest(euros('10'), create)), 200)
  await createPayout(gateway, create, { id })
  expectSuccess(await gateway.send(readRequest(id, create)), 200)
  expectError(await gateway.send(payoutRequest(create, newId())), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await gateway.send(payoutRequest(create, id, { amount: '11' })), 403, 'MONEY_NOT_PERMITTED')
  const info = await demo.tokenFor({ action: 'PAYOUT_INFO', idPayment: id })
  expectSuccess(await gateway.send(readRequest(id, info)), 200)
  expectError(await gateway.send(payoutRequest(info, id)), 403, 'OPERATION_NOT_PERMITTED')
})

test('success@sandbox.test is paid at once: amount and fee leave the balance, and stay away', async () => {
  const before = await balanceIn(gateway, small, 'EUR')
  const id = newId()
  await createPayout(gateway, small, { id, email: 'success@sandbox.test' })
  const detail = await payoutWithStatus(gateway, small, { id, status: 'SUCCESS' })
  assert.deepEqual(at(detail, 'fee'), { amount: '0.5', currencyCode: 'EUR' })
  const after = await balanceIn(gateway, small, 'EUR')
  assert.deepEqual(after, { ...before, available: differenceOf(before.available, '10.5') })
})

for (const [email, code] of [
  ['declined@sandbox.test', 'DECLINED'],
  ['account-closed@sandbox.test', 'ACCOUNT_CLOSED'],
] as const) {
  test(`${email} fails, says why, and the money is free again`, async () => {
    const before = await balanceIn(gateway, small, 'EUR')
    const id = newId()
    await createPayout(gateway, small, { id, email })
    const detail = await payoutWithStatus(gateway, small, { id, status: 'FAILED' })
    assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), code)
    assert.equal(at(detail, 'fee'), undefined)
    assert.deepEqual(await balanceIn(gateway, small, 'EUR'), before)
  })
}

test('a cap of the day holds for payouts, too', async () => {
  const limit = ['--currency', 'EUR', '--direction', 'payout', '--daily-count', '5']
  await gateway.cli('merchants', 'set-limit', 'SMALL', 'BANK_TRANSFER', ...limit)
  const isCapped = async (): Promise<boolean> => {
    const response = await gateway.send(payoutRequest(small, newId(), { amount: '1' }))
    if (response.status === 406) expectError(response, 406, 'CHANNEL_LIMIT')
    return response.status === 406
  }
  await waitUntil(isCapped, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the cap to be known and used up' })
})

test('every method pays out in every currency that it takes', async () => {
  const key = await demo.token(...PAYOUT_OPERATIONS, 'GET /payment-methods')
  const methods = await gateway.send({ method: 'GET', path: '/payment-methods', token: key })
  const accounts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    WALLET: { accountNumber: 'ada@wallet.example' },
    UPI: { accountName: 'Ada', accountNumber: 'ada@bank' },
    PIX: { accountName: 'Ada', accountNumber: 'ada@bank.example' },
    CRYPTO: { accountNumber: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' },
    ETH: { accountNumber: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  }
  const wanted = listAt(methods.body, 'data').flatMap((method) =>
    listAt(method, 'limits')
      .filter((limit) => at(limit, 'operation') === 'PAYOUT' && at(limit, 'segmentCode') === undefined)
      .map((limit) => ({ method, limit })),
  )
  assert.ok(wanted.length >= 15, `${wanted.length} pairs of method and currency`)
  await Promise.all(
    wanted.map(async ({ method, limit }) => {
      const code = textAt(method, 'paymentMethodCode')
      const currencyCode = textAt(limit, 'currencyCode')
      const path = '/payouts/!availablePaymentOptions'
      const amount = textAt(limit, 'minAmount')
      const body = { money: { amount, currencyCode } }
      const options = await gateway.send({ method: 'POST', path, token: key, body })
      const option = itemWith(listAt(options.body, 'data'), 'paymentMethodCode', code)
      const operator = listAt(option, 'paymentOperators').map((each) => textAt(each, 'code'))[0]
      const top = currencyCode === 'BTC' || currencyCode === 'ETH' ? '1' : '2000'
      if (currencyCode !== 'EUR') {
        const by = code === 'CRYPTO' ? 'CRYPTO' : 'BANK_TRANSFER'
        await fundBalance(gateway, key, { id: newId(), amount: top, currencyCode, method: by })
      }
      const account = accounts[currencyCode] ?? accounts[code]
      const id = newId()
      await createPayout(gateway, key, {
        id,
        amount,
        currencyCode,
        method: code,
        ...(operator !== undefined && { operator }),
        ...(account !== undefined && { account }),
      })
      await payoutWithStatus(gateway, key, { id, status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS })
    }),
  )
})

test('an account on the block-list is refused with its field, until it is taken off', async () => {
  const blocked = { accountName: 'Mallory', accountNumber: 'FR1420041010050500013M02606' }
  const file = `${gateway.dataDir}/accounts.txt`
  writeFileSync(file, 'FR14 2004 1010 0505 0001 3M02 606\n')
  const key = ['--operator-key-file', `${gateway.dataDir}/demo/operator-ada.key`]
  await gateway.cli('payouts', 'block', 'DEMO', file, '--note', 'fraud', ...key)
  const send = () => gateway.send(payoutRequest(token, newId(), { account: blocked, amount: '1' }))
  const isBlocked = async (): Promise<boolean> => (await send()).status === 406
  await waitUntil(isBlocked, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the account to be blocked' })
  const refused = await send()
  expectError(refused, 406, 'BENEFICIARY_BLOCKED')
  const item = rejectionItem(refused, 'BENEFICIARY_BLOCKED')
  assert.equal(at(item, 'field'), 'paymentMethod.account.accountNumber')
  const { stdout } = await gateway.cli('payouts', 'blocked', '--merchant', 'DEMO')
  assert.match(stdout, /DEMO +[0-9a-f]{12} +fraud +ada/)
  assert.doesNotMatch(stdout, /FR14/)
  await gateway.cli('payouts', 'unblock', 'DEMO', file, ...key)
  const isFree = async (): Promise<boolean> => (await send()).status === 201
  await waitUntil(isFree, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the account to be free' })
})

test('the command line shows a payout with its timeline', async () => {
  const id = newId()
  await createPayout(gateway, token, { id })
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const shown = await gateway.cli('payouts', 'show', 'DEMO', id)
  assert.match(shown.stdout, new RegExp(`PAYOUT ${id} of DEMO`))
  assert.match(shown.stdout, /QUEUED[\s\S]*SUBMITTED[\s\S]*CONFIRMED/)
  assert.doesNotMatch(shown.stdout, /DE8937|Lovelace/)
})

test('bounce@sandbox.test succeeds, comes back, and is called back twice; the fee stays charged', async () => {
  const [id, key] = [bouncingId, bouncing]
  const detail = await payoutWithStatus(gateway, key, { id, status: 'REVERSED', timeoutMs: END_TIMEOUT_MS })
  assert.deepEqual(at(detail, 'fee'), { amount: '0.5', currencyCode: 'EUR' })
  assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), 'RETURNED')
  assert.equal(at(detail, 'paymentReceived'), undefined)
  assert.deepEqual(at(detail, 'paymentReversed'), {
    money: at(detail, 'paymentRequested', 'money'),
    reversedAt: at(detail, 'process', 'failureReasons', 'failedAt'),
  })
  await waitUntil(() => callbacksTo('/bouncing') === 2, { timeoutMs: END_TIMEOUT_MS, what: 'two callbacks' })
  const bodies = receiver.requests.filter(({ path }) => path === '/bouncing').map(({ body }) => body)
  assert.deepEqual(bodies, [JSON.stringify({ idEntity: id }), JSON.stringify({ idEntity: id })])
  const headers = receiver.requests.find(({ path }) => path === '/bouncing')?.headers
  assert.equal(headers?.['webhook-event-type'], 'payout.status')
  assert.deepEqual(await balanceIn(gateway, key, 'EUR'), {
    available: '99.5',
    notSettled: '0',
    reserved: '0',
  })
  const { stdout } = await gateway.cli('payouts', 'show', 'BOUNCING', id, '--json')
  const timeline = listAt(JSON.parse(stdout), 'timeline')
  const timeOf = (status: string) => Date.parse(textAt(itemWith(timeline, 'status', status), 'happenedAt'))
  assert.ok(timeOf('REVERSED') - timeOf('CREATED') >= BOUNCE_SECONDS * 1000)
})

test('unknown@sandbox.test is asked for until it is known, and is handed over once', async () => {
  const [id, key] = [unknownId, token]
  const detail = await payoutWithStatus(gateway, key, { id, status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS })
  const { createdAt, processedAt } = Object(at(detail, 'process'))
  assert.ok(Date.parse(String(processedAt)) - Date.parse(String(createdAt)) >= UNKNOWN_SECONDS * 1000)
  const { stdout } = await gateway.cli('payouts', 'show', 'DEMO', id, '--json')
  const phases = listAt(JSON.parse(stdout), 'timeline').map((line) => textAt(line, 'processorStatus'))
  assert.deepEqual(phases, ['QUEUED', 'SUBMITTED', 'UNKNOWN', 'CONFIRMED'])
  await waitUntil(() => callbacksTo('/unknown') === 1, { timeoutMs: END_TIMEOUT_MS, what: 'one callback' })
})

test('after all this the books agree', async () => {
  await gateway.cli('ledger', 'check')
})

// 401, 403, 404, 429 and 500 of every operation

const OPERATIONS = {
  options: (key: string | undefined) => optionsRequest(euros('10'), key),
  create: (key: string | undefined): RawRequest => ({ ...payoutRequest('', 'P-1'), token: key }),
  read: (key: string | undefined) => readRequest('P-1', key),
} as const
type Operation = keyof typeof OPERATIONS

test('POST /payouts/!availablePaymentOptions → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.options(token)))
test('POST /payouts/{idPayout} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.create(token)))
test('GET /payouts/{idPayout} → 401 the token is missing or wrong', () =>
  expectTokenNeeded(gateway.send, OPERATIONS.read(token)))

const otherToken = await demo.token('POST /payins/.*', 'GET /payins/.*', 'GET /payouts/P-2')
const expectPermissionNeeded = async (operation: Operation): Promise<void> =>
  expectError(await gateway.send(OPERATIONS[operation](otherToken)), 403, 'OPERATION_NOT_PERMITTED')

test('POST /payouts/!availablePaymentOptions → 403 the token is for something else', () =>
  expectPermissionNeeded('options'))
test('POST /payouts/{idPayout} → 403 the token is for something else', () => expectPermissionNeeded('create'))
test('GET /payouts/{idPayout} → 403 the token is for something else', () => expectPermissionNeeded('read'))

test('POST /payouts/!availablePaymentOptions → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.options(token)))
test('POST /payouts/{idPayout} → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.create(token)))
test('GET /payouts/{idPayout} → 404 the version is missing or not supported', () =>
  expectVersionNeeded(gateway.send, OPERATIONS.read(token)))

const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...PAYOUT_OPERATIONS)
await setRateLimit(databaseUrl, 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

async function expectLimited(operation: Operation): Promise<void> {
  const request = OPERATIONS[operation](slowToken)
  expectOneLimited(await Promise.all([1, 2, 3].map(() => gateway.send(request))))
}

test('POST /payouts/!availablePaymentOptions → 429 more requests than the limit', () =>
  expectLimited('options'))
test('POST /payouts/{idPayout} → 429 more requests than the limit', () => expectLimited('create'))
test('GET /payouts/{idPayout} → 429 more requests than the limit', () => expectLimited('read'))

// A merchant whose methods and rules the gateway has not read yet, so that it has to ask its database for them.
const fresh = await (await addMerchant(gateway, 'FRESH')).token(...PAYOUT_OPERATIONS)

async function expectSystemError(operation: Operation): Promise<void> {
  await door.shut()
  expectError(await gateway.send(OPERATIONS[operation](fresh)), 500, 'SYSTEM')
}

test('POST /payouts/!availablePaymentOptions → 500 the database is away', () => expectSystemError('options'))
test('POST /payouts/{idPayout} → 500 the database is away', () => expectSystemError('create'))
test('GET /payouts/{idPayout} → 500 the database is away', () => expectSystemError('read'))

test('once the database is back, payouts go on', async () => {
  await door.open()
  const isBack = async (): Promise<boolean> => (await gateway.send(readRequest(newId()))).status === 410
  await waitUntil(isBack, { timeoutMs: END_TIMEOUT_MS, what: 'the gateway to go on' })
  await createPayout(gateway, token, { id: newId(), amount: '1' })
})
