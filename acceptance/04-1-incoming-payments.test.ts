import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createGateway } from '@tollgate/sdk'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess, rejectionItem, violatedFields } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinBody, payinWithStatus, readPayin } from './support/payins.ts'

// Specification 4.1, with the records of section 2.

const gateway = await startGateway({ after })
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)

const optionsRequest = (body: unknown) => ({
  method: 'POST',
  path: '/payins/!availablePaymentOptions',
  token,
  body,
})
const referenceRequest = (id: string, body: unknown) => ({
  method: 'POST',
  path: `/payins/${id}/!setExternalReference`,
  token,
  body,
})
const euros = (amount: string) => ({ money: { amount, currencyCode: 'EUR' } })

test('POST /payins/!availablePaymentOptions → 200 the methods that take the amount and currency', async () => {
  const body = expectSuccess(await gateway.send(optionsRequest(euros('149.90'))), 200)
  const codes = listAt(body, 'data').map((item) => textAt(item, 'paymentMethodCode'))
  assert.deepEqual(codes, ['BANK_TRANSFER', 'ONLINE_BANKING', 'WALLET', 'OFFLINE_TRANSFER'])
  const banking = itemWith(listAt(body, 'data'), 'paymentMethodCode', 'ONLINE_BANKING')
  const operators = listAt(banking, 'paymentOperators').map((operator) => textAt(operator, 'code'))
  assert.ok(operators.includes('SPARKASSE_ELBSTROM'))
  assert.ok(!operators.includes('NEVERMORE_BANK'), 'a closed bank is not offered')
  assert.ok(!operators.includes('HOSHIZORA_BANK'), 'a bank for another currency is not offered')
})

test('the options depend on amount, currency and segment', async () => {
  const codesFor = async (body: unknown): Promise<readonly string[]> => {
    const answer = expectSuccess(await gateway.send(optionsRequest(body)), 200)
    return listAt(answer, 'data').map((item) => textAt(item, 'paymentMethodCode'))
  }
  assert.deepEqual(await codesFor(euros('60000')), ['BANK_TRANSFER'])
  assert.deepEqual(await codesFor({ money: { amount: '100', currencyCode: 'BRL' } }), [
    'BANK_TRANSFER',
    'ONLINE_BANKING',
    'WALLET',
    'PIX',
  ])
  const ether = { money: { amount: '1', currencyCode: 'ETH' } }
  assert.deepEqual(await codesFor({ ...ether, segmentCode: 'VIP' }), ['CRYPTO'])
  expectError(
    await gateway.send(optionsRequest({ ...ether, segmentCode: 'NEW' })),
    406,
    'SEGMENT_NOT_SUPPORTED',
  )
})

test('an option that is offered can be created as it was offered', async () => {
  const offered = expectSuccess(await gateway.send(optionsRequest(euros('25'))), 200)
  for (const option of listAt(offered, 'data')) {
    const operator = listAt(option, 'paymentOperators').map((each) => textAt(each, 'code'))[0]
    await createPayin(gateway, token, {
      id: newId(),
      amount: '25',
      method: textAt(option, 'paymentMethodCode'),
      ...(operator === undefined ? {} : { operator }),
      account: { accountName: 'Ada Lovelace' },
    })
  }
})

test('POST /payins/!availablePaymentOptions → 400 the money is missing, a text, zero or negative', async () => {
  const refused = await gateway.send(optionsRequest({}))
  expectError(refused, 400, 'ATTRIBUTE_REQUIRED')
  assert.deepEqual(violatedFields(refused), ['money'])
  const wrong = [
    ['{"money":{"amount":"10","currencyCode":"EUR"}}', 'ATTRIBUTE_INVALID'],
    ['{"money":{"amount":0,"currencyCode":"EUR"}}', 'ATTRIBUTE_VALUE_INVALID'],
    ['{"money":{"amount":-1,"currencyCode":"EUR"}}', 'ATTRIBUTE_VALUE_INVALID'],
    ['{"money":{"amount":10,"currencyCode":"euro"}}', 'ATTRIBUTE_VALUE_INVALID'],
  ] as const
  for (const [rawBody, code] of wrong) {
    const { method, path } = optionsRequest(undefined)
    expectError(await gateway.send({ method, path, token, rawBody }), 400, code)
  }
})

