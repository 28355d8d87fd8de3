import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RejectionItem } from '../../../platform/refusal.ts'
import { judgePayment, type PaymentRequest } from '../judge.ts'
import type { Catalogue, MerchantTerms } from '../model.ts'
import {
  catalogueOf,
  codesOf,
  feeRow,
  fieldRow,
  limitRow,
  methodRow,
  operatorRow,
  payin,
  termsOf,
} from './fixtures.ts'

const ONE_METHOD = catalogueOf({
  methods: [methodRow('CASH')],
  limits: [limitRow({ methodCode: 'CASH', min: '5', max: '100.50' })],
})
const CASH = { ...payin('10'), methodCode: 'CASH' }

function accept(catalogue: Catalogue, terms: MerchantTerms, request: PaymentRequest) {
  const judged = judgePayment(catalogue, terms, request)
  assert(judged.ok, JSON.stringify(judged))
  return judged.accepted
}

function reject(catalogue: Catalogue, terms: MerchantTerms, request: PaymentRequest): RejectionItem {
  const judged = judgePayment(catalogue, terms, request)
  assert(!judged.ok)
  assert.equal(judged.items.length, 1, JSON.stringify(judged.items))
  const [item] = judged.items
  assert(item !== undefined)
  return item
}

test('a payment that meets every rule is accepted with what it goes on with', () => {
  const accepted = accept(ONE_METHOD, termsOf(['CASH']), CASH)
  assert.equal(accepted.method.code, 'CASH')
  assert.equal(accepted.rail, 'sandbox')
  assert.equal(accepted.externalReference, 'NONE')
  assert.equal(accepted.expiresAfterSeconds, 600)
  assert.deepEqual(accepted.fee, { amount: '0', currencyCode: 'EUR' })
  assert.equal(accepted.operator, undefined)
  assert.equal(accepted.dailyCap, undefined)
})

test('the bounds belong to the range, and a refusal names them with all their digits', () => {
  const terms = termsOf(['CASH'])
  for (const bound of ['5', '100.5']) accept(ONE_METHOD, terms, { ...CASH, ...payin(bound) })
  const below = reject(ONE_METHOD, terms, { ...CASH, ...payin('4.99') })
  assert.equal(below.code, 'AMOUNT_BELOW_MINIMUM')
  assert.equal(below.field, 'paymentRequested.money.amount')
  assert.equal(below.paymentMethodCode, 'CASH')
  assert.equal(JSON.stringify(below.limit), '{"min":5,"max":100.5,"currencyCode":"EUR"}')
  assert.equal(reject(ONE_METHOD, terms, { ...CASH, ...payin('100.51') }).code, 'AMOUNT_ABOVE_MAXIMUM')
})

test('a method that is unknown, of another direction or not configured is refused with the same words', () => {
  const terms = termsOf(['CASH'])
  const unknown = reject(ONE_METHOD, terms, { ...CASH, methodCode: 'BARTER' })
  assert.equal(unknown.code, 'PAYMENT_METHOD_NOT_AVAILABLE')
  assert.equal(unknown.field, 'paymentMethod.paymentMethodCode')
  const notConfigured = reject(ONE_METHOD, termsOf([]), CASH)
  assert.equal(notConfigured.message, unknown.message.replace('BARTER', 'CASH'))
  assert.deepEqual(reject(ONE_METHOD, terms, { ...CASH, direction: 'PAYOUT' }), notConfigured)
})

test('a top-up names the members of its own request', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('CASH')],
    limits: [limitRow({ methodCode: 'CASH', direction: 'TOPUP' })],
  })
  const terms = termsOf([], { methods: [{ methodCode: 'CASH', direction: 'TOPUP' }] })
  const item = reject(catalogue, terms, { ...CASH, direction: 'TOPUP', money: payin('0.5').money })
  assert.equal(item.field, 'topUpRequested.money.amount')
})

test('the currency must be one of the gateway and one of the method', () => {
  const terms = termsOf(['CASH'])
  const unknown = reject(ONE_METHOD, terms, { ...CASH, ...payin('10', 'XYZ') })
  assert.equal(unknown.code, 'CURRENCY_NOT_SUPPORTED')
  assert.equal(unknown.paymentMethodCode, undefined)
  const notTaken = reject(ONE_METHOD, terms, { ...CASH, ...payin('10', 'JPY') })
  assert.equal(notTaken.code, 'CURRENCY_NOT_SUPPORTED')
  assert.equal(notTaken.paymentMethodCode, 'CASH')
})

