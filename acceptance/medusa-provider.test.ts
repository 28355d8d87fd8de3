import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, test } from 'node:test'
import medusaModule, { openPaymentsJob, TollgateProvider } from '@tollgate/medusa-provider'
import { callbackReceiver, faultProxy, waitUntil } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { containerOf, medusaShop, newStore, payOnPage } from './support/medusa.ts'
import { newId, payinWithStatus, readPayin } from './support/payins.ts'
import { fundBalance, TOP_UP_OPERATIONS } from './support/topups.ts'

// The payment provider for Medusa, called as Medusa calls it, against a gateway. With Medusa itself: npm run lab -- medusa.

const TIMEOUT_MS = 60_000
const gateway = await startGateway({ after })
const receiver = await callbackReceiver({ after })
const proxy = await faultProxy({ after }, gateway.url)
const demo = gateway.demo()
const token = await demo.token('POST /payins/.*', 'GET /payins/.*')
const { provider, options } = medusaShop(gateway, { callbackUrl: receiver.url })

before(async () => {
  const topUps = await demo.token(...TOP_UP_OPERATIONS)
  await fundBalance(gateway, topUps, { id: newId(), amount: '5000' })
})

const newSession = (): string => `payses_${randomBytes(13).toString('hex').toUpperCase()}`

/** A session of Medusa; its data is what the provider wants stored. */
async function session(amount: unknown = 149.9, id = newSession(), data: Record<string, unknown> = {}) {
  const input = { amount, currency_code: 'eur', data: { ...data, session_id: id } }
  const made = await provider.initiatePayment({ ...input, context: { idempotency_key: id } })
  return { id, data: { ...data, ...made.data } }
}

/** A session whose customer has paid, or not: the address of the sandbox decides. */
async function sessionThatIs(status: string, email: string, amount?: unknown) {
  const made = await session(amount)
  assert.equal((await payOnPage(gateway, made.data, email)).status, 201)
  await payinWithStatus(gateway, token, { id: made.id, status, timeoutMs: TIMEOUT_MS })
  return made
}

const paidSession = (amount?: unknown) => sessionThatIs('SUCCESS', 'success@sandbox.test', amount)

/** The callback about the payin, as Medusa hands it over. */
async function callbackAbout(id: string, eventType = 'payin.status') {
  const find = () =>
    receiver.requests.find(
      ({ body, headers }) =>
        textAt(JSON.parse(body), 'idEntity') === id && headers['webhook-event-type'] === eventType,
    )
  await waitUntil(() => find() !== undefined, { timeoutMs: TIMEOUT_MS, what: `a ${eventType} about ${id}` })
  const { bodyBytes, headers } = find() ?? assert.fail()
  return { rawData: bodyBytes, headers: { ...headers } }
}

const notAllowed = (message: RegExp) => (error: unknown) => {
  assert.equal(at(error, 'type'), 'not_allowed', String(error))
  assert.match(String(error), message)
  return true
}

const refundsOf = async (id: string) => {
  const answer = await gateway.send({ method: 'GET', path: `/payins/${id}/refunds`, token })
  const data: unknown = at(answer.body, 'data')
  assert.ok(Array.isArray(data))
  return data.map((each: unknown) => [
    textAt(each, 'paymentMethodResponse', 'idRefund'),
    textAt(each, 'refundRequested', 'money', 'amount'),
  ])
}

test('Medusa finds the provider in the package, and an option that is missing or no address is named', () => {
  assert.deepEqual(medusaModule.services, [TollgateProvider])
  assert.ok(Object.isExtensible(medusaModule), 'Medusa writes into it')
  assert.equal(provider.getIdentifier(), 'tollgate')
  assert.doesNotThrow(() => TollgateProvider.validateOptions(options))
  assert.throws(() => TollgateProvider.validateOptions({ ...options, privateKey: '' }), /privateKey/)
  assert.throws(() => TollgateProvider.validateOptions({ ...options, baseUrl: 'pay' }), /baseUrl/)
  assert.throws(() => TollgateProvider.validateOptions(undefined), /baseUrl/)
})

