import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toAsciiDigits } from '../../src/formats/characters.ts'
import {
  createTexts,
  formatMoment,
  formatMoney,
  formatTime,
  LANGUAGES,
  type Language,
} from '../../src/messages/index.ts'

/** The number in a written amount, as plain decimal text. */
function readBack(language: Language, written: string): string {
  const decimal = new Intl.NumberFormat(language)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value
  assert.ok(decimal !== undefined)
  const [whole = '', fraction] = toAsciiDigits(written).split(decimal)
  const digits = whole.replace(/\D/g, '')
  return fraction === undefined ? digits : `${digits}.${fraction.replace(/\D/g, '')}`
}

const MINOR_UNITS: ReadonlyMap<string, number> = new Map([
  ['EUR', 2],
  ['INR', 2],
  ['KWD', 3],
])

const amounts = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.stringMatching(/^\d{0,18}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${String(whole)}.${fraction}`))

describe('money', () => {
  for (const language of LANGUAGES)
    it(`keeps every digit in ${language}, up to 18 decimals`, () => {
      fc.assert(
        fc.property(
          amounts,
          fc.constantFrom('EUR', 'JPY', 'KWD', 'INR', 'USDT', 'BTC'),
          (amount, currencyCode) => {
            const usual = MINOR_UNITS.get(currencyCode) ?? 0
            const [whole = '', fraction = ''] = amount.split('.')
            const padded = fraction.padEnd(usual, '0')
            // Zeros at the end may go where the currency does not ask for them.
            const shown = readBack(language, formatMoney(language, { amount, currencyCode }))
            const [shownWhole = '', shownFraction = ''] = shown.split('.')
            assert.equal(shownWhole, whole)
            assert.equal(shownFraction.padEnd(padded.length, '0'), padded)
            assert.ok(shownFraction.length >= usual)
          },
        ),
      )
    })

  const cases: readonly (readonly [Language, string, string, string])[] = [
    ['en', '149.9', 'EUR', '€149.90'],
    ['de', '1234567.89', 'EUR', '1.234.567,89 €'],
    ['hi', '1234567', 'INR', '₹12,34,567.00'],
    ['ja', '1500', 'JPY', '￥1,500'],
    ['en', '0.000000000000000001', 'ETH', 'ETH 0.000000000000000001'],
    ['en', '12.5', 'USDT', 'USDT 12.5'],
    ['de', '12.5', 'USDT', '12,5 USDT'],
    ['en', '9007199254740993.12', 'USD', 'US$9,007,199,254,740,993.12'],
  ]
  for (const [language, amount, currencyCode, written] of cases)
    it(`is ${written} in ${language}`, () => {
      const shown = formatMoney(language, { amount, currencyCode }).replace(/[\u00a0\u202f]/g, ' ')
      assert.equal(shown.replace(/^US\$|^\$/, 'US$'), written)
    })

  it('refuses what is no plain decimal number', () => {
    for (const amount of ['', '1e3', '1,5', '.5', '1.', 'NaN', 'Infinity', '0x10', ' 1', '１'])
      assert.throws(() => formatMoney('en', { amount, currencyCode: 'EUR' }), /not a plain decimal number/)
  })
})

describe('moments', () => {
  const date = new Date('2025-11-21T14:35:00Z')

  for (const language of LANGUAGES)
    it(`tell day, time and zone in ${language}`, () => {
      const moment = toAsciiDigits(formatMoment(language, date, 'Europe/Prague'))
      for (const part of [/2025/, /21/, /(?:15|\b0?3)\D35/]) assert.match(moment, part)
      assert.notEqual(moment, toAsciiDigits(formatMoment(language, date, 'UTC')))
      assert.match(toAsciiDigits(formatTime(language, date, 'UTC')), /(?:14|\b0?2)\D35/)
    })

  it('are British in English', () => {
    assert.equal(formatMoment('en', date, 'UTC'), '21 November 2025 at 14:35 UTC')
    assert.equal(formatTime('en', date, 'UTC'), '14:35')
  })
})

describe('texts', () => {
  it('choose the plural form by the language', () => {
    const { say } = createTexts('en')
    assert.equal(say('choose.results', { count: 1 }), '1 result')
    assert.equal(say('choose.results', { count: 1_200 }), '1,200 results')
  })

  it('leave a placeholder to be seen when its argument is missing', () => {
    assert.equal(createTexts('en').say('title.pay'), 'Pay {amount}')
  })

  it('isolate an argument where directions may mix, and only there', () => {
    const { say } = createTexts('en')
    assert.equal(say('title.pay', { amount: '€ 5' }), 'Pay € 5')
    assert.equal(say('frame.support', { shop: 'متجر' }), 'Contact \u2068متجر\u2069')
  })

  it('fill in an argument as it is, even one that looks like a placeholder', () => {
    const text = createTexts('en').say('title.withShop', { title: '{shop}', shop: '$& {title}' })
    assert.equal(text, '{shop} – $& {title}')
  })

  it('give the browser what it fills in itself', () => {
    const given: unknown = JSON.parse(createTexts('en').template('choose.results'))
    assert.deepEqual(given, { one: '{count} result', other: '{count} results' })
  })
})
