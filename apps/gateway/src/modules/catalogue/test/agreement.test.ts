import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareAmounts, fromMinorUnits, parsePlainAmount } from '@tollgate/money'
import fc from 'fast-check'
import { judgePayment, type PaymentRequest } from '../judge.ts'
import { type Catalogue, DIRECTIONS, type MerchantTerms, type Question } from '../model.ts'
import { explainOptions, listOptions } from '../options.ts'
import type { CatalogueRows, MerchantTermsRows } from '../rows.ts'
import { buildTerms } from '../snapshot.ts'
import { catalogueOf, feeRow, fieldRow, limitRow, methodRow, operatorRow } from './fixtures.ts'

const METHODS = ['M1', 'M2', 'M3']
const OPERATORS = ['O1', 'O2', 'O3']
const CURRENCIES = ['EUR', 'JPY', 'KWD']
const SEGMENTS = ['NEW', 'VIP']
const FIELDS = ['accountName', 'accountNumber', 'bankCode', 'emailAddress', 'paymentOperatorCode'] as const

const direction = fc.constantFrom(...DIRECTIONS)
const currencyCode = fc.constantFrom(...CURRENCIES)
const anySegment = fc.constantFrom('*', ...SEGMENTS)
const methodCode = fc.constantFrom(...METHODS)
const availability = fc.constantFrom('OPERATIONAL' as const, 'DELAYED' as const, 'CLOSED' as const)
const range = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 90 }))
  .map(([min, more]) => ({ min: String(min), max: String(min + more) }))

const RANGES = METHODS.flatMap((method) =>
  DIRECTIONS.flatMap((side) =>
    CURRENCIES.flatMap((currency) =>
      ['*', ...SEGMENTS].map((segmentCode) => ({
        methodCode: method,
        direction: side,
        currencyCode: currency,
        segmentCode,
      })),
    ),
  ),
)
const limits = fc
  .subarray(RANGES, { minLength: 40 })
  .chain((chosen) => fc.tuple(...chosen.map((row) => range.map((bounds) => limitRow({ ...row, ...bounds })))))
const fields = fc.array(
  fc
    .record({
      methodCode,
      direction,
      name: fc.constantFrom(...FIELDS),
      required: fc.boolean(),
      pattern: fc.constantFrom(null, '[a-z]+'),
    })
    .map(fieldRow),
  { maxLength: 20 },
)
const feeParts = { fixed: fc.constantFrom('0', '0.5', '3'), percentage: fc.constantFrom('0', '1', '2.5') }
const fees = fc.array(
  fc
    .record({
      methodCode,
      direction,
      currencyCode,
      operatorCode: fc.constantFrom('*', ...OPERATORS),
      segmentCode: anySegment,
      ...feeParts,
    })
    .map(feeRow),
  { maxLength: 10 },
)
const operators: fc.Arbitrary<CatalogueRows['operators']> = fc.tuple(
  ...OPERATORS.map((code) =>
    fc
      .record({ currencyCodes: fc.subarray(CURRENCIES), payin: availability, payout: availability })
      .map((row) => operatorRow({ code, ...row })),
  ),
)
const PAIRS = METHODS.flatMap((method) =>
  OPERATORS.map((operatorCode) => ({ methodCode: method, operatorCode })),
)
const EXCLUSIONS = METHODS.flatMap((method) =>
  SEGMENTS.map((segmentCode) => ({ methodCode: method, segmentCode })),
)
const catalogue: fc.Arbitrary<Catalogue> = fc
  .record({
    operators,
    // The last method may be switched off for everybody.
    methods: fc.constantFrom(METHODS, METHODS.slice(0, 2)).map((codes) => codes.map(methodRow)),
    methodOperators: fc.subarray(PAIRS),
    limits,
    excludedSegments: fc.subarray(EXCLUSIONS),
    fields,
    fees,
  })
  .map(catalogueOf)