test('a session is one payment, however often it is initiated, of exactly its amount in each shape of Medusa’s', async () => {
  const raw = { value: '33.33333333333333333', precision: 20 }
  for (const [amount, expected] of [
    [149.9, '149.9'],
    ['1.10', '1.1'],
    [{ raw }, '33.33'],
    ['99.995', '100'],
  ] as const) {
    const first = await session(amount)
    const again = await session(amount, first.id)
    assert.deepEqual(again.data['money'], { amount: expected, currencyCode: 'EUR' })
    assert.equal(again.data['idPayin'], first.id)
    assert.equal((await payOnPage(gateway, first.data, 'nobody@shop.example')).status, 201)
    const repeat = await payOnPage(gateway, again.data, 'nobody@shop.example')
    assert.equal(at(repeat.body, 'duplicate'), 'IDENTICAL')
    const payin = await readPayin(gateway, token, first.id)
    assert.equal(at(payin, 'paymentRequested', 'money', 'amount'), expected)
  }
  for (const amount of [-1, 'ten', Number.NaN]) await assert.rejects(session(amount), RangeError)
  await assert.rejects(session(1, 'ORD-1'), notAllowed(/id of the payment session/))
})

test('the link pays this payment and amount only, and returns to the shop’s own pages only', async () => {
  const { data } = await session(10)
  const link = new URL(textAt(data, 'redirectUrl'))
  assert.equal(link.searchParams.get('callbackUrl'), receiver.url)
  assert.equal(link.searchParams.get('returnUrl'), 'https://shop.example/thanks')
  link.searchParams.set('amount', '1')
  const cheaper = await payOnPage(gateway, { redirectUrl: link.href }, 'success@sandbox.test')
  assert.equal(cheaper.status, 403)
  const returnOf = async (return_url: unknown) => {
    const made = await session(10, newSession(), { return_url })
    return new URL(textAt(made.data, 'redirectUrl')).searchParams.get('returnUrl')
  }
  assert.equal(await returnOf('https://shop.example/de/thanks'), 'https://shop.example/de/thanks')
  for (const foreign of ['https://evil.example/thanks', '//evil.example', 7])
    assert.equal(await returnOf(foreign), 'https://shop.example/thanks')
})

test('what a storefront sends under our names is replaced', async () => {
  const victim = await paidSession(500)
  const { data, id } = await session(500, newSession(), { ...victim.data })
  assert.equal(data['idPayin'], id)
  assert.equal((await provider.authorizePayment({ data })).status, 'requires_more')
})

test('getPaymentStatus, authorizePayment and capturePayment say what the payin is, in each of its states', async () => {
  const made = await session()
  const statusOf = async (data: Record<string, unknown>) => [
    (await provider.getPaymentStatus({ data })).status,
    (await provider.authorizePayment({ data })).status,
    await provider.capturePayment({ data }).then(
      () => 'captured',
      (error: unknown) => at(error, 'type'),
    ),
  ]
  assert.deepEqual(await statusOf(made.data), ['pending', 'requires_more', 'not_allowed'])
  assert.equal((await provider.authorizePayment({ data: made.data })).data['status'], 'NOT_STARTED')
  await payOnPage(gateway, made.data, 'nobody@shop.example')
  assert.deepEqual(await statusOf(made.data), ['pending', 'requires_more', 'not_allowed'])
  const paid = await paidSession()
  assert.deepEqual(await statusOf(paid.data), ['captured', 'captured', 'captured'])
  const failed = await sessionThatIs('FAILED', 'declined@sandbox.test')
  assert.deepEqual(await statusOf(failed.data), ['error', 'error', 'not_allowed'])
  await provider.cancelPayment({ data: made.data })
  assert.deepEqual(await statusOf(made.data), ['canceled', 'canceled', 'not_allowed'])
  const expiring = await session()
  await payOnPage(gateway, expiring.data, 'nobody@shop.example')
  await gateway.cli('trigger', 'payin', 'expired', expiring.id)
  await payinWithStatus(gateway, token, { id: expiring.id, status: 'EXPIRED' })
  assert.deepEqual(await statusOf(expiring.data), ['error', 'error', 'not_allowed'])
  await gateway.cli('trigger', 'payin', 'returned', paid.id)
  await payinWithStatus(gateway, token, { id: paid.id, status: 'REVERSED' })
  assert.deepEqual(await statusOf(paid.data), ['error', 'error', 'not_allowed'])
  const { data } = await provider.retrievePayment({ data: paid.data })
  assert.equal(at(data, 'payin', 'process', 'status'), 'REVERSED')
})