test('an amount has no more decimals than its currency', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('CASH')],
    limits: ['EUR', 'JPY', 'KWD'].map((currencyCode) => limitRow({ methodCode: 'CASH', currencyCode })),
  })
  const cases = [
    ['10.55', 'EUR', []],
    ['10.555', 'EUR', ['AMOUNT_PRECISION_INVALID']],
    ['10', 'JPY', []],
    ['10.5', 'JPY', ['AMOUNT_PRECISION_INVALID']],
    ['10.555', 'KWD', []],
    ['10.5555', 'KWD', ['AMOUNT_PRECISION_INVALID']],
  ] as const
  for (const [text, currencyCode, codes] of cases) {
    const judged = judgePayment(catalogue, termsOf(['CASH']), { ...CASH, ...payin(text, currencyCode) })
    assert.deepEqual(codesOf(judged), codes, `${text} ${currencyCode}`)
  }
})

test('a segment must exist, must not be excluded, and has its own limit before the common one', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('CASH')],
    limits: [
      limitRow({ methodCode: 'CASH', max: '100' }),
      limitRow({ methodCode: 'CASH', segmentCode: 'VIP', max: '1000' }),
    ],
    excludedSegments: [{ methodCode: 'CASH', segmentCode: 'NEW' }],
  })
  const terms = termsOf(['CASH'])
  const codes = (text: string, segmentCode?: string) =>
    codesOf(judgePayment(catalogue, terms, { ...CASH, ...payin(text, 'EUR', segmentCode) }))
  assert.deepEqual(codes('10', 'NOPE'), ['SEGMENT_NOT_SUPPORTED'])
  assert.deepEqual(codes('10', 'NEW'), ['SEGMENT_NOT_SUPPORTED'])
  assert.deepEqual(codes('10'), [])
  assert.deepEqual(codes('500'), ['AMOUNT_ABOVE_MAXIMUM'])
  assert.deepEqual(codes('500', 'VIP'), [])
})

test('the merchant’s own bounds narrow the range and never widen it', () => {
  const terms = (min: string | null, max: string | null) =>
    termsOf(['CASH'], {
      limits: [
        {
          methodCode: 'CASH',
          direction: 'PAYIN',
          currencyCode: 'EUR',
          min,
          max,
          dailyAmountMax: null,
          dailyCountMax: null,
        },
      ],
    })
  const codes = (text: string, min: string | null, max: string | null) =>
    codesOf(judgePayment(ONE_METHOD, terms(min, max), { ...CASH, ...payin(text) }))
  assert.deepEqual(codes('10', '20', null), ['AMOUNT_BELOW_MINIMUM'])
  assert.deepEqual(codes('60', null, '50'), ['AMOUNT_ABOVE_MAXIMUM'])
  assert.deepEqual(codes('4', '1', '9999'), ['AMOUNT_BELOW_MINIMUM'])
  assert.deepEqual(codes('200', '1', '9999'), ['AMOUNT_ABOVE_MAXIMUM'])
  assert.deepEqual(codes('10', '2000', null), ['CURRENCY_NOT_SUPPORTED'], 'nothing is left of the range')
})

test('the merchant’s daily cap is handed on to be counted', () => {
  const terms = termsOf(['CASH'], {
    limits: [
      {
        methodCode: 'CASH',
        direction: 'PAYIN',
        currencyCode: 'EUR',
        min: null,
        max: null,
        dailyAmountMax: '250.50',
        dailyCountMax: 3,
      },
    ],
  })
  assert.deepEqual(accept(ONE_METHOD, terms, CASH).dailyCap, { amountMax: '250.5', countMax: 3 })
})

const BANKS = catalogueOf({
  operators: [
    operatorRow({ code: 'OPEN_A' }),
    operatorRow({ code: 'OPEN_B', currencyCodes: ['EUR', 'JPY'] }),
    operatorRow({ code: 'SHUT', payin: 'CLOSED' }),
    operatorRow({ code: 'STRANGER' }),
  ],
  methods: [methodRow('BANKING')],
  methodOperators: ['OPEN_A', 'OPEN_B', 'SHUT'].map((operatorCode) => ({
    methodCode: 'BANKING',
    operatorCode,
  })),
  limits: ['EUR', 'JPY', 'KWD'].map((currencyCode) => limitRow({ methodCode: 'BANKING', currencyCode })),
  fields: [fieldRow({ methodCode: 'BANKING', name: 'paymentOperatorCode' })],
})

