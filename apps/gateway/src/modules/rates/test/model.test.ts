import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Conversion,
  convertBySheet,
  convertMoney,
  digestOf,
  type Rate,
  type RateSheet,
  type Side,
  sheetAt,
} from '../model.ts'
import { divide, multiply, printSignificant, type Ratio, ratioOf } from '../ratio.ts'
import { amount, DAY_MS, list, NOON, rate, sheet, snapshot } from './fixtures.ts'

const USD = rate('USD', ['0.90', '0.92', '0.95'])
const JPY = rate('JPY', ['0.60', '0.61', '0.63'], { unit: 100 })
const CZK = rate('CZK', ['25.5', '25', '24.5'], { quotation: 'INDIRECT' })
const HOUSE = list([sheet([USD, JPY, CZK])])
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, JPY: 0, CZK: 2, KWD: 3 }

interface Wish {
  readonly text: string
  readonly from: string
  readonly to: string
  readonly side: Side
}

function convert({ text, from, to, side }: Wish, house = HOUSE): Conversion {
  const outcome = convertMoney(snapshot(house), {
    listCode: 'HOUSE',
    money: { amount: amount(text), currencyCode: from },
    targetCurrencyCode: to,
    side,
    minorUnits: DECIMALS[to] ?? 2,
    atMs: NOON,
    staleSheet: 'SAY',
  })
  assert(outcome.ok)
  return outcome.conversion
}

const worth = (text: string, from: string, to: string, side: Side): string =>
  convert({ text, from, to, side }).converted.amount

test('the house buys at its lower price and sells at its higher, whichever way round the money goes', () => {
  assert.equal(worth('100', 'USD', 'EUR', 'BUY'), '90')
  assert.equal(worth('100', 'USD', 'EUR', 'MID'), '92')
  assert.equal(worth('100', 'USD', 'EUR', 'SELL'), '95')
  // 100 / 0.95, 100 / 0.92, 100 / 0.90
  assert.equal(worth('100', 'EUR', 'USD', 'BUY'), '105.26')
  assert.equal(worth('100', 'EUR', 'USD', 'MID'), '108.7')
  assert.equal(worth('100', 'EUR', 'USD', 'SELL'), '111.11')
})

test('a quotation of a hundred units, or of the base currency, means what it says', () => {
  assert.equal(worth('10000', 'JPY', 'EUR', 'BUY'), '60')
  assert.equal(worth('60', 'EUR', 'JPY', 'SELL'), '10000')
  assert.equal(worth('100', 'EUR', 'CZK', 'BUY'), '2450')
  assert.equal(worth('100', 'EUR', 'CZK', 'MID'), '2500')
  assert.equal(worth('100', 'EUR', 'CZK', 'SELL'), '2550')
  assert.equal(worth('2550', 'CZK', 'EUR', 'BUY'), '100')
})

test('a cross rate goes through the base with both spreads, and is rounded once', () => {
  const conversion = convert({ text: '100', from: 'USD', to: 'JPY', side: 'BUY' })
  // 100 × 0.90 / 0.0063 = 14285.714…; rounded at the euro, it would be the same, at a yen it would not
  assert.equal(conversion.converted.amount, '14286')
  assert.equal(conversion.rate, '142.857142857142857')
  assert.deepEqual(
    conversion.rates.map(({ currencyCode }) => currencyCode),
    ['USD', 'JPY'],
  )
  const thin = list([
    sheet([rate('USD', ['0.001', '0.001', '0.001']), rate('CZK', ['0.003', '0.003', '0.003'])]),
  ])
  const once = convert({ text: '1', from: 'USD', to: 'CZK', side: 'MID' }, thin)
  assert.equal(once.converted.amount, '0.33', 'a rounding to euros on the way would have left nothing')
})

test('a half goes up', () => {
  const half = list([sheet([rate('USD', ['0.5', '0.5', '0.5'])])])
  assert.equal(convert({ text: '0.01', from: 'USD', to: 'EUR', side: 'MID' }, half).converted.amount, '0.01')
  assert.equal(convert({ text: '0.03', from: 'USD', to: 'EUR', side: 'MID' }, half).converted.amount, '0.02')
})

test('within one currency nothing changes, if the list knows it', () => {
  const conversion = convert({ text: '12.34', from: 'USD', to: 'USD', side: 'BUY' })
  assert.deepEqual([conversion.converted.amount, conversion.rate, conversion.rates], ['12.34', '1', []])
  assert.equal(worth('7', 'EUR', 'EUR', 'SELL'), '7')
})

