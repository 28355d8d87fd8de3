import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeFee } from '@tollgate/money'
import { systemClock } from '@tollgate/runtime'
import fc from 'fast-check'
import { createRateAdministration, createRateService, seedSandboxRates } from '../../rates/index.ts'
import { SettingInvalid } from '../errors.ts'
import { judgeFee, judgePayment } from '../judge.ts'
import type { PricedFeeRule } from '../model.ts'
import { listOptions } from '../options.ts'
import type { FeeRates } from '../priced-fee.ts'
import { seedSandboxCatalogue } from '../seed.ts'
import { createCatalogueSettings } from '../settings.ts'
import { findCatalogue, findTerms } from '../store.ts'
import { insertMerchant, openTestDatabase, testLog } from './database.ts'
import {
  amount,
  catalogueOf,
  codesOf,
  feeRow,
  limitRow,
  methodRow,
  operatorRow,
  payin,
  termsOf,
} from './fixtures.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const STALE_AFTER_SECONDS = 86_400

interface Prices {
  readonly currencyCode: string
  readonly buy: string
  readonly sell: string
}

/** A list HOUSE in EUR with these rows, published at noon. */
function ratesOf(rows: readonly Prices[], atMs = NOON): FeeRates {
  const rates = rows.map(({ currencyCode, buy, sell }) => ({
    currencyCode,
    quotation: 'DIRECT' as const,
    unit: 1,
    buy: amount(buy),
    mid: amount(buy),
    sell: amount(sell),
  }))
  const sheet = {
    version: 7,
    source: 'CSV' as const,
    validFrom: new Date(NOON),
    validTo: undefined,
    publishedAt: new Date(NOON),
    supersededByVersion: undefined,
    rates: new Map(rates.map((rate) => [rate.currencyCode, rate])),
  }
  const list = {
    code: 'HOUSE',
    name: 'House',
    baseCurrencyCode: 'EUR',
    isEnabled: true,
    sheets: [sheet],
    staleAfterSeconds: STALE_AFTER_SECONDS,
  }
  return { snapshot: { lists: new Map([[list.code, list]]) }, atMs }
}

/** A yen is bought at 0.005 EUR and sold at 0.00625; a dollar at 0.8 and 1. */
const RATES = ratesOf([
  { currencyCode: 'JPY', buy: '0.005', sell: '0.00625' },
  { currencyCode: 'USD', buy: '0.8', sell: '1' },
])

const rule = (given: Partial<PricedFeeRule>, currencyCode = 'EUR'): PricedFeeRule => ({
  fixed: amount('0'),
  percentage: amount('0'),
  priced: { currencyCode, rateListCode: 'HOUSE' },
  ...given,
})

function feeOf(
  given: PricedFeeRule,
  text: string,
  currencyCode = 'JPY',
  rates: FeeRates | undefined = RATES,
) {
  return judgeFee({
    direction: 'PAYOUT',
    rule: given,
    money: { amount: amount(text), currencyCode },
    minorUnits: currencyCode === 'JPY' ? 0 : 2,
    methodCode: 'M1',
    rates,
  })
}

function chargeOf(...given: Parameters<typeof feeOf>) {
  const judged = feeOf(...given)
  assert(judged.ok)
  return judged.charge
}

test('a fee in euros of a payment in yen is what the euros cost there, and says how it came about', () => {
  // The house gives a euro for the yen that it buys at 0.005: 200 yen.
  assert.deepEqual(chargeOf(rule({ fixed: amount('0.25') }), '10000'), {
    fee: { amount: '50', currencyCode: 'JPY' },
    feeConversion: {
      listCode: 'HOUSE',
      version: 7,
      currencyCode: 'JPY',
      side: 'SELL',
      rate: '200',
      priced: { amount: '0.25', currencyCode: 'EUR' },
    },
  })
})

test('a fee in the row of the sheet, and a cross rate, are converted with the spreads', () => {
  const inEuros = chargeOf(rule({ fixed: amount('0.5') }, 'USD'), '10', 'EUR')
  assert.deepEqual([inEuros.fee.amount, inEuros.feeConversion?.currencyCode], ['0.5', 'USD'])
  const cross = chargeOf(rule({ fixed: amount('1') }, 'USD'), '10000', 'JPY')
  // A dollar is sold at 1 EUR, and a yen bought at 0.005 EUR.
  assert.deepEqual([cross.fee.amount, cross.feeConversion?.currencyCode], ['200', 'JPY'])
})