test('an operator is named where there are several, and taken by itself where there is one', () => {
  const terms = termsOf(['BANKING'])
  const ask = (currencyCode: string, operatorCode?: string) => ({
    ...payin('10', currencyCode),
    methodCode: 'BANKING',
    operatorCode,
  })
  assert.equal(accept(BANKS, terms, ask('EUR', 'OPEN_A')).operator?.code, 'OPEN_A')
  assert.equal(accept(BANKS, terms, ask('JPY')).operator?.code, 'OPEN_B')
  const missing = reject(BANKS, terms, ask('EUR'))
  assert.equal(missing.code, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
  assert.equal(missing.field, 'paymentMethod.paymentOperatorCode')
  for (const code of ['STRANGER', 'NOBODY']) {
    const item = reject(BANKS, terms, ask('EUR', code))
    assert.equal(item.code, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
    assert.equal(item.paymentOperatorCode, code)
  }
  assert.equal(reject(BANKS, terms, ask('JPY', 'OPEN_A')).code, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
  assert.equal(reject(BANKS, terms, ask('KWD')).code, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
})

test('a closed operator is told apart from an unknown one', () => {
  const item = reject(BANKS, termsOf(['BANKING']), {
    ...payin('10'),
    methodCode: 'BANKING',
    operatorCode: 'SHUT',
  })
  assert.equal(item.code, 'CHANNEL_UNAVAILABLE')
  assert.equal(item.paymentOperatorCode, 'SHUT')
})

test('a method without operators takes none', () => {
  const item = reject(ONE_METHOD, termsOf(['CASH']), { ...CASH, operatorCode: 'OPEN_A' })
  assert.equal(item.code, 'PAYMENT_OPERATOR_NOT_AVAILABLE')
})

test('all independent reasons come in one answer', () => {
  const catalogue = catalogueOf({
    operators: [operatorRow({ code: 'A' }), operatorRow({ code: 'B' })],
    methods: [methodRow('BANKING')],
    methodOperators: ['A', 'B'].map((operatorCode) => ({ methodCode: 'BANKING', operatorCode })),
    limits: [limitRow({ methodCode: 'BANKING' })],
    fields: [
      fieldRow({ methodCode: 'BANKING', name: 'paymentOperatorCode' }),
      fieldRow({ methodCode: 'BANKING', name: 'accountName' }),
      fieldRow({ methodCode: 'BANKING', name: 'accountNumber', pattern: '[0-9]+' }),
      fieldRow({ methodCode: 'BANKING', name: 'emailAddress' }),
    ],
  })
  const judged = judgePayment(catalogue, termsOf(['BANKING']), {
    ...payin('0.001', 'EUR', 'NOPE'),
    methodCode: 'BANKING',
    account: { accountName: '  ', accountNumber: '12a' },
  })
  assert(!judged.ok)
  assert.deepEqual(
    judged.items.map(({ code, field }) => [code, field]),
    [
      ['AMOUNT_PRECISION_INVALID', 'paymentRequested.money.amount'],
      ['SEGMENT_NOT_SUPPORTED', 'paymentRequested.segmentCode'],
      ['AMOUNT_BELOW_MINIMUM', 'paymentRequested.money.amount'],
      ['PAYMENT_OPERATOR_NOT_AVAILABLE', 'paymentMethod.paymentOperatorCode'],
      ['ACCOUNT_REQUIRED', 'paymentMethod.account.accountName'],
      ['ACCOUNT_INVALID', 'paymentMethod.account.accountNumber'],
      ['EMAIL_REQUIRED', 'paymentMethod.emailAddress'],
    ],
  )
})

test('a field must match its pattern in full and keep its length, and what is not asked for passes', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('UPI')],
    limits: [limitRow({ methodCode: 'UPI' })],
    fields: [
      fieldRow({
        methodCode: 'UPI',
        name: 'accountNumber',
        required: false,
        pattern: '[a-z]+@[a-z]+',
        maxLength: 8,
      }),
      fieldRow({ methodCode: 'UPI', name: 'bankCode', required: false, maxLength: 2 }),
    ],
  })
  const codes = (account: { accountNumber?: string; accountName?: string; bankCode?: string }) =>
    codesOf(judgePayment(catalogue, termsOf(['UPI']), { ...payin('10'), methodCode: 'UPI', account }))
  assert.deepEqual(codes({}), [])
  assert.deepEqual(codes({ accountNumber: 'eve@bank' }), [])
  assert.deepEqual(codes({ accountNumber: 'eve@bank1' }), ['ACCOUNT_INVALID'])
  assert.deepEqual(codes({ accountNumber: 'eva@banka' }), ['ACCOUNT_INVALID'], 'one character too long')
  assert.deepEqual(codes({ accountNumber: 'x eve@bank' }), ['ACCOUNT_INVALID'])
  assert.deepEqual(codes({ accountNumber: 'eve@bank', accountName: 'anything at all' }), [])
  assert.deepEqual(codes({ bankCode: '🏦🏦' }), [], 'two characters, though four units of UTF-16')
})