test('what the list has not is said, and an old sheet is refused to those who ask for that', () => {
  const ask = (given: object) =>
    convertMoney(snapshot(HOUSE), {
      listCode: 'HOUSE',
      money: { amount: amount('1'), currencyCode: 'USD' },
      targetCurrencyCode: 'EUR',
      side: 'MID',
      minorUnits: 2,
      atMs: NOON,
      staleSheet: 'REFUSE',
      ...given,
    })
  const codeOf = (given: object): string | undefined => {
    const outcome = ask(given)
    return outcome.ok ? undefined : outcome.problem.code
  }
  assert.equal(codeOf({}), undefined)
  assert.equal(codeOf({ listCode: 'OTHER' }), 'ENTITY_NOT_FOUND')
  assert.equal(codeOf({ targetCurrencyCode: 'KWD' }), 'RATE_NOT_AVAILABLE')
  assert.equal(codeOf({ money: { amount: amount('1'), currencyCode: 'KWD' } }), 'RATE_NOT_AVAILABLE')
  assert.equal(codeOf({ atMs: NOON - 1 }), 'RATE_NOT_AVAILABLE')
  assert.equal(codeOf({ atMs: NOON + 2 * DAY_MS - 1 }), undefined)
  assert.equal(codeOf({ atMs: NOON + 2 * DAY_MS }), 'RATE_NOT_AVAILABLE')
  const said = ask({ atMs: NOON + 2 * DAY_MS, staleSheet: 'SAY' })
  assert(said.ok)
  assert.deepEqual([said.conversion.isStale, said.conversion.ageSeconds], [true, 2 * 86_400])
})

test('the sheet of a moment is the last that came into force until then', () => {
  const first = sheet([USD], { version: 3 })
  const second = sheet([USD], { version: 2, validFrom: new Date(NOON + DAY_MS) })
  const both = list([first, second])
  assert.equal(sheetAt(both, NOON - 1), undefined)
  assert.equal(sheetAt(both, NOON), first)
  assert.equal(sheetAt(both, NOON + DAY_MS - 1), first)
  assert.equal(sheetAt(both, NOON + DAY_MS), second)
})

test('a list that is never stale says so of a sheet of any age', () => {
  const old = list([sheet([USD], { validFrom: new Date(0), publishedAt: new Date(0) })], {
    staleAfterSeconds: undefined,
  })
  assert.equal(convert({ text: '1', from: 'USD', to: 'EUR', side: 'MID' }, old).isStale, false)
})

test('the digest is of the content: the order of rows does not count, every digit does', () => {
  const digest = (rates: readonly Rate[], ms = NOON): string => digestOf(new Date(ms), rates).toString('hex')
  assert.equal(digest([USD, JPY]), digest([JPY, USD]))
  assert.notEqual(digest([USD, JPY]), digest([USD]))
  assert.notEqual(digest([USD]), digest([USD], NOON + 1))
  assert.notEqual(digest([USD]), digest([{ ...USD, mid: amount('0.9200001') }]))
  assert.notEqual(digest([USD]), digest([{ ...USD, quotation: 'INDIRECT' }]))
})

// Properties

