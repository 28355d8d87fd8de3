import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minify, parseLossless, stringifyLossless } from '../src/index.ts'

const RESERVED = ['amount', 'min', 'max', 'minAmount', 'maxAmount', 'rate', 'buy', 'sell', 'mid']
const digits = fc.stringMatching(/^[0-9]{1,30}$/)
const amount = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt({ min: 0n, max: 10n ** 40n }),
    fc.option(digits),
    fc.constantFrom('', 'e2', 'E-7'),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent}`,
  )
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(
      fc.string().filter((name) => !RESERVED.includes(name)),
      tie('node'),
      { maxKeys: 4 },
    ),
    fc.record({ amount, currencyCode: fc.string() }),
    fc.record({ min: amount, max: amount, rest: tie('node') }),
  ),
})).node

test('what is written is read back the same, amounts to the last digit', () => {
  fc.assert(
    fc.property(value, (written) => {
      const read = parseLossless(stringifyLossless(written))
      assert.equal(stringifyLossless(read), stringifyLossless(written))
      assert.deepEqual(read, JSON.parse(JSON.stringify(written)))
    }),
  )
})

test('an amount goes out as a JSON number with exactly its digits', () => {
  const money = { amount: '1.000000000000000001', currencyCode: 'ETH' }
  assert.equal(stringifyLossless({ money }), '{"money":{"amount":1.000000000000000001,"currencyCode":"ETH"}}')
  assert.equal(stringifyLossless({ amount: '149.90' }), '{"amount":149.90}')
})

test('an amount comes in as the text that was sent, other numbers as numbers', () => {
  const text =
    '{"amount":12345678901234567890.10,"limit":{"min":0.10,"max":1e2},"minorUnits":18,"note":"1.10"}'
  assert.deepEqual(parseLossless(text), {
    amount: '12345678901234567890.10',
    limit: { min: '0.10', max: '1e2' },
    minorUnits: 18,
    note: '1.10',
  })
})

test('what is read is what the engine itself reads, but for numbers that are exact', () => {
  const indent = fc.constantFrom(undefined, 1, '\t', '\r\n')
  fc.assert(
    fc.property(value, indent, (written, space) => {
      const text = JSON.stringify(JSON.parse(stringifyLossless(written)), null, space)
      // Node 24 tells the digits; older ones do not.
      const engine: unknown = JSON.parse(text, (key, read: unknown, { source }: { source?: string }) =>
        typeof read === 'number' && RESERVED.includes(key) ? source : read,
      )
      assert.deepEqual(parseLossless(text), engine)
    }),
  )
})

test('what stands in a string is no member, and what is no JSON is refused', () => {
  const text = String.raw`{"note":"\"amount\": 1.10, \\","list":["amount","rate"],"amount" : 1.10 }`
  assert.deepEqual(parseLossless(text), {
    note: '"amount": 1.10, \\',
    list: ['amount', 'rate'],
    amount: '1.10',
  })
  for (const wrong of [
    '{"amount":01}',
    '{"amount":1.}',
    '{"amount":.5}',
    '{"amount":1 2}',
    '["amount":1]',
    '{"amount":1',
    '{"amount":-}',
  ])
    assert.throws(() => parseLossless(wrong), SyntaxError, wrong)
})

test('long texts take no stack', () => {
  const note = ' "'.repeat(200_000)
  const text = stringifyLossless({ note, amount: '1.10' })
  assert.deepEqual(parseLossless(text), { note, amount: '1.10' })
})

test('a text that is not a JSON number is no amount', () => {
  for (const wrong of [
    '',
    ' 1',
    '1 ',
    '1,50',
    '.5',
    '5.',
    '01',
    '+1',
    '0x10',
    'NaN',
    'true',
    '"1"',
    '1\n',
    '1e',
  ])
    assert.throws(() => stringifyLossless({ amount: wrong }), RangeError, wrong)
})

test('minifying removes whitespace outside strings and nothing else', () => {
  assert.equal(minify('{ "a b" :\t"c \\" d" ,\r\n "e": 1.0 }'), '{"a b":"c \\" d","e":1.0}')
  assert.equal(minify('{"a":"\\\\" , "b":1}'), '{"a":"\\\\","b":1}')
  assert.equal(minify('{"never ends \\'), '{"never ends \\')
})

test('minifying any JSON, however indented, gives its compact form', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(1, 4, '\t', '\r\n '), (json, indent) => {
      assert.equal(minify(JSON.stringify(json, null, indent)), JSON.stringify(json))
    }),
  )
})

test('minifying a long string takes no stack', () => {
  const long = `{"text":"${' \\"'.repeat(200_000)}"}`
  assert.equal(minify(` ${long} `), long)
})
