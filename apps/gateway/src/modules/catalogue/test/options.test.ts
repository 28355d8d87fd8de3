import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCurrencies, describeMethods, describeOperators, describeSegments } from '../describe.ts'
import { listOptions } from '../options.ts'
import {
  catalogueOf,
  feeRow,
  fieldRow,
  limitRow,
  methodRow,
  operatorRow,
  payin,
  termsOf,
} from './fixtures.ts'

const CATALOGUE = catalogueOf({
  operators: [
    operatorRow({ code: 'OPEN', countryCode: 'CZ' }),
    operatorRow({ code: 'DEAR', payin: 'DELAYED' }),
    operatorRow({ code: 'SHUT', payin: 'CLOSED', currencyCodes: ['EUR', 'KWD'] }),
  ],
  methods: [methodRow('TRANSFER'), methodRow('BANKING'), methodRow('CASH')],
  methodOperators: ['OPEN', 'DEAR', 'SHUT'].map((operatorCode) => ({ methodCode: 'BANKING', operatorCode })),
  limits: [
    limitRow({ methodCode: 'TRANSFER', max: '100' }),
    limitRow({ methodCode: 'TRANSFER', direction: 'PAYOUT', currencyCode: 'JPY', min: '10' }),
    limitRow({ methodCode: 'BANKING' }),
    limitRow({ methodCode: 'BANKING', currencyCode: 'KWD' }),
    limitRow({ methodCode: 'BANKING', currencyCode: 'JPY' }),
    limitRow({ methodCode: 'CASH' }),
    limitRow({ methodCode: 'CASH', segmentCode: 'VIP', max: '5000' }),
  ],
  excludedSegments: [{ methodCode: 'CASH', segmentCode: 'NEW' }],
  fields: [
    fieldRow({ methodCode: 'BANKING', name: 'paymentOperatorCode' }),
    fieldRow({
      methodCode: 'TRANSFER',
      name: 'accountNumber',
      required: false,
      pattern: '[0-9]+',
      maxLength: 9,
    }),
    fieldRow({ methodCode: 'TRANSFER', name: 'accountNumber', direction: 'PAYOUT' }),
  ],
  fees: [
    feeRow({ methodCode: 'BANKING', percentage: '1' }),
    feeRow({ methodCode: 'BANKING', operatorCode: 'DEAR', percentage: '2' }),
  ],
})
const ALL = termsOf(['CASH', 'TRANSFER', 'BANKING'])

function codesIn(...question: Parameters<typeof payin>) {
  const judged = listOptions(CATALOGUE, ALL, payin(...question))
  return judged.ok ? judged.options.map(({ paymentMethodCode }) => paymentMethodCode) : judged.items
}

test('an option says what a form needs, in the catalogue’s order', () => {
  const judged = listOptions(CATALOGUE, termsOf(['BANKING', 'TRANSFER']), payin('50'))
  assert(judged.ok)
  assert.equal(
    JSON.stringify(judged.options),
    JSON.stringify([
      {
        paymentMethodCode: 'TRANSFER',
        name: 'TRANSFER',
        paymentOperators: [],
        flow: 'INSTRUCTIONS',
        externalReference: 'NONE',
        fields: [{ name: 'accountNumber', required: false, pattern: '[0-9]+', maxLength: 9 }],
        limits: [{ minAmount: 1, maxAmount: 100, currencyCode: 'EUR' }],
        fee: { amount: 0, currencyCode: 'EUR' },
      },
      {
        paymentMethodCode: 'BANKING',
        name: 'BANKING',
        paymentOperators: [
          { code: 'OPEN', name: 'OPEN' },
          { code: 'DEAR', name: 'DEAR' },
        ],
        flow: 'INSTRUCTIONS',
        externalReference: 'NONE',
        fields: [{ name: 'paymentOperatorCode', required: true }],
        limits: [{ minAmount: 1, maxAmount: 1000, currencyCode: 'EUR' }],
        fee: { amount: 1, currencyCode: 'EUR' },
      },
    ]),
  )
})

test('only what takes the amount, the currency and the segment is listed', () => {
  assert.deepEqual(codesIn('50'), ['TRANSFER', 'BANKING', 'CASH'])
  assert.deepEqual(codesIn('100.01'), ['BANKING', 'CASH'])
  assert.deepEqual(codesIn('50', 'EUR', 'NEW'), ['TRANSFER', 'BANKING'])
  assert.deepEqual(codesIn('2000', 'EUR', 'VIP'), ['CASH'])
})

test('when nothing is left, each of the merchant’s methods says why', () => {
  const judged = listOptions(CATALOGUE, termsOf(['CASH', 'BANKING', 'GONE']), payin('5000'))
  assert(!judged.ok)
  assert.equal(
    JSON.stringify(judged.items.map(({ message: _, ...item }) => item)),
    JSON.stringify([
      { code: 'NO_OPTION_AVAILABLE' },
      {
        code: 'AMOUNT_ABOVE_MAXIMUM',
        field: 'money.amount',
        paymentMethodCode: 'BANKING',
        limit: { min: 1, max: 1000, currencyCode: 'EUR' },
      },
      {
        code: 'AMOUNT_ABOVE_MAXIMUM',
        field: 'money.amount',
        paymentMethodCode: 'CASH',
        limit: { min: 1, max: 1000, currencyCode: 'EUR' },
      },
      { code: 'PAYMENT_METHOD_NOT_AVAILABLE', paymentMethodCode: 'GONE' },
    ]),
  )
  const none = listOptions(CATALOGUE, termsOf([]), payin('50'))
  assert(!none.ok)
  assert.deepEqual(
    none.items.map(({ code }) => code),
    ['NO_OPTION_AVAILABLE'],
  )
})

