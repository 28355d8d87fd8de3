import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgePayment } from '../judge.ts'
import { listOptions } from '../options.ts'
import type { HealthRow } from '../rows.ts'
import {
  catalogueOf,
  codesOf,
  fieldRow,
  limitRow,
  methodRow,
  operatorRow,
  payin,
  termsOf,
} from './fixtures.ts'

const ill = (row: Partial<HealthRow>): HealthRow => ({
  type: 'OPERATOR',
  code: 'ALPHA',
  direction: 'PAYIN',
  availability: 'CLOSED',
  isByHand: false,
  ...row,
})

/** A method with two banks, of which one must be named, and one that goes through none. */
const withHealth = (...health: readonly HealthRow[]) =>
  catalogueOf({
    operators: [operatorRow({ code: 'ALPHA' }), operatorRow({ code: 'BETA', payin: 'CLOSED' })],
    methods: [methodRow('BANKING'), methodRow('TRANSFER')],
    methodOperators: [
      { methodCode: 'BANKING', operatorCode: 'ALPHA' },
      { methodCode: 'BANKING', operatorCode: 'BETA' },
    ],
    limits: [limitRow({ methodCode: 'BANKING' }), limitRow({ methodCode: 'TRANSFER' })],
    fields: [fieldRow({ methodCode: 'BANKING', name: 'paymentOperatorCode' })],
    health,
  })
const TERMS = termsOf(['BANKING', 'TRANSFER'])

const offered = (...health: readonly HealthRow[]): readonly string[] => {
  const judged = listOptions(withHealth(...health), TERMS, payin('10'))
  return judged.ok
    ? judged.options.flatMap(({ paymentMethodCode, paymentOperators }) => [
        paymentMethodCode,
        ...paymentOperators.map(({ code }) => code),
      ])
    : codesOf(judged)
}

const created = (operatorCode: string | undefined, ...health: readonly HealthRow[]) =>
  codesOf(
    judgePayment(withHealth(...health), TERMS, {
      ...payin('10'),
      methodCode: operatorCode === undefined ? 'TRANSFER' : 'BANKING',
      operatorCode,
    }),
  )

test('an operator that is closed is left out of the options and takes no payment; a slow one does', () => {
  assert.deepEqual(offered(), ['BANKING', 'ALPHA', 'TRANSFER'])
  assert.deepEqual(offered(ill({})), ['TRANSFER'])
  assert.deepEqual(offered(ill({ availability: 'DELAYED' })), ['BANKING', 'ALPHA', 'TRANSFER'])
  assert.deepEqual(created('ALPHA', ill({})), ['CHANNEL_UNAVAILABLE'])
  assert.deepEqual(created('ALPHA', ill({ availability: 'DELAYED' })), [])
  assert.deepEqual(created('ALPHA', ill({ direction: 'PAYOUT' })), [])
})

test('where a payment goes through no operator, the rail counts', () => {
  const rail = ill({ type: 'RAIL', code: 'sandbox' })
  assert.deepEqual(offered(rail), ['BANKING', 'ALPHA'])
  assert.deepEqual(created(undefined, rail), ['CHANNEL_UNAVAILABLE'])
  assert.deepEqual(offered(ill({ type: 'RAIL', code: 'other' })), ['BANKING', 'ALPHA', 'TRANSFER'])
})

test('what people say goes before what the catalogue says; what workers see can only make it worse', () => {
  const beta = (row: Partial<HealthRow>) => ill({ code: 'BETA', availability: 'OPERATIONAL', ...row })
  assert.deepEqual(created('BETA', beta({ isByHand: true })), [])
  assert.deepEqual(created('BETA', beta({ isByHand: false })), ['CHANNEL_UNAVAILABLE'])
  const { operators } = withHealth(ill({ availability: 'DELAYED' }))
  assert.deepEqual(operators.get('ALPHA')?.availability, { payin: 'DELAYED', payout: 'OPERATIONAL' })
})

test('when nothing is left, the reasons say that it is closed', () => {
  const judged = offered(ill({}), ill({ type: 'RAIL', code: 'sandbox' }))
  assert.deepEqual(judged, ['NO_OPTION_AVAILABLE', 'CHANNEL_UNAVAILABLE', 'CHANNEL_UNAVAILABLE'])
})