test('with ordersBeforePayment a customer who has instructions to pay gets an order at once', async () => {
  const early = medusaShop(gateway, { ordersBeforePayment: true }).provider
  const { data } = await session()
  assert.equal((await early.authorizePayment({ data })).status, 'requires_more')
  await payOnPage(gateway, data, 'nobody@shop.example')
  assert.equal((await early.authorizePayment({ data })).status, 'pending_authorization')
})

test('a payment of another amount than the session’s is never taken for its payment', async () => {
  const { data } = await paidSession(10)
  const dearer = { ...data, money: { amount: '10.01', currencyCode: 'EUR' } }
  await assert.rejects(
    provider.authorizePayment({ data: dearer }),
    notAllowed(/about 10 EUR, the session about 10.01 EUR/),
  )
  await assert.rejects(provider.authorizePayment({ data: {} }), notAllowed(/not made by Tollgate/))
})

test('another amount is another payment once the first has begun, which can then not be paid any more', async () => {
  const { id, data } = await session(10)
  const same = await provider.updatePayment({ data, amount: 10, currency_code: 'eur' })
  assert.equal(same.data['idPayin'], id)
  await payOnPage(gateway, data, 'nobody@shop.example')
  const updated = await provider.updatePayment({ data, amount: 12, currency_code: 'eur' })
  assert.equal(updated.data['idPayin'], `${id}-2`)
  assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'CANCELLED')
  await payOnPage(gateway, updated.data, 'success@sandbox.test')
  await payinWithStatus(gateway, token, { id: `${id}-2`, status: 'SUCCESS' })
  const { action, data: about } = await provider.getWebhookActionAndData(await callbackAbout(`${id}-2`))
  assert.deepEqual([action, about], ['captured', { session_id: id, amount: '12' }])
  const paid = { data: updated.data, amount: 13, currency_code: 'eur' }
  await assert.rejects(provider.updatePayment(paid), notAllowed(/is paid: refund it/))
})

test('the page of a session that is forgotten, or has another amount by now, cannot be paid any more', async () => {
  const forgotten = await session(10)
  await provider.deletePayment({ data: forgotten.data })
  const changed = await session(10)
  const updated = await provider.updatePayment({ data: changed.data, amount: 12, currency_code: 'eur' })
  assert.equal(updated.data['idPayin'], `${changed.id}-2`)
  for (const { id, data } of [forgotten, changed]) {
    assert.equal((await payOnPage(gateway, data, 'success@sandbox.test')).status, 409)
    assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'CANCELLED')
  }
})

test('a payment is cancelled, or a session forgotten, only while nothing was paid', async () => {
  const untouched = await session()
  await provider.deletePayment({ data: untouched.data })
  await provider.deletePayment({ data: { session_id: newSession() } })
  const begun = await session()
  await payOnPage(gateway, begun.data, 'nobody@shop.example')
  for (const _ of [1, 2]) await provider.deletePayment({ data: begun.data })
  assert.equal(at(await readPayin(gateway, token, begun.id), 'process', 'status'), 'CANCELLED')
  const failed = await sessionThatIs('FAILED', 'declined@sandbox.test')
  assert.equal((await provider.cancelPayment({ data: failed.data })).data['status'], 'FAILED')
  const { data } = await paidSession()
  await assert.rejects(provider.deletePayment({ data }), notAllowed(/is paid: refund it/))
  await assert.rejects(provider.cancelPayment({ data }), notAllowed(/is paid: refund it/))
})