const positive = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, scale]) => {
    const digits = String(units).padStart(scale + 1, '0')
    return amount(scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`)
  })

const compare = (a: Ratio, b: Ratio): number =>
  Number(a.numerator * b.denominator - b.numerator * a.denominator > 0n) -
  Number(a.numerator * b.denominator - b.numerator * a.denominator < 0n)

const anyRate = (currencyCode: string): fc.Arbitrary<Rate> =>
  fc
    .record({
      prices: fc.tuple(positive, positive, positive),
      quotation: fc.constantFrom('DIRECT' as const, 'INDIRECT' as const),
      unit: fc.constantFrom(1, 100, 1000),
    })
    .map(({ prices, quotation, unit }) => {
      const [low, mid, high] = prices.toSorted((a, b) => compare(ratioOf(a), ratioOf(b)))
      assert(low !== undefined && mid !== undefined && high !== undefined)
      const [buy, sell] = quotation === 'DIRECT' ? [low, high] : [high, low]
      return { currencyCode, quotation, unit, buy, mid, sell }
    })

const anySheet: fc.Arbitrary<RateSheet> = fc
  .tuple(anyRate('USD'), anyRate('JPY'))
  .map((rates) => sheet([...rates]))
const anyCode = fc.constantFrom('EUR', 'USD', 'JPY')
const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 12n })

function convertBy(rates: RateSheet, { text, from, to, side }: Wish): Conversion {
  const outcome = convertBySheet(HOUSE, rates, {
    listCode: 'HOUSE',
    money: { amount: amount(text), currencyCode: from },
    targetCurrencyCode: to,
    side,
    minorUnits: DECIMALS[to] ?? 2,
    atMs: NOON,
    staleSheet: 'SAY',
  })
  assert(outcome.ok)
  return outcome.conversion
}

/** So many minor units of the currency. */
const minor = (units: bigint, code: string): Ratio => ({
  numerator: units,
  denominator: 10n ** BigInt(DECIMALS[code] ?? 2),
})

const plus = (a: Ratio, b: Ratio): Ratio => ({
  numerator: a.numerator * b.denominator + b.numerator * a.denominator,
  denominator: a.denominator * b.denominator,
})

const HALF: Ratio = { numerator: 1n, denominator: 2n }

/** What both roundings of a round trip may add: half a minor unit of the target, brought back, and half of the source. */
function slack(there: Conversion): Ratio {
  const rounding = multiply(HALF, minor(1n, there.converted.currencyCode))
  const perUnit = divide(ratioOf(there.money.amount), exactly(there))
  return plus(multiply(rounding, perUnit), multiply(HALF, minor(1n, there.money.currencyCode)))
}

/** The conversion without its rounding, but for the last of 18 digits of the rate. */
const exactly = (there: Conversion): Ratio => multiply(ratioOf(there.money.amount), ratioOf(there.rate))

/** The rate is printed with 18 digits: a comparison by it may be off by this part. */
const WITHIN: Ratio = { numerator: 10n ** 16n + 1n, denominator: 10n ** 16n }

test('there and back, nobody gains more than the roundings', () => {
  fc.assert(
    fc.property(anySheet, anyAmount, anyCode, anyCode, (rates, units, from, to) => {
      const text = String(units)
      for (const [side, back] of [
        ['BUY', 'SELL'],
        ['BUY', 'BUY'],
        ['MID', 'MID'],
      ] as const) {
        const there = convertBy(rates, { text, from, to, side })
        const again = convertBy(rates, { text: there.converted.amount, from: to, to: from, side: back })
        const bound = multiply(plus(ratioOf(there.money.amount), slack(there)), WITHIN)
        assert(
          compare(ratioOf(again.converted.amount), bound) <= 0,
          `${side} ${back}: ${again.converted.amount}`,
        )
        if (side !== back || side === 'MID') {
          const least = plus(ratioOf(again.converted.amount), multiply(slack(there), WITHIN))
          assert(compare(multiply(least, WITHIN), ratioOf(there.money.amount)) >= 0)
        }
      }
    }),
  )
})

test('more money is never worth less, and the house never buys dearer than it sells', () => {
  fc.assert(
    fc.property(
      anySheet,
      fc.tuple(anyAmount, anyAmount),
      anyCode,
      anyCode,
      (rates, [units, more], from, to) => {
        const value = (text: bigint, side: Side): Ratio =>
          ratioOf(convertBy(rates, { text: String(text), from, to, side }).converted.amount)
        for (const side of ['BUY', 'MID', 'SELL'] as const)
          assert(compare(value(units, side), value(units + more, side)) <= 0)
        assert(compare(value(units, 'BUY'), value(units, 'MID')) <= 0)
        assert(compare(value(units, 'MID'), value(units, 'SELL')) <= 0)
      },
    ),
  )
})

test('a conversion is within half a minor unit of the exact value', () => {
  fc.assert(
    fc.property(anySheet, anyAmount, anyCode, (rates, units, from) => {
      const there = convertBy(rates, { text: String(units), from, to: 'EUR', side: 'BUY' })
      const row = rates.rates.get(from)
      const unit: Ratio = { numerator: BigInt(row?.unit ?? 1), denominator: 1n }
      const quoted = row === undefined ? minor(100n, 'EUR') : ratioOf(row.buy)
      const price = row?.quotation === 'INDIRECT' ? divide(unit, quoted) : divide(quoted, unit)
      const exact = multiply({ numerator: units, denominator: 1n }, price)
      const half = multiply(HALF, minor(1n, 'EUR'))
      const got = ratioOf(there.converted.amount)
      assert(compare(plus(got, half), exact) >= 0 && compare(plus(exact, half), got) >= 0)
    }),
  )
})

test('a printed rate has at most the digits asked for, and is off by half of the last one at most', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 40n }),
      fc.bigInt({ min: 1n, max: 10n ** 40n }),
      (numerator, denominator) => {
        const exact = { numerator, denominator }
        const text = printSignificant(exact, 18)
        const digits = text.replace('.', '').replace(/^0+/, '').replace(/0+$/, '')
        assert(digits.length <= 18, text)
        const [low, high] = [multiply(exact, divide(WITHIN_LESS, ONE_HUNDRED)), multiply(exact, WITHIN)]
        assert(compare(ratioOf(text), low) >= 0 && compare(ratioOf(text), high) <= 0, text)
      },
    ),
  )
  assert.equal(printSignificant({ numerator: 1n, denominator: 3n }, 18), '0.333333333333333333')
  assert.equal(printSignificant({ numerator: 10n ** 20n, denominator: 3n }, 18), '33333333333333333300')
  assert.equal(printSignificant({ numerator: 10n ** 19n - 1n, denominator: 10n ** 19n }, 18), '1')
  assert.equal(printSignificant({ numerator: 5n, denominator: 4n }, 18), '1.25')
  assert.equal(printSignificant({ numerator: 1n, denominator: 10n ** 30n }, 18), `0.${'0'.repeat(29)}1`)
})

const ONE_HUNDRED: Ratio = { numerator: 100n, denominator: 1n }
const WITHIN_LESS: Ratio = { numerator: 100n * (10n ** 16n - 1n), denominator: 10n ** 16n }