test('POST /payins/!availablePaymentOptions → 406 one reason for every method that is left out', async () => {
  const response = await gateway.send(optionsRequest(euros('999999999')))
  expectError(response, 406, 'NO_OPTION_AVAILABLE')
  const excluded = listAt(response.body).flatMap((item) => at(item, 'paymentMethodCode') ?? [])
  const info = await gateway.send({ method: 'GET', path: '/payment-methods', token })
  const methods = listAt(info.body, 'data')
    .filter((item) => listAt(item, 'operations').includes('PAYIN'))
    .map((item) => textAt(item, 'paymentMethodCode'))
  assert.deepEqual(excluded.toSorted(), methods.toSorted())
  const tooMuch = itemWith(listAt(response.body), 'paymentMethodCode', 'BANK_TRANSFER')
  assert.equal(at(tooMuch, 'code'), 'AMOUNT_ABOVE_MAXIMUM')
  assert.deepEqual(at(tooMuch, 'limit'), { min: '1', max: '100000', currencyCode: 'EUR' })
})

test('POST /payins/{idPayin} → 201 the payment is accepted and says how to pay', async () => {
  const id = newId()
  const before = Date.now()
  const { body } = await createPayin(gateway, token, { id, returnUrl: 'https://shop.example/thanks?order=1' })
  const money = { amount: '149.9', currencyCode: 'EUR' }
  assert.deepEqual(at(body, 'paymentRequested', 'money'), money)
  const answer = at(body, 'paymentMethodResponse')
  assert.equal(at(answer, 'idPayin'), id)
  assert.equal(at(answer, 'paymentMethodCode'), 'BANK_TRANSFER')
  assert.deepEqual(at(answer, 'money'), money)
  assert.equal(at(answer, 'returnUrl'), 'https://shop.example/thanks?order=1')
  for (const name of ['accountName', 'accountNumber', 'bankCode', 'bankName']) {
    assert.ok(textAt(answer, 'account', name).length > 0)
  }
  assert.match(textAt(answer, 'reference'), /^\S{6,35}$/)
  assert.ok(Date.parse(textAt(answer, 'expireAt')) > before)
})

test('two payins never share a reference', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => createPayin(gateway, token, { id: newId() })),
  )
  const references = answers.map(({ body }) => textAt(body, 'paymentMethodResponse', 'reference'))
  assert.equal(new Set(references).size, references.length)
})

test('an id may have 1 to 250 letters, digits, hyphens and underscores', async () => {
  const long = `${newId()}_`.padEnd(250, 'Z')
  for (const id of ['_', long]) {
    const { body } = await createPayin(gateway, token, { id })
    assert.equal(at(body, 'paymentMethodResponse', 'idPayin'), id)
    assert.equal(textAt(await readPayin(gateway, token, id), 'paymentMethodResponse', 'idPayin'), id)
  }
})

test('POST /payins/{idPayin} → 400 the id has a character or a length that none may have', async () => {
  for (const id of ['x'.repeat(251), 'a.b', 'a%20b', 'a%2Fb', '%C3%A9', 'a%00b']) {
    expectError(await gateway.send(createRequest(token, id)), 400, 'ATTRIBUTE_VALUE_INVALID')
  }
})

test('a 400 names every field that is wrong', async () => {
  const response = await gateway.send({
    method: 'POST',
    path: `/payins/${newId()}`,
    token,
    rawBody:
      '{"paymentRequested":{"money":{"amount":"1"}},"paymentMethod":{"paymentMethodCode":7},"callbackUrl":""}',
  })
  expectError(response, 400, textAt(response.body, 'code'))
  assert.deepEqual(violatedFields(response).toSorted(), [
    'callbackUrl',
    'paymentMethod.paymentMethodCode',
    'paymentRequested.money.amount',
    'paymentRequested.money.currencyCode',
  ])
})

test('a 400 names an amount and addresses that are wrong together', async () => {
  const response = await gateway.send({
    method: 'POST',
    path: `/payins/${newId()}`,
    token,
    body: {
      ...payinBody({ callbackUrl: 'ftp://shop.example/', returnUrl: 'shop.example' }),
      paymentRequested: { money: { amount: '0', currencyCode: 'EUR' } },
    },
  })
  expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
  assert.deepEqual(violatedFields(response), ['callbackUrl', 'returnUrl', 'paymentRequested.money.amount'])
})

