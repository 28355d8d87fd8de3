import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minifyJson, parseJson } from '../index.ts'

const NOT_UTF8 = /not valid UTF-8/
const TWICE = /appears twice/
const NOT_ALLOWED = /is not allowed/
const SURROGATE = /half of a surrogate pair/
const NUMBER = /number is not written as JSON requires/
const VALUE = /A value was expected/
const EARLY = /ends too early/
const NAME = /A name in quotation marks was expected/
const TRAILING = /follows the end/
const CONTROL = /control character/
const ENDLESS = /does not end/
const ESCAPE = /escape/
const COMMA = /A comma or the end/

const TEXTS: readonly (readonly [text: string, message: RegExp])[] = [
  ['', EARLY],
  [' \t\r\n', EARLY],
  ['{', NAME],
  ['[', EARLY],
  ['{"a"', /A colon was expected/],
  ['{"a":', EARLY],
  ['{"a":1', COMMA],
  ['{"a":1,', NAME],
  ['[1', COMMA],
  ['[1,', EARLY],
  ['[1,]', VALUE],
  ['[,1]', VALUE],
  ['[1,,2]', VALUE],
  ['[1 2]', COMMA],
  ['[1}', COMMA],
  ['{"a":1]', COMMA],
  ['{"a":1,}', NAME],
  ['{,}', NAME],
  ['{a:1}', NAME],
  ["{'a':1}", NAME],
  ['{1:1}', NAME],
  ['{"a" 1}', /A colon was expected/],
  ['{"a"::1}', VALUE],
  ['{"a":1 "b":2}', COMMA],
  [']', VALUE],
  ['}', VALUE],
  ['{} {}', TRAILING],
  ['{}}', TRAILING],
  ['{}\u0000', TRAILING],
  ['{},', TRAILING],
  ['null null', TRAILING],
  ['{}// note', TRAILING],
  ['/* note */ {}', VALUE],
  ['{"a":undefined}', VALUE],
  ['NaN', VALUE],
  ['{"amount":NaN}', VALUE],
  ['Infinity', VALUE],
  ['-Infinity', NUMBER],
  ['True', VALUE],
  ['nul', VALUE],
  ['truefalse', TRAILING],
  ['01', NUMBER],
  ['-01', NUMBER],
  ['00', NUMBER],
  ['1.', NUMBER],
  ['.5', VALUE],
  ['+1', VALUE],
  ['-', NUMBER],
  ['--1', NUMBER],
  ['1e', NUMBER],
  ['1e+', NUMBER],
  ['1e1.5', NUMBER],
  ['1.5.5', NUMBER],
  ['1-1', NUMBER],
  ['0x10', TRAILING],
  ['1_000', TRAILING],
  ['1n', TRAILING],
  ['１', VALUE],
  ["'a'", VALUE],
  ['`a`', VALUE],
  ['"a', ENDLESS],
  ['"a\\"', ENDLESS],
  ['"a\\', ESCAPE],
  ['"\\u00e"', ESCAPE],
  ['"\\u00zz"', ESCAPE],
  ['"\\u+0a1"', ESCAPE],
  ['"\\U0041"', ESCAPE],
  ['"\\x41"', ESCAPE],
  ['"\\a"', ESCAPE],
  ['"\\\'"', ESCAPE],
  ['"\\0"', ESCAPE],
  ['"line\nbreak"', CONTROL],
  ['"tab\there"', CONTROL],
  ['"nul\u0000"', CONTROL],
  ['"\\ud800"', SURROGATE],
  ['"\\udc00"', SURROGATE],
  ['"\\ude00\\ud83d"', SURROGATE],
  ['"\\ud83d\\u0041"', SURROGATE],
  ['"\\ud83d😀"', SURROGATE],
  ['{"\\ud800":1}', SURROGATE],
  ['\ufeff{}', /byte order mark/],
  ['{\ufeff}', NAME],
  ['{\u00a0"a":1}', NAME],
  ['{\u2028"a":1}', NAME],
  ['{\v"a":1}', NAME],
  ['{\f"a":1}', NAME],
  ['{"merchantCode":"a","merchantCode":"b"}', /^The member "merchantCode" appears twice\.$/],
  ['{"a":1,"\\u0061":2}', TWICE],
  ['{"\\u0061":1,"a":2}', TWICE],
  ['{"":1,"":2}', TWICE],
  ['{"1":1,"1":1}', TWICE],
  ['{"toString":1,"toString":2}', TWICE],
  ['{"\\u202e":1,"\\u202e":2}', /^A member appears twice\.$/],
  ['[[{"deep":{"a":null,"b":1,"a":null}}]]', TWICE],
  ['{"__proto__":{"x":1}}', /^The name "__proto__" is not allowed\.$/],
  ['{"\\u005f_proto__":{"x":1}}', NOT_ALLOWED],
  ['{"a":[{"__proto__":null}]}', NOT_ALLOWED],
  ['{"constructor":{"prototype":{"x":1}}}', NOT_ALLOWED],
  ['{"prototype":{"x":1}}', NOT_ALLOWED],
  ['{"a":{"constructo\\u0072":1}}', NOT_ALLOWED],
  ['['.repeat(17), /^Nesting is deeper than 16 levels\.$/],
  ['['.repeat(100_000), /deeper/],
  ['{"a":'.repeat(100_000), /deeper/],
  [`${'['.repeat(17)}${']'.repeat(17)}`, /deeper/],
  [`[${'0,'.repeat(1000)}0]`, /^The body has more than 1000 members and elements\.$/],
  [`[${'[0,0],'.repeat(400)}0]`, /more than 1000/],
  [
    `{${Array.from({ length: 201 }, (_, i) => `"k${i}":0`).join()}}`,
    /^An object has more than 200 members\.$/,
  ],
  [`"${'a'.repeat(4097)}"`, /^A string is longer than 4096 characters\.$/],
  [`"${'\\n'.repeat(4097)}"`, /longer than 4096/],
  [`{"${'a'.repeat(4097)}":1}`, /longer than 4096/],
  ['1'.repeat(401), /^A number is longer than 400 characters\.$/],
  [`1e${'9'.repeat(400)}`, /longer than 400/],
]