test('a callback says what the gateway says of the payment when it is asked', async () => {
  const actionFor = async (status: string, email: string) => {
    const { id } = await sessionThatIs(status, email)
    const callback = await callbackAbout(id)
    const first = await provider.getWebhookActionAndData(callback)
    assert.deepEqual(await provider.getWebhookActionAndData(callback), first, 'the same twice')
    assert.deepEqual(first.data, { session_id: id, amount: '149.9' })
    return first.action
  }
  assert.equal(await actionFor('SUCCESS', 'success@sandbox.test'), 'captured')
  assert.equal(await actionFor('FAILED', 'declined@sandbox.test'), 'failed')
  const cancelled = await session()
  await payOnPage(gateway, cancelled.data, 'nobody@shop.example')
  await provider.cancelPayment({ data: cancelled.data })
  const { action } = await provider.getWebhookActionAndData(await callbackAbout(cancelled.id))
  assert.equal(action, 'canceled')
})

test('a callback about a payment of something else, or about a refund, moves nothing in Medusa', async () => {
  const id = newId()
  const other = await session()
  const link = textAt(other.data, 'redirectUrl').replace(other.id, id)
  const foreign = await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment: id })
  const address = new URL(link)
  address.searchParams.set('token', foreign)
  assert.equal((await payOnPage(gateway, { redirectUrl: address.href }, 'success@sandbox.test')).status, 201)
  const nothing = { action: 'not_supported' }
  assert.deepEqual(await provider.getWebhookActionAndData(await callbackAbout(id)), nothing)
  const { id: paid, data } = await paidSession()
  await provider.refundPayment({ data, amount: 1, context: { idempotency_key: 'ref_1' } })
  const callback = await callbackAbout(paid, 'refund.status')
  assert.deepEqual(await provider.getWebhookActionAndData(callback), nothing)
})

test('a callback that the gateway has not signed is refused, and so is one that was changed or is old', async () => {
  const { id } = await paidSession()
  const { rawData, headers } = await callbackAbout(id)
  const refused = (webhook: Parameters<typeof provider.getWebhookActionAndData>[0], reason: string) =>
    assert.rejects(
      provider.getWebhookActionAndData(webhook),
      (error: unknown) => at(error, 'reason') === reason,
    )
  const { privateKey } = generateKeyPairSync('ed25519')
  const content = `${textAt(headers, 'webhook-id')}.${textAt(headers, 'webhook-timestamp')}.${rawData.toString()}`
  const forged = `v1a,${sign(null, Buffer.from(content), privateKey).toString('base64')}`
  await refused({ rawData, headers: { ...headers, 'webhook-signature': forged } }, 'SIGNATURE_INVALID')
  await refused({ rawData: Buffer.from(`${rawData.toString()} `), headers }, 'SIGNATURE_INVALID')
  await refused({ rawData, headers: {} }, 'HEADERS_MISSING')
  const old = String(Math.floor(Date.now() / 1000) - 3_600)
  await refused({ rawData, headers: { ...headers, 'webhook-timestamp': old } }, 'TIMESTAMP_OUT_OF_TOLERANCE')
})

test('a refund is paid once under Medusa’s id, rounded like the payment, and what the gateway refuses is said', async () => {
  const { id, data } = await paidSession(100)
  const refund = (amount: unknown, idempotency_key: string) =>
    provider.refundPayment({ data, amount, context: { idempotency_key } })
  for (const _ of [1, 2]) await refund({ value: '33.333333', precision: 20 }, 'ref_A')
  await refund('10', 'ref_B')
  assert.deepEqual(await refundsOf(id), [
    ['ref_A', '33.33'],
    ['ref_B', '10'],
  ])
  await assert.rejects(refund('60', 'ref_C'), notAllowed(/At most 56.67 EUR/))
  await assert.rejects(refund('11', 'ref_B'), notAllowed(/ENTITY_DUPLICATED/))
  await assert.rejects(provider.refundPayment({ data, amount: 1 }), notAllowed(/id of the refund/))
  assert.equal((await refundsOf(id)).length, 2)
})