test('the percentage is of the money itself, the bounds are in the priced currency', () => {
  const given = rule({ percentage: amount('1'), minimum: amount('0.5'), maximum: amount('2') })
  assert.equal(chargeOf(given, '1000').fee.amount, '100', 'the minimum: 0.5 EUR')
  assert.equal(chargeOf(given, '25000').fee.amount, '250', 'one percent')
  assert.equal(chargeOf(given, '99999').fee.amount, '400', 'the maximum: 2 EUR')
  assert.equal(chargeOf(given, '25000').feeConversion?.priced.amount, '1.25')
})

test('without a fresh rate the fee cannot be told', () => {
  const given = rule({ fixed: amount('0.25') })
  const late = ratesOf(
    [{ currencyCode: 'JPY', buy: '0.005', sell: '0.006' }],
    NOON + STALE_AFTER_SECONDS * 1000,
  )
  const none = { ...rule({}), priced: { currencyCode: 'EUR', rateListCode: 'NONE' } }
  for (const judged of [
    feeOf(given, '100', 'KWD'),
    feeOf(given, '100', 'JPY', late),
    feeOf(given, '100', 'JPY', { ...RATES, atMs: NOON - 1 }),
    feeOf(none, '100'),
    judgeFee({
      direction: 'PAYIN',
      rule: given,
      money: { amount: amount('9'), currencyCode: 'JPY' },
      minorUnits: 0,
      methodCode: 'M1',
      rates: undefined,
    }),
  ]) {
    assert(!judged.ok)
    assert.deepEqual([judged.item.code, judged.item.paymentMethodCode], ['RATE_NOT_AVAILABLE', 'M1'])
    assert.match(judged.item.message, /^The fee of M1 is priced in EUR: /)
  }
})

test('of money that comes in, a converted fee is never more than the money', () => {
  const judged = judgeFee({
    direction: 'PAYIN',
    rule: rule({ fixed: amount('5') }),
    money: { amount: amount('300'), currencyCode: 'JPY' },
    minorUnits: 0,
    methodCode: 'M1',
    rates: RATES,
  })
  assert(judged.ok)
  assert.deepEqual([judged.charge.fee.amount, judged.charge.feeConversion?.priced.amount], ['300', '5'])
})

test('at a rate of one, a priced fee is what the rule gives without conversion', () => {
  const par = ratesOf([{ currencyCode: 'USD', buy: '1', sell: '1' }])
  const cents = fc
    .bigInt({ min: 0n, max: 10n ** 7n })
    .map((units) => amount(`${units / 100n}.${String(units % 100n).padStart(2, '0')}`))
  fc.assert(
    fc.property(
      fc.record({ fixed: cents, percentage: cents, minimum: cents, maximum: cents }),
      cents,
      (parts, gross) => {
        const charged = chargeOf(rule(parts, 'USD'), gross, 'EUR', par)
        assert.equal(charged.fee.amount, computeFee({ gross, rule: parts, minorUnits: 2 }))
      },
    ),
  )
})