test('a callback or return address that is not a plain http address is refused', async () => {
  const wrong = [
    'shop.example/callbacks',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'http:/shop.example',
    'https://user:password@shop.example/',
    'https://shop.example/a b',
    'https://',
  ]
  for (const address of wrong) {
    const callback = await gateway.send(createRequest(token, newId(), { callbackUrl: address }))
    expectError(callback, 400, 'ATTRIBUTE_VALUE_INVALID')
    assert.deepEqual(violatedFields(callback), ['callbackUrl'])
    const back = await gateway.send(createRequest(token, newId(), { returnUrl: address }))
    assert.deepEqual(violatedFields(back), ['returnUrl'])
  }
  const withFragment = createRequest(token, newId(), { callbackUrl: 'https://shop.example/#part' })
  assert.deepEqual(violatedFields(await gateway.send(withFragment)), ['callbackUrl'])
})

test('a return address comes back as it was sent, with its fragment', async () => {
  const sent = [
    'https://shop.example',
    'HTTPS://Shop.Example:443/a/../thanks?x=%7e#/orders/ORD-1?paid=1',
    'https://shop.example/#',
    'https://bücher.example/ende?straße=1#größe',
  ]
  for (const returnUrl of sent) {
    const id = newId()
    const created = expectSuccess(await gateway.send(createRequest(token, id, { returnUrl })), 201)
    assert.equal(textAt(created, 'paymentMethodResponse', 'returnUrl'), returnUrl)
    assert.equal(textAt(await readPayin(gateway, token, id), 'paymentMethodResponse', 'returnUrl'), returnUrl)
  }
})

test('what the daily cap of a method has no room for is not among the options, and says so', async () => {
  const merchant = await addMerchant(gateway, `CAPPED_${newId().slice(0, 8)}`)
  const set = (command: string, ...parts: readonly string[]) =>
    gateway.cli('merchants', command, merchant.code, ...parts)
  await set('enable-method', 'BANK_TRANSFER')
  await set('enable-method', 'PIX')
  await set('set-limit', 'BANK_TRANSFER', '--currency', 'EUR', '--daily-amount', '60', '--daily-count', '2')
  const own = await merchant.token(...ALL_OPERATIONS)
  const offered = async (amount: string): Promise<readonly string[]> => {
    const answer = await gateway.send({ ...optionsRequest(euros(amount)), token: own })
    if (answer.status === 406) return listAt(answer.body).map((item) => textAt(item, 'code'))
    return listAt(expectSuccess(answer, 200), 'data').map((item) => textAt(item, 'paymentMethodCode'))
  }
  await waitUntil(async () => (await offered('61')).includes('CHANNEL_LIMIT'), {
    timeoutMs: 60_000,
    what: 'the cap to be known',
  })
  assert.deepEqual(await offered('60'), ['BANK_TRANSFER'])
  await createPayin(gateway, own, { id: newId(), amount: '25' })
  assert.deepEqual(await offered('35'), ['BANK_TRANSFER'])
  assert.deepEqual(await offered('35.01'), ['NO_OPTION_AVAILABLE', 'CHANNEL_LIMIT', 'CURRENCY_NOT_SUPPORTED'])
  const refused = await gateway.send(createRequest(own, newId(), { amount: '35.01' }))
  assert.deepEqual(
    listAt(refused.body).map((item) => textAt(item, 'code')),
    ['CHANNEL_LIMIT'],
  )
  await createPayin(gateway, own, { id: newId(), amount: '1' })
  assert.ok((await offered('1')).includes('CHANNEL_LIMIT'))
})

test('POST /payins/{idPayin} → 406 all the reasons at once, each with its field', async () => {
  const response = await gateway.send(
    createRequest(token, newId(), {
      amount: '0.505',
      segmentCode: 'NOBODY',
      method: 'OFFLINE_TRANSFER',
    }),
  )
  expectError(response, 406, 'AMOUNT_PRECISION_INVALID')
  expectError(response, 406, 'SEGMENT_NOT_SUPPORTED')
  expectError(response, 406, 'ACCOUNT_REQUIRED')
  assert.equal(
    at(rejectionItem(response, 'AMOUNT_PRECISION_INVALID'), 'field'),
    'paymentRequested.money.amount',
  )
  assert.equal(at(rejectionItem(response, 'ACCOUNT_REQUIRED'), 'field'), 'paymentMethod.account.accountName')
})

