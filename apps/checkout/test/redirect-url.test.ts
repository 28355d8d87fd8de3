import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRedirectUrl, readStatusUrl } from '../src/redirect-url.ts'

const claims = { sub: 'DEMO', exp: 2_000_000_000, operations: ['GET /payins/ORD-1'] }
const TOKEN = `aaa.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.bbb`
const GOOD = {
  merchantCode: 'DEMO',
  idPayin: 'ORD-1',
  token: TOKEN,
  amount: '149.90',
  currencyCode: 'EUR',
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: 'https://shop.example/thanks?order=1',
}

function problemsOf(more: Record<string, string>, isLive = false): readonly string[] {
  const reading = readRedirectUrl(new URLSearchParams({ ...GOOD, ...more }), isLive)
  return reading.ok ? [] : reading.problems.map(({ parameter, rule }) => `${parameter} ${rule}`)
}

test('the required parameters are enough; the rest is optional', () => {
  const reading = readRedirectUrl(new URLSearchParams(GOOD), true)
  assert.ok(reading.ok)
  assert.deepEqual(reading.order, {
    merchantCode: 'DEMO',
    idPayin: 'ORD-1',
    token: TOKEN,
    money: { amount: '149.9', currencyCode: 'EUR' },
    callbackUrl: GOOD.callbackUrl,
    returnUrl: GOOD.returnUrl,
    optionsAvailable: false,
    allowCustomerDataChange: false,
    customer: {},
  })
  const more = {
    paymentMethodCode: 'UPI',
    optionsAvailable: 'true',
    accountName: 'Zoë',
    accountNumber: '',
    other: 'x',
  }
  const rich = readRedirectUrl(new URLSearchParams({ ...GOOD, ...more }), false)
  assert.ok(rich.ok)
  assert.equal(rich.order.paymentMethodCode, 'UPI')
  assert.equal(rich.order.optionsAvailable, true)
  assert.deepEqual(rich.order.customer, { accountName: 'Zoë' })
})

test('every missing parameter is named at once', () => {
  const reading = readRedirectUrl(new URLSearchParams(), false)
  assert.ok(!reading.ok)
  assert.deepEqual(
    new Set(reading.problems.map(({ parameter, rule }) => `${parameter} ${rule}`)),
    new Set(Object.keys(GOOD).map((name) => `${name} MISSING`)),
  )
})

test('G8 H11: a parameter that is given twice is not guessed', () => {
  const query = new URLSearchParams(GOOD)
  query.append('amount', '1')
  query.append('token', TOKEN)
  const reading = readRedirectUrl(query, false)
  assert.ok(!reading.ok)
  assert.deepEqual(reading.problems, [
    { parameter: 'amount', rule: 'REPEATED', value: '149.90' },
    { parameter: 'token', rule: 'REPEATED', value: `${TOKEN.length} characters` },
  ])
})

test('an amount is an exact number that its currency can have', () => {
  for (const amount of ['0', '-1', '1,50', 'abc', '1.999', '1e999', '.5', ' 1', '١'])
    assert.deepEqual(problemsOf({ amount }), ['amount MALFORMED'], amount)
  assert.deepEqual(problemsOf({ amount: '1.5', currencyCode: 'JPY' }), ['amount MALFORMED'])
  assert.deepEqual(problemsOf({ amount: '1.999', currencyCode: 'KWD' }), [])
  assert.deepEqual(problemsOf({ amount: '0.000000000000000001', currencyCode: 'ETH' }), [])
})

test('P13 H7: addresses are web addresses without tricks, and https in live', () => {
  for (const returnUrl of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//shop.example/',
    'shop.example',
    'ftp://shop.example/',
    'https://shop.example@evil.example/',
    'https://u:p@shop.example/',
    'https://shop.example/\u202egpj',
    'https://shop.example/\nx',
  ])
    assert.deepEqual(problemsOf({ returnUrl }), ['returnUrl MALFORMED'], returnUrl)
  assert.deepEqual(problemsOf({ returnUrl: `https://shop.example/${'x'.repeat(2048)}` }), [
    'returnUrl TOO_LONG',
  ])
  assert.deepEqual(problemsOf({ callbackUrl: 'http://shop.example/' }), [])
  assert.deepEqual(problemsOf({ callbackUrl: 'http://shop.example/' }, true), ['callbackUrl MALFORMED'])
})

test('ids, codes, flags and customer data have their forms', () => {
  for (const [name, value] of [
    ['idPayin', 'a/b'],
    ['idPayin', '!availablePaymentOptions'],
    ['merchantCode', '<b>'],
    ['currencyCode', 'eur'],
    ['paymentMethodCode', 'upi'],
    ['paymentOperatorCode', '../x'],
    ['optionsAvailable', 'yes'],
    ['allowCustomerDataChange', '1'],
    ['accountName', 'a\u0000b'],
    ['accountName', '\u202eadA'],
    ['emailAddress', 'x'.repeat(255)],
    ['token', 'abc'],
    ['token', 'a.b.c'],
  ] as const)
    assert.deepEqual(problemsOf({ [name]: value }), [`${name} MALFORMED`], `${name}=${value}`)
})

test('a status link needs three parameters', () => {
  const query = new URLSearchParams({ idPayin: 'ORD-1', token: TOKEN, currencyCode: 'EUR' })
  assert.deepEqual(readStatusUrl(query), {
    ok: true,
    order: { idPayin: 'ORD-1', token: TOKEN, currencyCode: 'EUR' },
  })
  const empty = readStatusUrl(new URLSearchParams())
  assert.ok(!empty.ok)
  assert.deepEqual(
    empty.problems.map(({ parameter }) => parameter),
    ['idPayin', 'token', 'currencyCode'],
  )
})