const USES = METHODS.flatMap((method) => DIRECTIONS.map((side) => ({ methodCode: method, direction: side })))
const bound = fc.option(
  fc.integer({ min: 1, max: 60 }).map((value) => String(value)),
  { nil: null },
)
const ownLimits: fc.Arbitrary<MerchantTermsRows['limits']> = fc.array(
  fc.record({
    methodCode,
    direction,
    currencyCode,
    min: bound,
    max: bound,
    dailyAmountMax: fc.constant(null),
    dailyCountMax: fc.constant(null),
  }),
  { maxLength: 3 },
)
const terms: fc.Arbitrary<MerchantTerms> = fc
  .record({ methods: fc.subarray(USES, { minLength: 6 }), limits: ownLimits, fees })
  .map((rows) => buildTerms('1', rows))

const question: fc.Arbitrary<Question> = fc.record({
  direction,
  money: fc.record({
    amount: fc
      .tuple(fc.bigInt({ min: 1n, max: 90n }), fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2, 3))
      .map(([units, scale]) => fromMinorUnits(units, scale)),
    currencyCode: fc.constantFrom(...CURRENCIES, ...CURRENCIES, ...CURRENCIES, 'XYZ'),
  }),
  segmentCode: fc.constantFrom(undefined, undefined, undefined, ...SEGMENTS, ...SEGMENTS, 'NOPE'),
})

/** Good values for every field there is: nothing about the customer's data is left to refuse. */
function requestFor(asked: Question, code: string, operatorCode: string | undefined): PaymentRequest {
  return {
    ...asked,
    methodCode: code,
    operatorCode,
    account: { accountName: 'eve', accountNumber: 'abc', bankCode: 'xyz' },
    emailAddress: 'eve',
  }
}

test('a listed method is accepted with each of its operators, for at most the fee that was shown', () => {
  let listed = 0
  fc.assert(
    fc.property(catalogue, terms, question, (all, own, asked) => {
      const judged = listOptions(all, own, asked)
      if (!judged.ok) return
      for (const { paymentMethodCode, paymentOperators, fee } of judged.options) {
        listed += 1
        const operatorCodes =
          paymentOperators.length === 0 ? [undefined] : paymentOperators.map(({ code }) => code)
        for (const operatorCode of operatorCodes) {
          const payment = judgePayment(all, own, requestFor(asked, paymentMethodCode, operatorCode))
          assert(payment.ok, JSON.stringify(payment))
          const shown = parsePlainAmount(JSON.stringify(fee.amount))
          assert.notEqual(compareAmounts(payment.accepted.fee.amount, shown), 1)
        }
      }
    }),
    { numRuns: 500 },
  )
  assert(listed > 40, `only ${listed} options were listed: the property said nearly nothing`)
})

test('a method whose limit of today is used up is never listed, and is a reason where nothing is left', () => {
  let listed = 0
  fc.assert(
    fc.property(catalogue, terms, question, fc.subarray(METHODS), (all, own, asked, codes) => {
      const usedUp = new Set(codes)
      const limit = { code: 'CHANNEL_LIMIT', message: 'Used up.' } as const
      const objectTo: Question['objectTo'] = ({ code }) => (usedUp.has(code) ? limit : undefined)
      const [judged, free] = [listOptions(all, own, { ...asked, objectTo }), listOptions(all, own, asked)]
      const codesOf = (each: typeof judged) => (each.ok ? each.options : []).map((o) => o.paymentMethodCode)
      assert.deepEqual(
        codesOf(judged),
        codesOf(free).filter((code) => !usedUp.has(code)),
      )
      listed += codesOf(judged).length
      if (judged.ok || !free.ok) return
      for (const code of codesOf(free))
        assert(judged.items.some((item) => item.code === 'CHANNEL_LIMIT' && item.paymentMethodCode === code))
    }),
    { numRuns: 300 },
  )
  assert(listed > 20)
})

