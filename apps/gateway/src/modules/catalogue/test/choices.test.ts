import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeOperators } from '../describe.ts'
import { listChoices, listOptions } from '../options.ts'
import { catalogueOf, fieldRow, limitRow, methodRow, operatorRow, payin, termsOf } from './fixtures.ts'

const catalogue = catalogueOf({
  operators: [
    operatorRow({ code: 'OPEN', popularRank: 2, bic: 'OPENDEFF', aliases: ['Open Sesame'] }),
    operatorRow({ code: 'SLOW', payin: 'DELAYED' }),
    operatorRow({ code: 'SHUT', payin: 'CLOSED' }),
    operatorRow({ code: 'YEN', currencyCodes: ['JPY'] }),
  ],
  methods: [
    { ...methodRow('BANKS'), payinSpeed: 'INSTANT' },
    methodRow('ALL_SHUT'),
    { ...methodRow('RAIL_SHUT'), rail: 'gone' },
    methodRow('DEAR'),
    methodRow('FOREIGN'),
  ],
  methodOperators: [
    ...['OPEN', 'SLOW', 'SHUT', 'YEN'].map((operatorCode) => ({ methodCode: 'BANKS', operatorCode })),
    { methodCode: 'ALL_SHUT', operatorCode: 'SHUT' },
  ],
  fields: [
    fieldRow({ methodCode: 'BANKS', name: 'paymentOperatorCode' }),
    fieldRow({ methodCode: 'ALL_SHUT', name: 'paymentOperatorCode' }),
  ],
  limits: [
    limitRow({ methodCode: 'BANKS' }),
    limitRow({ methodCode: 'ALL_SHUT' }),
    limitRow({ methodCode: 'RAIL_SHUT' }),
    limitRow({ methodCode: 'DEAR', min: '500' }),
    limitRow({ methodCode: 'FOREIGN' }),
  ],
  health: [{ type: 'RAIL', code: 'gone', direction: 'PAYIN', availability: 'CLOSED', isByHand: false }],
})
const terms = termsOf(['BANKS', 'ALL_SHUT', 'RAIL_SHUT', 'DEAR'])
const choices = listChoices(catalogue, terms, payin('10'), new Set(['BANKS']))

test('what is closed is among the choices and not among the options; what does not fit is in neither', () => {
  const options = listOptions(catalogue, terms, payin('10'))
  assert(options.ok)
  assert.deepEqual(
    options.options.map(({ paymentMethodCode }) => paymentMethodCode),
    ['BANKS'],
  )
  assert.deepEqual(
    choices.map(({ paymentMethodCode, availability }) => [paymentMethodCode, availability]),
    [
      ['BANKS', 'OPERATIONAL'],
      ['ALL_SHUT', 'CLOSED'],
      ['RAIL_SHUT', 'CLOSED'],
    ],
  )
})

test('a choice says when the limit of today is used up', () => {
  assert.deepEqual(
    choices.map(({ paymentMethodCode, isUsedUp }) => [paymentMethodCode, isUsedUp]),
    [
      ['BANKS', true],
      ['ALL_SHUT', undefined],
      ['RAIL_SHUT', undefined],
    ],
  )
})

test('an operator comes with how people find it, for the currency that is asked for', () => {
  assert.deepEqual(choices[0]?.operators, [
    {
      code: 'OPEN',
      name: 'OPEN',
      availability: 'OPERATIONAL',
      popularRank: 2,
      bic: 'OPENDEFF',
      aliases: ['Open Sesame'],
    },
    { code: 'SLOW', name: 'SLOW', availability: 'DELAYED' },
    { code: 'SHUT', name: 'SHUT', availability: 'CLOSED' },
  ])
  assert.equal(choices[0].speed, 'INSTANT')
  assert.equal(choices[1]?.speed, undefined)
})

test('the public list of operators says nothing of that', () => {
  assert.deepEqual(describeOperators(catalogue)[0], {
    code: 'OPEN',
    name: 'OPEN',
    type: 'BANK',
    currencyCodes: ['EUR'],
    availability: { payin: 'OPERATIONAL', payout: 'OPERATIONAL' },
  })
})
