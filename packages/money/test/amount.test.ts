import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Big } from 'big.js'
import fc from 'fast-check'
import { AMOUNT_DIGITS_MAX, isAmount, parseAmount, parsePlainAmount, rawAmount } from '../src/index.ts'
import { amounts, must } from './arbitraries.ts'

const CANONICAL_TEXTS = [
  '0',
  '1',
  '10000',
  '0.5',
  '-3.2',
  '1.005',
  '-0.01',
  '1.000000000000000001',
  '9'.repeat(40),
  `-${'9'.repeat(40)}`,
  `0.${'0'.repeat(38)}1`,
  `-12345678901234567890.${'1'.repeat(20)}`,
]

const ACCEPTED: readonly (readonly [source: string, amount: string])[] = [
  ['-0', '0'],
  ['0.0', '0'],
  ['-0.00', '0'],
  ['0e999999999999999999', '0'],
  ['-0E-999999999999999999', '0'],
  ['10.0', '10'],
  ['10.50', '10.5'],
  ['1e2', '100'],
  ['1E+2', '100'],
  ['1e0', '1'],
  ['1e-0', '1'],
  ['1.5E-3', '0.0015'],
  ['-1.25e1', '-12.5'],
  ['100e-2', '1'],
  ['1200e-3', '1.2'],
  ['0.001e3', '1'],
  ['0.0012e+6', '1200'],
  ['1e00000000000000000002', '100'],
  ['1e39', `1${'0'.repeat(39)}`],
  ['1e-39', `0.${'0'.repeat(38)}1`],
  [`1${'0'.repeat(400)}e-400`, '1'],
  [`0.${'0'.repeat(400)}1e401`, '1'],
  [`1.${'0'.repeat(400)}`, '1'],
]

const REFUSED = [
  '',
  '-',
  '+1',
  '--1',
  '01',
  '-01',
  '00',
  '1.',
  '.5',
  '-.5',
  '1.e2',
  '1e',
  '1e+',
  '1e1.5',
  'e1',
  '1,5',
  '1_000',
  '0x1',
  '1n',
  ' 1',
  '1 ',
  '1\n',
  '\u0661',
  '\uFF11',
  'NaN',
  'Infinity',
  'null',
  '"1"',
  '1e40',
  '1e-40',
  '1e400',
  '1e-400',
  '1e999999999',
  '1e-999999999',
  '1e99999999999999999999999',
  '9'.repeat(41),
  `1.${'1'.repeat(40)}`,
  `0.${'1'.repeat(40)}`,
]

test('A canonical text is parsed to itself', () => {
  for (const text of CANONICAL_TEXTS) {
    assert.equal(parseAmount(text), text)
    assert.equal(parsePlainAmount(text), text)
    assert.equal(isAmount(text), true, text)
  }
})

test('Every form of a JSON number is read as its shortest plain decimal', () => {
  for (const [source, amount] of ACCEPTED) {
    assert.equal(parseAmount(source), amount, source.slice(0, 50))
    assert.equal(isAmount(source), false, source.slice(0, 50))
  }
})

test('What is no JSON number, or has more than 40 digits, is refused', () => {
  for (const source of REFUSED) assert.equal(parseAmount(source), undefined, JSON.stringify(source))
})

const nearlyNumbers = fc.oneof(
  fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', 'E', ' '), maxLength: 7 }),
  fc.stringMatching(/^-?[0-9]{1,3}(\.[0-9]{0,3})?([eE][+-]?[0-9]{0,2})?$/),
)

test('The verdict is that of JSON.parse, and the value that of an independent decimal library', () => {
  fc.assert(
    fc.property(nearlyNumbers, (source) => {
      assert.equal(parseAmount(source), isJsonNumber(source) ? readIndependently(source) : undefined)
    }),
    { numRuns: 3000 },
  )
})

function isJsonNumber(source: string): boolean {
  try {
    return typeof JSON.parse(source) === 'number' && source === source.trim()
  } catch {
    return false
  }
}

function readIndependently(source: string): string | undefined {
  const plain = new Big(source).toFixed().replace(/^-0$/, '0')
  return plain.replace(/[-.]/g, '').length > AMOUNT_DIGITS_MAX ? undefined : plain
}

test('A printed amount is parsed to itself', () => {
  fc.assert(fc.property(amounts, (amount) => assert.equal(parseAmount(amount), amount)))
})

test('A number with an exponent equals the same number written plainly', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: -60, max: 60 }), (amount, exponent) => {
      const shifted = shiftPoint(amount, -exponent)
      assert.equal(parseAmount(`${shifted}e${exponent}`), amount)
      assert.equal(parseAmount(`${shifted}E${exponent < 0 ? '' : '+'}${exponent}`), amount)
    }),
  )
})

/** Multiplies by a power of ten with another library, and prints it plainly. */
function shiftPoint(text: string, exponent: number): string {
  const big = new Big(text)
  if (!big.eq(0)) big.e += exponent
  return big.toFixed()
}

test('Zeros that carry no value never change what is read', () => {
  fc.assert(
    fc.property(amounts, fc.nat(50), (amount, zeros) => {
      const padded = amount + (amount.includes('.') ? '' : '.0') + '0'.repeat(zeros)
      assert.equal(parseAmount(padded), amount)
      assert.equal(parsePlainAmount(padded), amount)
    }),
  )
})

test('Hostile texts of a megabyte are judged without trouble', () => {
  const size = 1_000_000
  const zeros = '0'.repeat(size)
  assert.equal(parseAmount(`1.${'10'.repeat(size / 2)}x`), undefined)
  assert.equal(parseAmount(`1.${zeros}1${zeros}`), undefined)
  assert.equal(parseAmount(`1e${zeros}`), '1')
  assert.equal(parseAmount(`1e${'9'.repeat(size)}`), undefined)
  assert.equal(parseAmount(`-0.${zeros}`), '0')
  assert.equal(isAmount(`1.${'10'.repeat(size / 2)}`), false)
})

test('Numerics of the database lose their padding', () => {
  const table = [
    ['10.500', '10.5'],
    ['-0.10', '-0.1'],
    ['0.00', '0'],
    ['-0.00', '0'],
    ['100', '100'],
    ['1234567890123456789012345678901234567890123.450', '1234567890123456789012345678901234567890123.45'],
  ] as const
  for (const [text, amount] of table) assert.equal(parsePlainAmount(text), amount)
})

test('What the database cannot have printed is a fault', () => {
  for (const text of ['', 'NaN', 'Infinity', '-', '1e2', '.5', '1.', '01', ' 1', '1\n']) {
    assert.throws(() => parsePlainAmount(text), /not a plain decimal number/, JSON.stringify(text))
  }
})

test('Only texts are amounts', () => {
  for (const value of [0, 1n, null, undefined, {}, ['1'], new String('1')])
    assert.equal(isAmount(value), false)
})

test('A raw amount is written with exactly its digits, and read back by its source', () => {
  fc.assert(
    fc.property(amounts, (amount) => {
      const text = JSON.stringify({ amount: rawAmount(amount) })
      assert.equal(text, `{"amount":${amount}}`)
      const parsed = JSON.parse(text, (key, value, { source }) => (key === 'amount' ? source : value))
      assert.deepEqual(parsed, { amount })
    }),
  )
})

test('An ether amount with 18 decimals comes back as it was written', () => {
  assert.equal(JSON.stringify([rawAmount(must('1.000000000000000001'))]), '[1.000000000000000001]')
})
