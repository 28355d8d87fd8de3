import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import fc from 'fast-check'
import { canonicalRequest, isMoneyPermitted, type PaymentRequest, readAmount } from '../accept/request.ts'

test('an amount is read to the digit from a small integer or its text, and must be more than nothing', () => {
  assert.equal(readAmount(100), '100')
  assert.equal(readAmount({ text: '1e2' }), '100')
  assert.equal(readAmount({ text: '10.00' }), '10')
  assert.equal(readAmount({ text: '1.000000000000000001' }), '1.000000000000000001')
  assert.equal(readAmount({ text: '0.1' }), '0.1')
  assert.equal(readAmount({ text: '9'.repeat(40) }), '9'.repeat(40))
  for (const text of ['0', '-0', '0.00', '-1', '9'.repeat(41), '1e999999999', '', 'NaN', '0x10'])
    assert.equal(readAmount({ text }), undefined, text)
  assert.equal(readAmount(0), undefined)
  assert.equal(readAmount(-5), undefined)
})

test('a token’s money permits exactly that amount and currency', () => {
  const money = { amount: parsePlainAmount('10.00'), currencyCode: 'EUR' }
  assert(isMoneyPermitted(undefined, money))
  assert(isMoneyPermitted({ amount: '10', currencyCode: 'EUR' }, money))
  assert(!isMoneyPermitted({ amount: '10.01', currencyCode: 'EUR' }, money))
  assert(!isMoneyPermitted({ amount: '10', currencyCode: 'USD' }, money))
})

const REQUEST: PaymentRequest = {
  money: { amount: parsePlainAmount('10'), currencyCode: 'EUR' },
  segmentCode: undefined,
  idCustomer: undefined,
  methodCode: 'UPI',
  operatorCode: undefined,
  account: undefined,
  emailAddress: undefined,
  callbackUrl: new URL('https://shop.example/callbacks'),
  returnUrl: undefined,
  returnUrlAsSent: undefined,
}

const text = fc.option(fc.string({ maxLength: 3 }), { nil: undefined })
const request: fc.Arbitrary<PaymentRequest> = fc
  .record({
    amount: fc.constantFrom('10', '1', '10.5'),
    currencyCode: fc.constantFrom('EUR', 'USD'),
    segmentCode: text,
    idCustomer: text,
    methodCode: fc.string({ maxLength: 2 }),
    operatorCode: text,
    accountName: text,
    accountNumber: text,
    bankCode: text,
    emailAddress: text,
    callback: fc.constantFrom('https://a.example/', 'https://a.example/?x=1'),
    returning: fc.constantFrom(undefined, 'https://a.example/', 'https://b.example/'),
  })
  .map(({ amount, currencyCode, accountName, accountNumber, bankCode, callback, returning, ...rest }) => ({
    ...rest,
    money: { amount: parsePlainAmount(amount), currencyCode },
    account: {
      ...(accountName !== undefined && { accountName }),
      ...(accountNumber !== undefined && { accountNumber }),
      ...(bankCode !== undefined && { bankCode }),
    },
    callbackUrl: new URL(callback),
    returnUrl: returning === undefined ? undefined : new URL(returning),
    returnUrlAsSent: returning,
  }))

/** What a request says, independent of the function under test. */
const meaning = ({ callbackUrl, returnUrl, ...rest }: PaymentRequest) => ({
  ...rest,
  callbackUrl: String(callbackUrl),
  returnUrl: returnUrl && String(returnUrl),
})

test('two requests have the same text exactly when they say the same', () => {
  fc.assert(
    fc.property(request, request, (a, b) => {
      let isSame = true
      try {
        assert.deepEqual(meaning(a), meaning(b))
      } catch {
        isSame = false
      }
      assert.equal(canonicalRequest(a) === canonicalRequest(b), isSame)
      assert.equal(canonicalRequest(a), canonicalRequest({ ...a }))
    }),
    { numRuns: 2_000 },
  )
})

test('each member of a request counts, an absent account is an empty one', () => {
  const base = canonicalRequest(REQUEST)
  const changes: readonly Partial<PaymentRequest>[] = [
    { money: { amount: parsePlainAmount('10.01'), currencyCode: 'EUR' } },
    { money: { amount: parsePlainAmount('10'), currencyCode: 'USD' } },
    { segmentCode: 'VIP' },
    { idCustomer: 'CUST-1' },
    { methodCode: 'PIX' },
    { operatorCode: 'BANK' },
    { account: { accountName: 'A' } },
    { account: { accountNumber: 'A' } },
    { account: { bankCode: 'A' } },
    { emailAddress: 'A' },
    { callbackUrl: new URL('https://shop.example/other') },
    { returnUrl: new URL('https://shop.example/callbacks') },
  ]
  const texts = changes.map((change) => canonicalRequest({ ...REQUEST, ...change }))
  assert.equal(new Set([base, ...texts]).size, changes.length + 1)
  assert.equal(canonicalRequest({ ...REQUEST, account: {} }), base)
})