test('closed operators are not listed, and a method that needs one of them says that they are closed', () => {
  const codes = (currencyCode: string) => {
    const judged = listOptions(CATALOGUE, termsOf(['BANKING']), payin('50', currencyCode))
    assert(!judged.ok)
    return judged.items.map(({ code }) => code)
  }
  assert.deepEqual(codes('KWD'), ['NO_OPTION_AVAILABLE', 'CHANNEL_UNAVAILABLE'])
  assert.deepEqual(codes('JPY'), ['NO_OPTION_AVAILABLE', 'PAYMENT_OPERATOR_NOT_AVAILABLE'])
})

test('what no method could take is named alone', () => {
  const cases = [
    [payin('50', 'XYZ'), ['CURRENCY_NOT_SUPPORTED'], ['money.currencyCode']],
    [payin('50.001'), ['AMOUNT_PRECISION_INVALID'], ['money.amount']],
    [payin('50', 'EUR', 'NOPE'), ['SEGMENT_NOT_SUPPORTED'], ['segmentCode']],
  ] as const
  for (const [question, codes, fields] of cases) {
    const judged = listOptions(CATALOGUE, ALL, question)
    assert(!judged.ok)
    assert.deepEqual(
      judged.items.map(({ code }) => code),
      codes,
    )
    assert.deepEqual(
      judged.items.map(({ field }) => field),
      fields,
    )
  }
})

test('the list of methods shows the merchant’s methods with the fields and limits of each operation', () => {
  const terms = termsOf([], {
    methods: [
      { methodCode: 'TRANSFER', direction: 'PAYIN' },
      { methodCode: 'TRANSFER', direction: 'PAYOUT' },
      { methodCode: 'CASH', direction: 'PAYOUT' },
    ],
    limits: [
      {
        methodCode: 'TRANSFER',
        direction: 'PAYIN',
        currencyCode: 'EUR',
        min: null,
        max: '70',
        dailyAmountMax: null,
        dailyCountMax: null,
      },
    ],
  })
  const methods = describeMethods(CATALOGUE, terms)
  assert.deepEqual(
    methods.map(({ code }) => code),
    ['TRANSFER'],
    'CASH has no payouts',
  )
  const [transfer] = methods
  assert.deepEqual(transfer?.operations, ['PAYIN', 'PAYOUT'])
  assert.deepEqual(transfer.currencyCodes, ['EUR', 'JPY'])
  assert.deepEqual(transfer.fields, [
    { name: 'accountNumber', required: false, pattern: '[0-9]+', maxLength: 9, operation: 'PAYIN' },
    { name: 'accountNumber', required: true, operation: 'PAYOUT' },
  ])
  assert.equal(
    JSON.stringify(transfer.limits),
    JSON.stringify([
      { minAmount: 1, maxAmount: 70, currencyCode: 'EUR', operation: 'PAYIN' },
      { minAmount: 10, maxAmount: 1000, currencyCode: 'JPY', operation: 'PAYOUT' },
    ]),
  )
  const [cash] = describeMethods(CATALOGUE, termsOf(['CASH']))
  assert.deepEqual(cash?.excludedSegmentCodes, ['NEW'])
  assert.deepEqual(
    cash.limits.map(({ segmentCode }) => segmentCode),
    [undefined, 'VIP'],
  )
})

test('the list of currencies shows those that the merchant’s methods take, with their operations', () => {
  const terms = termsOf([], {
    methods: [
      { methodCode: 'TRANSFER', direction: 'PAYIN' },
      { methodCode: 'TRANSFER', direction: 'PAYOUT' },
    ],
  })
  assert.deepEqual(describeCurrencies(CATALOGUE, terms), [
    { code: 'EUR', name: 'Euro', type: 'FIAT', minorUnits: 2, operations: ['PAYIN'] },
    { code: 'JPY', name: 'Yen', type: 'FIAT', minorUnits: 0, operations: ['PAYOUT'] },
  ])
  assert.deepEqual(describeCurrencies(CATALOGUE, termsOf([])), [])
})

test('the lists of operators and segments show the whole system', () => {
  assert.deepEqual(describeOperators(CATALOGUE)[0], {
    code: 'OPEN',
    name: 'OPEN',
    type: 'BANK',
    countryCode: 'CZ',
    currencyCodes: ['EUR'],
    availability: { payin: 'OPERATIONAL', payout: 'OPERATIONAL' },
  })
  assert.equal(describeOperators(CATALOGUE).length, 3)
  assert.deepEqual(describeSegments(CATALOGUE), [
    { code: 'NEW', name: 'New' },
    { code: 'VIP', name: 'Very important' },
  ])
})