test('POST /payins/{idPayin} → 409 the id was already accepted', async () => {
  const id = newId()
  const accepted = await createPayin(gateway, token, { id })
  const acceptedAt = textAt(accepted.body, 'paymentMethodResponse', 'acceptedAt')
  const again = await gateway.send(createRequest(token, id))
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  assert.equal(at(again.body, 'acceptedAt'), acceptedAt)
  const other = await gateway.send(createRequest(token, id, { amount: '149.91' }))
  expectError(other, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
  assert.equal(at(other.body, 'acceptedAt'), acceptedAt)
})

test('GET /payins/{idPayin} → 200 the detail, before and after the end', async () => {
  const waiting = newId()
  const accepted = await createPayin(gateway, token, { id: waiting })
  const open = await readPayin(gateway, token, waiting)
  assert.deepEqual(at(open, 'paymentMethodResponse'), at(accepted.body, 'paymentMethodResponse'))
  assert.equal(at(open, 'process', 'status'), 'CREATED')
  assert.equal(at(open, 'process', 'isTest'), true)
  assert.equal(at(open, 'process', 'processedAt'), undefined)
  assert.equal(at(open, 'fee'), undefined)

  const paid = newId()
  await createPayin(gateway, token, { id: paid, email: 'success@sandbox.test' })
  const detail = await payinWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  assert.deepEqual(at(detail, 'paymentReceived', 'money'), { amount: '149.9', currencyCode: 'EUR' })
  assert.deepEqual(at(detail, 'fee'), { amount: '0.25', currencyCode: 'EUR' })
  const createdAt = Date.parse(textAt(detail, 'process', 'createdAt'))
  assert.ok(Date.parse(textAt(detail, 'process', 'processedAt')) >= createdAt)
})

test('GET /payins/{idPayin} → 400 the id cannot be one', async () => {
  for (const id of ['x'.repeat(251), 'a~b', '%25']) {
    const response = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
    expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
  }
})

test('GET /payins/{idPayin} → 410 there is no such payin', async () => {
  const response = await gateway.send({ method: 'GET', path: `/payins/${newId()}`, token })
  expectError(response, 410, 'ENTITY_NOT_FOUND')
})

test('POST /payins/{idPayin}/!setExternalReference → 204 the reference is stored; the last one wins', async () => {
  const id = newId()
  await createPayin(gateway, token, {
    id,
    method: 'OFFLINE_TRANSFER',
    account: { accountName: 'Ada Lovelace' },
  })
  for (const externalReference of ['316547829301', '316547829302']) {
    const response = await gateway.send(referenceRequest(id, { externalReference }))
    expectSuccess(response, 204)
    assert.equal(response.text, '')
    assert.equal(at(await readPayin(gateway, token, id), 'externalReference'), externalReference)
  }
  expectSuccess(await gateway.send(referenceRequest(id, { reference: 'OTHER-NAME-1' })), 204)
  assert.equal(at(await readPayin(gateway, token, id), 'externalReference'), 'OTHER-NAME-1')
})

test('after the end only the same reference may come again', async () => {
  const id = newId()
  const account = { accountName: 'Ada Lovelace' }
  await createPayin(gateway, token, {
    id,
    method: 'OFFLINE_TRANSFER',
    account,
    email: 'reference@sandbox.test',
  })
  expectSuccess(await gateway.send(referenceRequest(id, { externalReference: 'R-1' })), 204)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  expectSuccess(await gateway.send(referenceRequest(id, { externalReference: 'R-1' })), 204)
  expectError(await gateway.send(referenceRequest(id, { externalReference: 'R-2' })), 400, 'ENTITY_EXPIRED')
})

test('POST /payins/{idPayin}/!setExternalReference → 400 no reference, a bad one, or a method that takes none', async () => {
  const id = newId()
  await createPayin(gateway, token, {
    id,
    method: 'OFFLINE_TRANSFER',
    account: { accountName: 'Ada Lovelace' },
  })
  expectError(await gateway.send(referenceRequest(id, {})), 400, 'ATTRIBUTE_REQUIRED')
  expectError(await gateway.send(referenceRequest(id, { externalReference: '' })), 400, 'ATTRIBUTE_REQUIRED')
  for (const externalReference of [
    'x'.repeat(251),
    'two\nlines',
    'left\u202eright',
    ' ',
    '\u200b',
    '\u2060\ufeff',
  ]) {
    const response = await gateway.send(referenceRequest(id, { externalReference }))
    expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
  }
  const both = await gateway.send(referenceRequest(id, { externalReference: 'R-1', reference: 'R-2' }))
  expectError(both, 400, 'ATTRIBUTE_VALUE_INVALID')
  const transfer = newId()
  await createPayin(gateway, token, { id: transfer })
  const refused = await gateway.send(referenceRequest(transfer, { externalReference: 'R-1' }))
  expectError(refused, 400, 'INVALID_REF_NUM')
})

test('POST /payins/{idPayin}/!setExternalReference → 410 there is no such payin', async () => {
  const response = await gateway.send(referenceRequest(newId(), { externalReference: 'R-1' }))
  expectError(response, 410, 'ENTITY_NOT_FOUND')
})

const cancelRequest = (id: string) => ({ method: 'POST', path: `/payins/${id}/!cancel`, token })

test('POST /payins/{idPayin}/!cancel → 200 the payin is CANCELLED, also when it is repeated', async () => {
  const receiver = await callbackReceiver({ after })
  const id = newId()
  await createPayin(gateway, token, { id, callbackUrl: receiver.url })
  const first = expectSuccess(await gateway.send(cancelRequest(id)), 200)
  assert.deepEqual(
    [at(first, 'process', 'status'), at(first, 'process', 'failureReasons', 'failureReasonCode')],
    ['CANCELLED', 'CANCELLED_BY_MERCHANT'],
  )
  assert.deepEqual(expectSuccess(await gateway.send(cancelRequest(id)), 200), first)
  assert.deepEqual(await readPayin(gateway, token, id), first)
  await receiver.waitForCount(1, 20_000)
})

test('POST /payins/{idPayin}/!cancel → 400 the id is none', async () => {
  expectError(await gateway.send(cancelRequest('a.b')), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('POST /payins/{idPayin}/!cancel → 409 it was paid, or its customer says so', async () => {
  const paid = newId()
  await createPayin(gateway, token, { id: paid, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  expectError(await gateway.send(cancelRequest(paid)), 409, 'PAYIN_NOT_CANCELLABLE')
  const claimed = newId()
  const account = { accountName: 'Ada Lovelace' }
  await createPayin(gateway, token, { id: claimed, method: 'OFFLINE_TRANSFER', account })
  expectSuccess(await gateway.send(referenceRequest(claimed, { externalReference: '316547829301' })), 204)
  const refused = await gateway.send(cancelRequest(claimed))
  expectError(refused, 409, 'PAYIN_NOT_CANCELLABLE')
  assert.match(refused.text, /its customer says that it was paid/)
})

test('POST /payins/{idPayin}/!cancel → 410 there is no such payin', async () => {
  expectError(await gateway.send(cancelRequest(newId())), 410, 'ENTITY_NOT_FOUND')
})

test('GET /payins/{idPayin}/accounts → 200 what the request said, and what the payment showed', async () => {
  const id = newId()
  const account = { accountName: 'Ada Lovelace', accountNumber: 'DE89370400440532013000' }
  const email = 'reference@sandbox.test'
  await createPayin(gateway, token, { id, method: 'OFFLINE_TRANSFER', account, email })
  const request = { method: 'GET', path: `/payins/${id}/accounts`, token }
  const first = listAt(expectSuccess(await gateway.send(request), 200), 'data')
  assert.equal(first.length, 1)
  const asked = itemWith(first, 'source', 'REQUEST')
  assert.deepEqual([at(asked, 'accountName'), at(asked, 'accountNumber')], Object.values(account))
  assert.equal(at(asked, 'emailAddress'), email)
  expectSuccess(await gateway.send(referenceRequest(id, { externalReference: 'R-1' })), 204)
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const all = listAt(expectSuccess(await gateway.send(request), 200), 'data')
  assert.equal(all.length, 2)
  assert.ok(textAt(itemWith(all, 'source', 'PROCESS'), 'bankName').length > 0)
})

test('GET /payins/{idPayin}/accounts → 400 the id cannot be one', async () => {
  const response = await gateway.send({ method: 'GET', path: '/payins/a.b/accounts', token })
  expectError(response, 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /payins/{idPayin}/accounts → 406 nothing has been collected yet', async () => {
  const id = newId()
  await createPayin(gateway, token, { id })
  const response = await gateway.send({ method: 'GET', path: `/payins/${id}/accounts`, token })
  expectError(response, 406, 'ACCOUNT_DATA_NOT_AVAILABLE')
})

test('GET /payins/{idPayin}/accounts → 410 there is no such payin', async () => {
  const response = await gateway.send({ method: 'GET', path: `/payins/${newId()}/accounts`, token })
  expectError(response, 410, 'ENTITY_NOT_FOUND')
})

test('an amount of eighteen decimals comes back digit by digit', async () => {
  const amount = '1.000000000000000001'
  const id = newId()
  const wanted = { method: 'CRYPTO', amount, currencyCode: 'ETH', email: 'success@sandbox.test' }
  const accepted = await createPayin(gateway, token, { id, ...wanted })
  assert.equal(accepted.text.split(`"amount":${amount}`).length - 1, 2)
  const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.equal(at(detail, 'paymentRequested', 'money', 'amount'), amount)
  assert.equal(at(detail, 'paymentMethodResponse', 'money', 'amount'), amount)
  assert.equal(at(detail, 'paymentReceived', 'money', 'amount'), amount)
})

test('amounts are compared as numbers and given back as plain decimals', async () => {
  const send = (id: string, amount: string) =>
    gateway.send({
      method: 'POST',
      path: `/payins/${id}`,
      token,
      rawBody: JSON.stringify(payinBody()).replace('"149.9"', amount),
    })
  const id = newId()
  const accepted = await send(id, '1e2')
  expectSuccess(accepted, 201)
  assert.match(accepted.text, /"amount":100,/)
  assert.equal(at((await send(id, '100.00')).body, 'duplicate'), 'IDENTICAL')
  assert.equal(at((await send(id, '100.01')).body, 'duplicate'), 'DIFFERENT')
  for (const amount of ['9'.repeat(41), '1e999', '0', '-5', '0e5']) {
    expectError(await send(newId(), amount), 400, 'ATTRIBUTE_VALUE_INVALID')
  }
  for (const amount of ['"5"', 'null', 'true', '[5]']) {
    const response = await send(newId(), amount)
    assert.equal(response.status, 400, `${amount}: ${response.text}`)
    assert.deepEqual(violatedFields(response), ['paymentRequested.money.amount'])
  }
})

test('the path may be percent-encoded', async () => {
  const response = await gateway.send({
    ...optionsRequest(euros('10')),
    path: '/payins/%21availablePaymentOptions',
  })
  expectSuccess(response, 200)
  const onlyOptions = await demo.token('POST /payins/!availablePaymentOptions')
  const withIt = {
    ...optionsRequest(euros('10')),
    path: '/payins/%21availablePaymentOptions',
    token: onlyOptions,
  }
  expectSuccess(await gateway.send(withIt), 200)
  const id = `enc-${newId()}`
  await createPayin(gateway, token, { id })
  const read = await gateway.send({ method: 'GET', path: `/payins/${id.replace('e', '%65')}`, token })
  expectSuccess(read, 200)
})

test('the SDK takes a merchant through a payment', async () => {
  const client = createGateway({ baseUrl: gateway.url, merchantCode: demo.code, privateKey: demo.privateKey })
  const money = { amount: '12.50', currencyCode: 'EUR' }
  const options = await client.payins.options({ money })
  assert.ok(options.some((option) => option.paymentMethodCode === 'BANK_TRANSFER'))
  const id = newId()
  const request = {
    money,
    paymentMethodCode: 'OFFLINE_TRANSFER',
    account: { accountName: 'Ada Lovelace' },
    emailAddress: 'reference@sandbox.test',
    callbackUrl: 'http://127.0.0.1:9/',
  }
  const first = await client.payins.create(id, request)
  assert.equal(first.created, true)
  const second = await client.payins.create(id, request)
  assert.equal(second.created, false)
  await assert.rejects(client.payins.create(id, { ...request, money: { ...money, amount: '13' } }), {
    name: 'IdConflictError',
    status: 409,
  })
  await client.payins.setExternalReference(id, 'R-1')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const accounts = await client.payins.accounts(id)
  assert.deepEqual(accounts.map((each) => each.source).toSorted(), ['PROCESS', 'REQUEST'])
})
