import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AuthTokenByActionRequestSchema,
  AuthTokenRequestSchema,
  CustomerCreateSchema,
  ExternalReferenceSchema,
  PayinCreateSchema,
} from '@tollgate/contract'
import { parseJson } from '../../platform/json/index.ts'
import type { Violation } from '../../platform/refusal.ts'
import { createValidatorCompiler, InputInvalid } from '../validation.ts'

const compile = createValidatorCompiler()

/** The violations of a JSON text, as `field CODE sentence`. */
function violations(schema: object, json: string): readonly string[] {
  const parsed = parseJson(Buffer.from(json))
  assert(parsed.ok)
  const outcome = compile(schema)(parsed.value)
  if (!('error' in outcome)) return []
  assert(outcome.error instanceof InputInvalid)
  return outcome.error.violations.map(({ field, code, message }: Violation) => `${field} ${code} ${message}`)
}

const MERCHANT = '"merchantCode":"SHOP"'
const OPERATIONS = '"operations":["GET /balances"]'
const tokenRequest = (members: string): readonly string[] =>
  violations(AuthTokenRequestSchema, `{${members}}`)

test('each rule that is broken has one sentence that names the field', () => {
  const table: readonly (readonly [string, readonly string[]])[] = [
    [`${MERCHANT},${OPERATIONS}`, []],
    [OPERATIONS, ['merchantCode ATTRIBUTE_REQUIRED is required']],
    [`"merchantCode":7,${OPERATIONS}`, ['merchantCode ATTRIBUTE_INVALID must be a string']],
    [
      `"merchantCode":"${'x'.repeat(65)}",${OPERATIONS}`,
      ['merchantCode ATTRIBUTE_VALUE_INVALID must have at most 64 characters'],
    ],
    [`${MERCHANT},"operations":"GET /"`, ['operations ATTRIBUTE_INVALID must be an array']],
    [`${MERCHANT},"operations":[]`, ['operations ATTRIBUTE_REQUIRED must not be empty']],
    [`${MERCHANT},"operations":[""]`, ['operations.0 ATTRIBUTE_REQUIRED must not be empty']],
    [`${MERCHANT},"operations":["a",null]`, ['operations.1 ATTRIBUTE_INVALID must be a string']],
    [
      `${MERCHANT},${OPERATIONS},"validitySecs":0`,
      ['validitySecs ATTRIBUTE_VALUE_INVALID must be at least 1'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"validitySecs":86401`,
      ['validitySecs ATTRIBUTE_VALUE_INVALID must be at most 86400'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"validitySecs":1.5`,
      ['validitySecs ATTRIBUTE_INVALID must be an integer (without a fraction)'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"validitySecs":"60"`,
      ['validitySecs ATTRIBUTE_INVALID must be an integer (without quotation marks)'],
    ],
    [`${MERCHANT},${OPERATIONS},"validitySecs":true`, ['validitySecs ATTRIBUTE_INVALID must be an integer']],
    [
      `${MERCHANT},${OPERATIONS},"validitySecs":-60`,
      ['validitySecs ATTRIBUTE_VALUE_INVALID must be at least 1'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"timestamp":1796067580000000000`,
      ['timestamp ATTRIBUTE_VALUE_INVALID must be at most 99999999999999'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"timestamp":1796067580000000`,
      ['timestamp ATTRIBUTE_VALUE_INVALID must be at most 99999999999999'],
    ],
    [
      `${MERCHANT},${OPERATIONS},"timestamp":9999999999999999`,
      ['timestamp ATTRIBUTE_VALUE_INVALID must be at most 99999999999999'],
    ],
    [`${MERCHANT},${OPERATIONS},"money":"10 EUR"`, ['money ATTRIBUTE_INVALID must be an object']],
    [`${MERCHANT},${OPERATIONS},"money":10.5`, ['money ATTRIBUTE_INVALID must be an object']],
    [`${MERCHANT},${OPERATIONS},"money":[]`, ['money ATTRIBUTE_INVALID must be an object']],
    [
      `${MERCHANT},${OPERATIONS},"money":{"amount":"10","currencyCode":"eur"}`,
      [
        'money.amount ATTRIBUTE_INVALID must be a number (without quotation marks)',
        'money.currencyCode ATTRIBUTE_VALUE_INVALID must look like EUR (the pattern is ^[A-Z0-9]{3,10}$)',
      ],
    ],
    [
      `${MERCHANT},${OPERATIONS},"money":{"amount":10}`,
      ['money.currencyCode ATTRIBUTE_REQUIRED is required'],
    ],
  ]
  for (const [members, expected] of table) assert.deepEqual(tokenRequest(members), expected, members)
})

test('a wrong value of an enumeration gets one sentence with the values that are right', () => {
  const request = (action: string): readonly string[] =>
    violations(AuthTokenByActionRequestSchema, `{${MERCHANT},"idPayment":"A","action":${action}}`)
  const values =
    'PAYIN_CREATE, PAYIN_INFO, PAYIN_CANCEL, PAYIN_REFUND, PAYOUT_CREATE, PAYOUT_INFO, TOPUP_CREATE, TOPUP_INFO'
  assert.deepEqual(request('"PAYIN_INFO"'), [])
  for (const action of ['"REFUND"', '"payin_info"', '7', 'null', '{}'])
    assert.deepEqual(request(action), [`action ATTRIBUTE_VALUE_INVALID must be one of ${values}`], action)
})

test('a number is never taken for an object, not even where every member may be missing', () => {
  const body = (account: string): string =>
    `{"paymentRequested":{"money":{"amount":1,"currencyCode":"EUR"}},
      "paymentMethod":{"paymentMethodCode":"BANK_TRANSFER","account":${account}},"callbackUrl":"https://shop.example/"}`
  assert.deepEqual(violations(PayinCreateSchema, body('{}')), [])
  for (const account of ['1', '1.5', '1e3', '"x"', '[]'])
    assert.deepEqual(
      violations(PayinCreateSchema, body(account)),
      ['paymentMethod.account ATTRIBUTE_INVALID must be an object'],
      account,
    )
  for (const whole of ['1.5', '7', '"x"', 'null', '[]'])
    assert.match(violations(PayinCreateSchema, whole)[0] ?? '', /^body ATTRIBUTE_INVALID must be an object$/)
})

test('amounts of any precision stay as they were written', () => {
  const parsed = parseJson(Buffer.from('{"amount":1.000000000000000001,"currencyCode":"ETH"}'))
  assert(parsed.ok)
  const outcome = compile({ type: 'object', properties: { amount: { exactNumber: true } } })(parsed.value)
  assert('value' in outcome)
  assert.equal(JSON.stringify(outcome.value), '{"amount":1.000000000000000001,"currencyCode":"ETH"}')
})

const BLANKS = [' ', '\u00a0\u3000', '\u200b', '\u2060\ufeff', ' \u200d ']

test('a text without a visible character is no text; zero-width characters are kept in names alone', () => {
  const reference = (text: string): readonly string[] =>
    violations(ExternalReferenceSchema, JSON.stringify({ externalReference: text }))
  const name = (text: string): readonly string[] =>
    violations(CustomerCreateSchema, JSON.stringify({ name: text }))
  for (const blank of BLANKS) {
    assert.match(reference(blank).join(), /^externalReference ATTRIBUTE_VALUE_INVALID .*not blank/)
    assert.match(name(blank).join(), /^name ATTRIBUTE_VALUE_INVALID .*not blank/)
  }
  for (const text of ['x', ' x ', '\u3000馬', '-', '😀'])
    assert.deepEqual([reference(text), name(text)], [[], []], text)
  assert.match(reference('31\u200b65').join(), /^externalReference ATTRIBUTE_VALUE_INVALID .*zero-width/)
  assert.deepEqual(name('क्\u200dष'), [])
})

test('an empty text is a required attribute that is missing, or a value that an optional one cannot have', () => {
  const payin = (members: string): readonly string[] =>
    violations(
      PayinCreateSchema,
      `{"paymentRequested":{"money":{"amount":1,"currencyCode":"EUR"}},"callbackUrl":"https://shop.example/",${members}}`,
    )
  assert.deepEqual(
    payin('"paymentMethod":{"paymentMethodCode":"","account":{"accountName":""},"emailAddress":""}'),
    [
      'paymentMethod.paymentMethodCode ATTRIBUTE_REQUIRED must not be empty',
      'paymentMethod.account.accountName ATTRIBUTE_VALUE_INVALID must not be empty',
      'paymentMethod.emailAddress ATTRIBUTE_VALUE_INVALID must not be empty',
    ],
  )
  assert.deepEqual(payin('"paymentMethod":{"paymentMethodCode":"UPI"},"returnUrl":""'), [
    'returnUrl ATTRIBUTE_VALUE_INVALID must not be empty',
  ])
  assert.deepEqual(tokenRequest(`"merchantCode":"",${OPERATIONS}`), [
    'merchantCode ATTRIBUTE_REQUIRED must not be empty',
  ])
  for (const name of ['externalReference', 'reference'])
    assert.deepEqual(violations(ExternalReferenceSchema, `{"${name}":""}`), [
      `${name} ATTRIBUTE_REQUIRED must not be empty`,
    ])
})

test('a field has one violation, however many rules it breaks', () => {
  assert.deepEqual(violations(CustomerCreateSchema, `{"name":"${'\\t'.repeat(141)}","emailAddress":"@"}`), [
    'name ATTRIBUTE_VALUE_INVALID must have at most 140 characters',
    'emailAddress ATTRIBUTE_VALUE_INVALID must have at least 3 characters',
  ])
})

test('unknown members are ignored, defaults are filled in', () => {
  const outcome = compile(AuthTokenRequestSchema)({
    merchantCode: 'A',
    operations: ['GET /'],
    extra: { deep: 1 },
  })
  assert.deepEqual(outcome, {
    value: { merchantCode: 'A', operations: ['GET /'], extra: { deep: 1 }, validitySecs: 3600 },
  })
})

test('a body in which everything is wrong is answered with the first 20 violations', () => {
  const operations = Array.from({ length: 50 }, () => '""').join(',')
  assert.equal(tokenRequest(`${MERCHANT},"operations":[${operations}]`).length, 20)
})