test('a method whose fee has no rate is not listed, and what is listed is accepted', () => {
  const catalogue = catalogueOf({
    methods: [methodRow('M1'), methodRow('M2')],
    limits: [
      limitRow({ methodCode: 'M1', currencyCode: 'JPY' }),
      limitRow({ methodCode: 'M2', currencyCode: 'JPY' }),
    ],
    operators: [
      operatorRow({ code: 'O1', currencyCodes: ['JPY'] }),
      operatorRow({ code: 'O2', currencyCodes: ['JPY'] }),
    ],
    methodOperators: ['O1', 'O2'].map((operatorCode) => ({ methodCode: 'M2', operatorCode })),
    fees: [
      feeRow({
        methodCode: 'M1',
        currencyCode: 'JPY',
        fixed: '1',
        pricedCurrencyCode: 'EUR',
        rateListCode: 'NONE',
      }),
      feeRow({
        methodCode: 'M2',
        currencyCode: 'JPY',
        fixed: '0.25',
        pricedCurrencyCode: 'EUR',
        rateListCode: 'HOUSE',
      }),
      feeRow({
        methodCode: 'M2',
        currencyCode: 'JPY',
        operatorCode: 'O2',
        fixed: '1',
        pricedCurrencyCode: 'KWD',
        rateListCode: 'HOUSE',
      }),
    ],
  })
  const terms = termsOf(['M1', 'M2'])
  const question = payin('500', 'JPY')
  const listed = listOptions(catalogue, terms, question, RATES)
  assert(listed.ok)
  assert.deepEqual(
    listed.options.map((option) => [
      option.paymentMethodCode,
      option.paymentOperators.map(({ code }) => code),
      option.fee.amount.rawJSON,
    ]),
    [['M2', ['O1'], '50']],
  )
  const judge = (methodCode: string, operatorCode?: string) =>
    judgePayment(catalogue, terms, { ...question, methodCode, operatorCode }, RATES)
  assert.deepEqual(codesOf(judge('M2', 'O1')), [])
  assert.deepEqual(codesOf(judge('M2', 'O2')), ['RATE_NOT_AVAILABLE'])
  assert.deepEqual(codesOf(judge('M1')), ['RATE_NOT_AVAILABLE'])
  assert.deepEqual(codesOf(listOptions(catalogue, termsOf(['M1']), question, RATES)), [
    'NO_OPTION_AVAILABLE',
    'RATE_NOT_AVAILABLE',
  ])
  const agreed = judgePayment(catalogue, terms, { ...question, methodCode: 'M1', agreedFee: question.money })
  assert(agreed.ok)
  assert.deepEqual([agreed.accepted.fee, agreed.accepted.feeConversion], [question.money, undefined])
})

test('a priced fee is set with its list, comes back as it was set, and goes when another is set', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  await seedSandboxRates(db)
  const merchantId = await insertMerchant(db)
  const settings = createCatalogueSettings({ db })
  const fee = {
    merchantId,
    methodCode: 'UPI',
    direction: 'PAYIN',
    currencyCode: 'INR',
    fixed: '0.25',
  } as const
  const priced = { pricedCurrencyCode: 'EUR', rateListCode: 'SANDBOX' }
  const stored = async (): Promise<unknown> =>
    [...(await findTerms(db, merchantId)).fees.values()].map(({ fixed, priced: price }) => ({ fixed, price }))
  await settings.setFee({ ...fee, ...priced })
  assert.deepEqual(await stored(), [
    { fixed: '0.25', price: { currencyCode: 'EUR', rateListCode: 'SANDBOX' } },
  ])
  const service = createRateService({
    db,
    changes: { on: () => undefined },
    clock: systemClock,
    log: testLog().log,
    minorUnitsOf: () => 2,
  })
  await service.start()
  await settings.enableMethod({ merchantId, methodCode: 'UPI', direction: 'PAYIN' })
  const rates = { snapshot: service.current(), atMs: Date.now() }
  const judged = judgePayment(
    await findCatalogue(db),
    await findTerms(db, merchantId),
    {
      ...payin('1000', 'INR'),
      methodCode: 'UPI',
      account: { accountNumber: 'eve@test' },
    },
    rates,
  )
  assert(judged.ok)
  // 100 INR are bought at 1.08 EUR: 0.25 EUR cost 23.148… INR.
  assert.equal(judged.accepted.fee.amount, '23.15')
  await settings.setFee(fee)
  assert.deepEqual(await stored(), [{ fixed: '0.25', price: undefined }])
  await settings.setFee({ ...fee, merchantId: undefined, ...priced })
  const refused = (given: object, says: RegExp) =>
    assert.rejects(settings.setFee({ ...fee, ...given }), (error: unknown) => {
      assert(error instanceof SettingInvalid)
      assert.match(error.message, says)
      return true
    })
  await refused({ pricedCurrencyCode: 'EUR' }, /needs both/)
  await refused({ rateListCode: 'SANDBOX' }, /needs both/)
  await refused({ ...priced, pricedCurrencyCode: 'INR' }, /in INR themselves/)
  await refused({ ...priced, pricedCurrencyCode: 'XXX' }, /There is no currency XXX/)
  await refused({ ...priced, rateListCode: 'NONE' }, /There is no rate list NONE in use/)
  await refused({ ...priced, fixed: '0.001' }, /too many decimals: EUR has 2/)
  await createRateAdministration({ db, clock: systemClock }).setEnabled('SANDBOX', false)
  await refused(priced, /There is no rate list SANDBOX in use/)
})