test('the check digits of an IBAN are verified, and other account numbers pass', () => {
  const wrong = ['GB83WEST12345698765432', 'NL91ABNA0417164301', 'DE00 3704 0044 0532 0130 00']
  const right = [
    'GB82WEST12345698765432',
    'gb82 west 1234 5698 7654 32',
    'NL91ABNA0417164300',
    'DE89370400440532013000',
    'NO9386011117947',
  ]
  const others = ['19-2000145399/0800', '123456789', 'DE89']
  const catalogue = catalogueOf({
    methods: [methodRow('CASH')],
    limits: [limitRow({ methodCode: 'CASH' })],
    fields: [fieldRow({ methodCode: 'CASH', name: 'accountNumber', checksum: 'IBAN' })],
  })
  for (const accountNumber of wrong) {
    const item = reject(catalogue, termsOf(['CASH']), { ...CASH, account: { accountNumber } })
    assert.equal(item.code, 'ACCOUNT_INVALID', accountNumber)
  }
  for (const accountNumber of [...right, ...others]) {
    const judged = judgePayment(catalogue, termsOf(['CASH']), { ...CASH, account: { accountNumber } })
    assert.ok(judged.ok, accountNumber)
  }
})

test('the most specific fee counts: merchant, then operator, then segment', () => {
  const scopes = [
    { operatorCode: 'OPEN_B', segmentCode: 'VIP' },
    { operatorCode: 'OPEN_B', segmentCode: '*' },
    { operatorCode: '*', segmentCode: 'VIP' },
    { operatorCode: '*', segmentCode: '*' },
  ]
  const merchantFees = scopes.map((scope, index) =>
    feeRow({ methodCode: 'BANKING', ...scope, fixed: `0.${index + 1}` }),
  )
  const houseFees = scopes.map((scope, index) =>
    feeRow({ methodCode: 'BANKING', ...scope, fixed: `0.${index + 5}` }),
  )
  const request = {
    ...payin('10', 'EUR', 'VIP'),
    methodCode: 'BANKING',
    operatorCode: 'OPEN_B',
  }
  const fees = Array.from({ length: 9 }, (_, dropped) => {
    const terms = termsOf(['BANKING'], { fees: merchantFees.slice(dropped) })
    const house = catalogueOf({
      operators: [operatorRow({ code: 'OPEN_B' })],
      methods: [methodRow('BANKING')],
      methodOperators: [{ methodCode: 'BANKING', operatorCode: 'OPEN_B' }],
      limits: [limitRow({ methodCode: 'BANKING' })],
      fees: houseFees.slice(Math.max(0, dropped - 4)),
    })
    return accept(house, terms, request).fee.amount
  })
  assert.deepEqual(fees, ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0'])
})

test('the fee of money that comes in is never more than the money; that of a payout may be', () => {
  const rows = {
    methods: [methodRow('CASH')],
    limits: [
      limitRow({ methodCode: 'CASH', min: '0.01' }),
      limitRow({ methodCode: 'CASH', min: '0.01', direction: 'PAYOUT' }),
    ],
    fees: [
      feeRow({ methodCode: 'CASH', fixed: '0.5' }),
      feeRow({ methodCode: 'CASH', fixed: '0.5', direction: 'PAYOUT' }),
    ],
  } as const
  const terms = termsOf(['CASH'], {
    methods: [
      { methodCode: 'CASH', direction: 'PAYIN' },
      { methodCode: 'CASH', direction: 'PAYOUT' },
    ],
  })
  const catalogue = catalogueOf(rows)
  const small = { ...CASH, ...payin('0.2') }
  assert.equal(accept(catalogue, terms, small).fee.amount, '0.2')
  assert.equal(accept(catalogue, terms, { ...small, direction: 'PAYOUT' }).fee.amount, '0.5')
})

test('a method whose pattern cannot be compiled is left out, and the fault says which', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('CASH'), methodRow('BROKEN')],
    limits: [limitRow({ methodCode: 'CASH' }), limitRow({ methodCode: 'BROKEN' })],
    fields: [fieldRow({ methodCode: 'BROKEN', name: 'accountNumber', pattern: '(?=a)[' })],
  })
  assert.deepEqual([...catalogue.methods.keys()], ['CASH'])
  assert.equal(catalogue.faults.length, 1)
  assert.match(catalogue.faults[0] ?? '', /BROKEN.*accountNumber/)
  const item = reject(catalogue, termsOf(['BROKEN']), { ...CASH, methodCode: 'BROKEN' })
  assert.equal(item.code, 'PAYMENT_METHOD_NOT_AVAILABLE')
})