test('a method that is not listed is refused with whatever operator, and so is an operator that is not listed', () => {
  let refused = 0
  fc.assert(
    fc.property(catalogue, terms, question, (all, own, asked) => {
      const judged = listOptions(all, own, asked)
      const options = judged.ok ? judged.options : []
      for (const code of METHODS) {
        const option = options.find(({ paymentMethodCode }) => paymentMethodCode === code)
        const strangers = OPERATORS.filter(
          (operator) => option?.paymentOperators.some((offered) => offered.code === operator) !== true,
        )
        for (const operatorCode of option === undefined ? [...strangers, undefined] : strangers) {
          const payment = judgePayment(all, own, requestFor(asked, code, operatorCode))
          assert(!payment.ok, `${code} with ${operatorCode ?? 'no operator'}`)
          assert(payment.items.length > 0)
          refused += 1
        }
      }
    }),
    { numRuns: 500 },
  )
  assert(refused > 500)
})

test('when nothing is listed, there is a reason, and every configured method has one unless none could have paid', () => {
  fc.assert(
    fc.property(catalogue, terms, question, (all, own, asked) => {
      const judged = listOptions(all, own, asked)
      if (judged.ok) {
        assert(judged.options.length > 0)
        return
      }
      const [first, ...others] = judged.items
      assert(first !== undefined)
      if (first.code !== 'NO_OPTION_AVAILABLE') return
      assert.deepEqual(
        others.map(({ paymentMethodCode }) => paymentMethodCode).sort(),
        [...(own.methods.get(asked.direction) ?? [])].sort(),
      )
    }),
    { numRuns: 300 },
  )
})

test('what is explained as offered is what is listed, and every other method has a rule that fails', () => {
  let failed = 0
  fc.assert(
    fc.property(catalogue, terms, question, (all, own, asked) => {
      const judged = listOptions(all, own, asked)
      const { items, methods } = explainOptions({ catalogue: all, terms: own }, asked)
      const listed = judged.ok ? judged.options.map(({ paymentMethodCode }) => paymentMethodCode) : []
      assert.deepEqual(
        methods.filter(({ isOffered }) => isOffered).map(({ methodCode }) => methodCode),
        listed,
      )
      for (const { isOffered, rules } of methods) {
        const failing = rules.filter(({ verdict }) => verdict === 'FAILED')
        assert.equal(failing.length === 0, isOffered)
        assert.ok(failing.every(({ item }) => item !== undefined))
        assert.equal(
          rules.every(({ verdict }) => verdict === 'PASSED'),
          isOffered,
        )
        failed += failing.length
      }
      // The first reason that a merchant hears of a method is one of those that fail.
      if (judged.ok || judged.items[0]?.code !== 'NO_OPTION_AVAILABLE') return
      assert.deepEqual(items, [])
      for (const { paymentMethodCode, message } of judged.items.slice(1)) {
        const told = methods.find(({ methodCode }) => methodCode === paymentMethodCode)?.rules ?? []
        assert.ok(told.some(({ item }) => item?.message === message))
      }
    }),
    { numRuns: 300 },
  )
  assert(failed > 300)
})

test('each fee that is explained is the fee of a payment, through each operator that is named with it', () => {
  let told = 0
  fc.assert(
    fc.property(catalogue, terms, question, (all, own, asked) => {
      const { methods } = explainOptions({ catalogue: all, terms: own }, asked)
      for (const { methodCode: code, isOffered, fees: explained } of methods) {
        assert.ok(explained.length > 0 || !isOffered)
        if (!isOffered) continue
        const ways = explained.flatMap(({ operatorCodes, fee }) =>
          (operatorCodes.length === 0 ? [undefined] : operatorCodes).map((each) => [each, fee] as const),
        )
        for (const [operatorCode, fee] of ways) {
          const payment = judgePayment(all, own, requestFor(asked, code, operatorCode))
          assert(payment.ok, JSON.stringify(payment))
          assert.deepEqual(payment.accepted.fee, fee)
          told += 1
        }
      }
    }),
    { numRuns: 500 },
  )
  assert(told > 40, `only ${told} fees were told: the property said nearly nothing`)
})
