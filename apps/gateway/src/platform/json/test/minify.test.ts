import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { edited, edits } from '../../test/index.ts'
import { minifyJson, parseJson } from '../index.ts'

function minified(text: string): string {
  return Buffer.from(minifyJson(Buffer.from(text))).toString()
}

test('whitespace between tokens goes and everything else stays as written', () => {
  const cases = [
    ['{ "a" : 1.0 , "b" : [ 1e2 , -0 ] }', '{"a":1.0,"b":[1e2,-0]}'],
    ['{\r\n\t"z": 1,\r\n\t"a": 2\r\n}\r\n', '{"z":1,"a":2}'],
    ['{"2": "x", "1": "y"}', '{"2":"x","1":"y"}'],
    ['{"url": "https:\\/\\/shop.example\\/a b"}', '{"url":"https:\\/\\/shop.example\\/a b"}'],
    ['["\\u00e9", "é", "😀 "]', '["\\u00e9","é","😀 "]'],
    ['["a \\" b", "c \\\\", " d "]', '["a \\" b","c \\\\"," d "]'],
    ['[9007199254740993, 1.000000000000000001]', '[9007199254740993,1.000000000000000001]'],
    ['{"a" :1,"a" :2}', '{"a":1,"a":2}'],
    [' true ', 'true'],
    ['', ''],
    ['  ', ''],
  ] as const
  for (const [text, expected] of cases) assert.equal(minified(text), expected)
})

test('only the four whitespace characters of JSON are removed', () => {
  assert.equal(minified('[\u00a0\v\f\u2028\ufeff]'), '[\u00a0\v\f\u2028\ufeff]')
})

test('pretty printing is undone to what JSON.stringify writes', () => {
  const indents = fc.constantFrom(' ', '  ', '\t', ' \n\r\t')
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), indents, (value, indent) => {
      assert.equal(minified(JSON.stringify(value, undefined, indent)), JSON.stringify(value))
    }),
    { numRuns: 1000 },
  )
})

test('what JSON.stringify writes is returned as the very same array', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const bytes = Buffer.from(JSON.stringify(value))
      assert.equal(minifyJson(bytes), bytes)
    }),
  )
})

test('it is idempotent for any bytes, and never throws', () => {
  const tokens = fc.constantFrom('"', '\\', ' ', '\n', '\t', '{', '}', 'a', '1', ',', 'é')
  const texts = fc.array(tokens, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')))
  fc.assert(
    fc.property(fc.oneof(texts, fc.uint8Array({ maxLength: 60 })), (bytes) => {
      const once = minifyJson(bytes)
      assert.deepEqual(Buffer.from(minifyJson(once)), Buffer.from(once))
    }),
    { numRuns: 2000 },
  )
})

test('the bytes that came in are not changed', () => {
  const bytes = Buffer.from('{ "a" : 1 }')
  minifyJson(bytes)
  assert.equal(bytes.toString(), '{ "a" : 1 }')
})

/** Another way to the same: whole strings stay, also one that does not end; whitespace between them goes. */
const minifiedByPattern = (text: string): string =>
  text.replace(
    /("(?:[^"\\]|\\.)*(?:"|\\?$))|[ \t\r\n]+/gs,
    (_all, string: string | undefined) => string ?? '',
  )

test('whatever a text is, what goes is the whitespace outside of quotation marks; and what was JSON still says the same', () => {
  const damages = fc.constantFrom(
    '"',
    '\\',
    '\\"',
    ' ',
    '\n',
    '\t',
    '\r',
    ' " ',
    '\\\\"',
    '{',
    ':',
    'é',
    '1 2',
    ' , ',
  )
  const texts = fc
    .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    .map((value) => JSON.stringify(value, undefined, 1))
  let readCount = 0
  fc.assert(
    fc.property(texts, edits(damages), (text, changes) => {
      const damaged = edited(text, changes).toWellFormed()
      const short = minified(damaged)
      assert.equal(short, minifiedByPattern(damaged))
      const read = parseJson(Buffer.from(damaged))
      if (!read.ok) return
      readCount += 1
      assert.deepEqual(parseJson(Buffer.from(short)), read)
    }),
    { numRuns: testRounds(1_500) },
  )
  assert.ok(readCount > 20, `${readCount} documents were read`)
})
