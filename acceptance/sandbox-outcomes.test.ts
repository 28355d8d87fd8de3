import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import { differenceOf, sumOf } from './support/decimal.ts'
import { expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus, readPayin, type Wanted } from './support/payins.ts'

// What the addresses of the sandbox do, for every method and currency that it has.

const gateway = await startGateway({ after })
const token = await gateway.demo().token(...ALL_OPERATIONS)

const EXPIRES_SECONDS = 15
const SLOW_SECONDS = 10
const END_TIMEOUT_MS = 60_000

/** Under way from the start: the other tests run while these two wait. */
const expiring = { id: newId(), status: 'EXPIRED', timeoutMs: END_TIMEOUT_MS }
const slow = { id: newId(), status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS }
const receiver = await callbackReceiver({ after })
await createPayin(gateway, token, {
  id: expiring.id,
  email: 'expires@sandbox.test',
  callbackUrl: `${receiver.url}/expiring`,
})
await createPayin(gateway, token, {
  id: slow.id,
  email: 'slow@sandbox.test',
  callbackUrl: `${receiver.url}/slow`,
})

async function outcomeOf(email: string, status: string): Promise<unknown> {
  const id = newId()
  await createPayin(gateway, token, { id, email })
  return payinWithStatus(gateway, token, { id, status })
}

test('success@sandbox.test is paid at once and in full', async () => {
  const detail = await outcomeOf('success@sandbox.test', 'SUCCESS')
  assert.equal(at(detail, 'process', 'processorStatus'), 'CONFIRMED')
  assert.deepEqual(at(detail, 'paymentReceived', 'money'), at(detail, 'paymentRequested', 'money'))
  assert.equal(at(detail, 'process', 'failureReasons'), undefined)
})

test('the case of the address does not matter', async () => {
  await outcomeOf('Success@Sandbox.Test', 'SUCCESS')
})

test('declined@sandbox.test fails and says why', async () => {
  const detail = await outcomeOf('declined@sandbox.test', 'FAILED')
  assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), 'DECLINED')
  assert.ok(textAt(detail, 'process', 'failureReasons', 'message').length > 0)
  assert.ok(textAt(detail, 'process', 'processedAt').length > 0)
  assert.equal(at(detail, 'paymentReceived'), undefined)
})

test('insufficient-funds@sandbox.test fails for want of money', async () => {
  const detail = await outcomeOf('insufficient-funds@sandbox.test', 'FAILED')
  assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), 'INSUFFICIENT_FUNDS')
})

test('cancelled@sandbox.test is cancelled by the customer', async () => {
  const detail = await outcomeOf('cancelled@sandbox.test', 'CANCELLED')
  assert.ok(textAt(detail, 'process', 'processedAt').length > 0)
})

for (const method of ['OFFLINE_TRANSFER', 'BANK_TRANSFER']) {
  test(`reference@sandbox.test waits for the reference, then succeeds: ${method}`, async () => {
    const id = newId()
    const account = { accountName: 'Ada Lovelace' }
    await createPayin(gateway, token, { id, method, account, email: 'reference@sandbox.test' })
    const waiting = await readPayin(gateway, token, id)
    assert.equal(at(waiting, 'process', 'status'), 'CREATED')
    assert.equal(at(waiting, 'process', 'processorStatus'), 'AWAITING_REFERENCE')
    const path = `/payins/${id}/!setExternalReference`
    const body = { externalReference: '316547829301' }
    expectSuccess(await gateway.send({ method: 'POST', path, token, body }), 204)
    const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
    assert.equal(at(detail, 'externalReference'), '316547829301')
  })
}

test('an ordinary address, an unknown one of the sandbox and none at all wait for the customer', async () => {
  const ids = await Promise.all(
    [undefined, 'ada@example.com', 'nobody@sandbox.test'].map(async (email) => {
      const id = newId()
      await createPayin(gateway, token, { id, ...(email === undefined ? {} : { email }) })
      return id
    }),
  )
  await outcomeOf('success@sandbox.test', 'SUCCESS')
  for (const id of ids) {
    const detail = await readPayin(gateway, token, id)
    assert.equal(at(detail, 'process', 'status'), 'CREATED')
    assert.equal(at(detail, 'process', 'processorStatus'), 'AWAITING_CUSTOMER')
  }
})