test('a payment by a method that takes no payouts is refunded by the one that the options name', async () => {
  const { id, data } = await session(100)
  const online = { paymentMethodCode: 'ONLINE_BANKING', paymentOperatorCode: 'SPARKASSE_ELBSTROM' }
  assert.equal((await payOnPage(gateway, data, 'success@sandbox.test', online)).status, 201)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: TIMEOUT_MS })
  const refund = { data, amount: 40, context: { idempotency_key: 'ref_A' } }
  await assert.rejects(provider.refundPayment(refund), notAllowed(/PAYMENT_METHOD_NOT_AVAILABLE/))
  const refundMethods = { ONLINE_BANKING: 'BANK_TRANSFER' }
  const named = medusaShop(gateway, { refundMethods }).provider
  for (const _ of [1, 2]) await named.refundPayment(refund)
  assert.deepEqual(await refundsOf(id), [['ref_A', '40']])
})

test('a refund whose answers are all lost stands, and the job makes it certain, once', async () => {
  const shop = medusaShop(gateway, { baseUrl: proxy.url })
  const job = openPaymentsJob({ ...shop.options, refundAgeSeconds: 0 })
  for (const kind of ['REPLY_LOST', 'REQUEST_LOST'] as const) {
    const { id, data } = await paidSession(100)
    proxy.plan({ kind, marker: `/payins/${id}/refunds/`, times: 100 })
    await shop.provider.refundPayment({ data, amount: 40, context: { idempotency_key: `ref_${kind}` } })
    proxy.plan({ kind, marker: 'nothing any more', times: 0 })
    const store = newStore()
    store.refunds.push({ id: `ref_${kind}`, amount: '40', data, createdAt: new Date(Date.now() - 1_000) })
    const reports = [await job(containerOf(store)), await job(containerOf(store))]
    assert.deepEqual(store.warnings, [])
    assert.deepEqual(
      reports.map(({ refunded }) => refunded),
      [1, 0],
    )
    assert.deepEqual(await refundsOf(id), [[`ref_${kind}`, '40']])
  }
})

test('the job applies what was paid and orders what was not, once, and reads old sessions less often', async () => {
  let nowMs = Date.now()
  const job = openPaymentsJob({ ...options, nowMs: () => nowMs })
  const store = newStore()
  const [open, paid] = [await session(), await paidSession()]
  const forgotten = await paidSession()
  const createdAt = new Date(nowMs - 600_000)
  store.sessions.push(
    { id: open.id, status: 'pending', data: open.data, createdAt },
    { id: paid.id, status: 'pending', data: paid.data, createdAt },
    { id: forgotten.id, status: 'authorized', data: forgotten.data },
    { id: newSession(), status: 'pending', data: {} },
  )
  const container = containerOf(store)
  assert.deepEqual(await job(container), { read: 3, paid: 1, ordered: 1, refunded: 0 })
  assert.deepEqual(store.processed, [paid.id, forgotten.id])
  assert.equal((await job(container)).read, 1, 'only the one that has just been made')
  nowMs += 60_001
  assert.deepEqual(await job(container), { read: 2, paid: 0, ordered: 0, refunded: 0 })
  assert.deepEqual(store.warnings, [])
})

test('a session that cannot be applied keeps no other from it, and without a gateway the job fails', async () => {
  const job = openPaymentsJob(options)
  const store = newStore()
  const [wrong, paid] = [await paidSession(), await paidSession()]
  store.sessions.push(
    { id: 'payses_broken', status: 'pending', data: wrong.data },
    { id: paid.id, status: 'pending', data: paid.data },
  )
  const container = containerOf(store)
  const failing = {
    resolve: <Name extends Parameters<typeof container.resolve>[0]>(name: Name) => {
      const part = container.resolve(name)
      if (name === 'workflows' && store.warnings.length === 0) throw new Error('Medusa is busy')
      return part
    },
  }
  assert.equal((await job(failing)).paid, 1)
  assert.match(store.warnings.join(), /session payses_broken: Error: Medusa is busy/)
  const nowhere = openPaymentsJob({ ...options, baseUrl: 'http://127.0.0.1:9' })
  await assert.rejects(nowhere(containerOf(store)), /NETWORK_FAILED/)
})