const BYTES: readonly (readonly [name: string, bytes: readonly number[], message: RegExp])[] = [
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], /byte order mark/],
  ['UTF-16 with a mark', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], NOT_UTF8],
  ['UTF-16 without a mark', [0x7b, 0x00, 0x7d, 0x00], NAME],
  ['a lone continuation byte', [0x22, 0x80, 0x22], NOT_UTF8],
  ['an overlong quotation mark', [0x22, 0xc0, 0xa2, 0x22], NOT_UTF8],
  ['an overlong slash of three bytes', [0x22, 0xe0, 0x80, 0xaf, 0x22], NOT_UTF8],
  ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], NOT_UTF8],
  ['a pair of surrogates in UTF-8', [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22], NOT_UTF8],
  ['a code point above U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], NOT_UTF8],
  ['a character cut short', [0x22, 0xc3], NOT_UTF8],
  ['a latin-1 letter', [0x22, 0xe9, 0x22], NOT_UTF8],
  ['a five byte sequence', [0x22, 0xf8, 0x88, 0x80, 0x80, 0x80, 0x22], NOT_UTF8],
]

const DOCUMENTS = [
  ...TEXTS.map(([text, message]) => ({ name: text.slice(0, 40), bytes: Buffer.from(text), message })),
  ...BYTES.map(([name, bytes, message]) => ({ name, bytes: Uint8Array.from(bytes), message })),
]

for (const { name, bytes, message } of DOCUMENTS) {
  test(`refused, and nothing polluted: ${JSON.stringify(name)}`, () => {
    const outcome = parseJson(bytes)
    assert.ok(!outcome.ok, 'the document was accepted')
    assert.match(outcome.problem.message, message)
    assert.match(outcome.problem.message, /^[A-Z][ -~]*\.$/)
    assert.ok(outcome.problem.offset >= 0 && outcome.problem.offset <= bytes.length)
    assert.equal(Reflect.get({}, 'x'), undefined)
    assert.deepEqual(minifyJson(minifyJson(bytes)), minifyJson(bytes))
  })
}

test('a refused document leaves nothing behind for the next', () => {
  assert.equal(parseJson(Uint8Array.from([0x22, 0xc3])).ok, false)
  assert.deepEqual(parseJson(Buffer.from('"\u00e9"')), { ok: true, value: '\u00e9' })
})

test('the offset points at the place of the problem', () => {
  const cases = [
    ['{"a":1,"a":2}', 7],
    ['{"a":01}', 5],
    ['{"a":tru}', 5],
    ['[1,2', 4],
    ['{} x', 3],
    ['"ab\u0001"', 3],
    ['["\\ud800"]', 2],
    ['{"č":"€😀","č":2}', 16],
  ] as const
  for (const [text, offset] of cases) {
    const outcome = parseJson(Buffer.from(text))
    assert.equal(outcome.ok ? undefined : outcome.problem.offset, offset, text)
  }
  const invalid = [
    [[0x22, 0xc4, 0x8d, 0xff, 0x22], 3],
    [[0x22, 0xef, 0xbf, 0xbd, 0x80, 0x22], 4],
    [[0x22, 0x61, 0xef, 0xbf], 4],
    [[0xc3], 0],
  ] as const
  for (const [bytes, offset] of invalid) {
    const outcome = parseJson(Uint8Array.from(bytes))
    assert.equal(outcome.ok ? undefined : outcome.problem.offset, offset, String(bytes))
  }
})