test('every method succeeds in every currency that it takes, and the books add up', async () => {
  const before = await balancesNow()
  const methods = listAt(
    expectSuccess(await gateway.send({ method: 'GET', path: '/payment-methods', token }), 200),
    'data',
  )
  const payins = methods.flatMap((method) =>
    listAt(method, 'limits')
      .filter((limit) => at(limit, 'operation') === 'PAYIN' && at(limit, 'segmentCode') === undefined)
      .map((limit) => ({
        id: newId(),
        method: textAt(method, 'paymentMethodCode'),
        currencyCode: textAt(limit, 'currencyCode'),
        amount: textAt(limit, 'minAmount'),
      })),
  )
  assert.ok(payins.length >= 28, `${payins.length} pairs of method and currency`)
  const earned = await Promise.all(payins.map((payin) => succeed(payin)))
  const gained = await balancesNow()
  for (const [currencyCode, balance] of gained) {
    const own = earned.filter((each) => each.currencyCode === currencyCode).map((each) => each.net)
    assert.equal(balance, sumOf([before.get(currencyCode) ?? '0', ...own]), currencyCode)
  }
})

async function succeed(payin: {
  readonly id: string
  readonly method: string
  readonly currencyCode: string
  readonly amount: string
}): Promise<{ readonly currencyCode: string; readonly net: string }> {
  const { id, method, currencyCode, amount } = payin
  const options = await gateway.send({
    method: 'POST',
    path: '/payins/!availablePaymentOptions',
    token,
    body: { money: { amount, currencyCode } },
  })
  const option = itemWith(listAt(expectSuccess(options, 200), 'data'), 'paymentMethodCode', method)
  await createPayin(gateway, token, { ...payin, ...dataFor(option), email: 'success@sandbox.test' })
  const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  return { currencyCode, net: differenceOf(amount, textAt(detail, 'fee', 'amount')) }
}

/** Fills in what the option asks for, as a payment form would. */
function dataFor(option: unknown): Wanted {
  const required = listAt(option, 'fields')
    .filter((field) => at(field, 'required') === true)
    .map((field) => textAt(field, 'name'))
  const operator = required.includes('paymentOperatorCode')
    ? textAt(option, 'paymentOperators', 0, 'code')
    : undefined
  return {
    account: { accountName: 'Ada Lovelace' },
    ...(operator === undefined ? {} : { operator }),
  }
}

async function balancesNow(): Promise<ReadonlyMap<string, string>> {
  const body = expectSuccess(await gateway.send({ method: 'GET', path: '/balances', token }), 200)
  return new Map(
    listAt(body, 'data').map((each) => [textAt(each, 'currencyCode'), textAt(each, 'balance', 'amount')]),
  )
}

test('each flow comes with what the customer needs to pay', async () => {
  const cases = [
    { wanted: { method: 'BANK_TRANSFER' }, paths: [['account', 'accountNumber']] },
    {
      wanted: { method: 'ONLINE_BANKING', operator: 'SPARKASSE_ELBSTROM' },
      paths: [['redirectUrl'], ['paymentOperatorCode']],
    },
    { wanted: { method: 'WALLET', operator: 'OTTER_WALLET' }, paths: [['redirectUrl']] },
    {
      wanted: { method: 'UPI', currencyCode: 'INR' },
      paths: [
        ['qr', 'content'],
        ['deepLinks', 0],
      ],
    },
    {
      wanted: { method: 'PIX', currencyCode: 'BRL' },
      paths: [
        ['qr', 'format'],
        ['qr', 'content'],
      ],
    },
    { wanted: { method: 'CRYPTO', currencyCode: 'BTC', amount: '0.5' }, paths: [['qr', 'content']] },
  ] as const
  for (const { wanted, paths } of cases) {
    const { body } = await createPayin(gateway, token, { id: newId(), ...wanted })
    for (const path of paths) assert.ok(textAt(body, 'paymentMethodResponse', ...path).length > 0)
  }
})

test('slow@sandbox.test succeeds after 10 seconds, and calls back then', async () => {
  const detail = await payinWithStatus(gateway, token, slow)
  assert.ok(secondsToEnd(detail) >= SLOW_SECONDS, `${secondsToEnd(detail)} s`)
  const calls = await untilCalled('/slow')
  assert.deepEqual(calls, [`{"idEntity":"${slow.id}"}`])
})

test('expires@sandbox.test expires after 15 seconds, and calls back then', async () => {
  const detail = await payinWithStatus(gateway, token, expiring)
  assert.ok(secondsToEnd(detail) >= EXPIRES_SECONDS, `${secondsToEnd(detail)} s`)
  assert.equal(at(detail, 'paymentReceived'), undefined)
  const calls = await untilCalled('/expiring')
  assert.deepEqual(calls, [`{"idEntity":"${expiring.id}"}`])
})

function secondsToEnd(detail: unknown): number {
  const createdAt = Date.parse(textAt(detail, 'process', 'createdAt'))
  return (Date.parse(textAt(detail, 'process', 'processedAt')) - createdAt) / 1000
}

async function untilCalled(path: string): Promise<readonly string[]> {
  const callsTo = (): readonly string[] =>
    receiver.requests.filter((request) => request.path === path).map((request) => request.body)
  await waitUntil(() => callsTo().length > 0, { timeoutMs: END_TIMEOUT_MS, what: `a callback to ${path}` })
  return callsTo()
}
