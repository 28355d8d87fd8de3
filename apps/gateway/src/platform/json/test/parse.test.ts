import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { edited, edits } from '../../test/index.ts'
import { type JsonValue, NumberText, parseJson } from '../index.ts'

// Refusals beyond the grammar, which JSON.parse does not share.
const DELIBERATE =
  /appears twice|is not allowed|surrogate|byte order mark|deeper than|more than \d+|longer than \d+/
const DANGEROUS = /"(?:__proto__|constructor|prototype)"/

function parsed(text: string): JsonValue {
  const outcome = parseJson(Buffer.from(text))
  assert.ok(outcome.ok, outcome.ok ? '' : `${outcome.problem.message} in ${text}`)
  return outcome.value
}

/** The value that JSON.parse would have given: number texts become doubles. */
function withDoubles(value: JsonValue): unknown {
  if (value instanceof NumberText) return Number(value.text)
  if (Array.isArray(value)) return value.map(withDoubles)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withDoubles(member)]))
}

/** JSON texts within our limits whose only difference to JSON.parse can be how numbers are kept. */
const jsonTexts = fc
  .jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  .map((value) => JSON.stringify(value))
  .filter((text) => !DANGEROUS.test(text))

test('what JSON.stringify writes is read, and written again the same', () => {
  fc.assert(
    fc.property(jsonTexts, (text) => {
      const value = parsed(text)
      assert.equal(JSON.stringify(value), text)
      assert.deepEqual(withDoubles(value), JSON.parse(text))
    }),
    { numRuns: 1000 },
  )
})

test('whitespace between tokens does not matter', () => {
  fc.assert(
    fc.property(jsonTexts, fc.constantFrom(' ', '\t', '   '), (text, indent) => {
      const pretty = JSON.stringify(JSON.parse(text), undefined, indent)
      assert.deepEqual(withDoubles(parsed(` \r\n${pretty}\t`)), JSON.parse(text))
    }),
  )
})

/** What may be put into a document to damage it. */
const DAMAGES = fc.oneof(
  fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\n', '\v', '0', '-', '+', '.', 'e'),
  fc.constantFrom('\\u', 'null', 'true', 'NaN', '01', '1.', '\\ud83d', '\u0000', '\u00a0', '//', "'"),
  fc.constantFrom('"a":1,', '"__proto__":1,', '[[[[', '1e5', '-0', '1.50', '12345678901234567890'),
)

function nativeValue(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

test('a damaged document is accepted just when JSON.parse accepts it, but for deliberate refusals', () => {
  let acceptedCount = 0
  let refusedCount = 0
  fc.assert(
    fc.property(jsonTexts, edits(DAMAGES), (text, changes) => {
      // A lone surrogate in the text itself cannot be sent as UTF-8: Buffer.from would replace it too.
      const damaged = edited(text, changes).toWellFormed()
      const ours = parseJson(Buffer.from(damaged))
      const native = nativeValue(damaged)
      if (ours.ok) {
        acceptedCount += 1
        assert.ok(native, `JSON.parse refuses ${damaged}`)
        assert.deepEqual(withDoubles(ours.value), native.value)
      } else if (native) {
        assert.match(ours.problem.message, DELIBERATE, damaged)
      } else {
        refusedCount += 1
      }
    }),
    { numRuns: testRounds(5000) },
  )
  assert.ok(acceptedCount > 50 && refusedCount > 50, `${acceptedCount} accepted, ${refusedCount} refused`)
})

test('arbitrary bytes are an outcome and never an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      assert.equal(typeof parseJson(bytes).ok, 'boolean')
    }),
    { numRuns: 2000 },
  )
})

test('plain integers of up to 15 digits are numbers', () => {
  for (const text of ['0', '7', '-7', '100', '999999999999999', '-999999999999999']) {
    assert.equal(parsed(text), Number(text))
  }
})

test('every other number keeps its text, and is echoed as it was written', () => {
  const texts = ['-0', '0.0', '1.0', '10.50', '1e2', '1E+2', '1e400', '-1.5e-7', '1.000000000000000001']
  for (const text of [...texts, '1000000000000000', '9007199254740993', '9'.repeat(400)]) {
    const value = parsed(text)
    assert.ok(value instanceof NumberText, text)
    assert.equal(value.text, text)
    assert.equal(`${value}`, text)
    assert.equal(JSON.stringify({ amount: value }), `{"amount":${text}}`)
  }
})

test('any decimal is echoed to the last digit', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^-?(?:0|[1-9][0-9]{0,30})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,3})?$/),
      (text) => {
        assert.equal(JSON.stringify(parsed(text)), text)
      },
    ),
  )
})

test('a NumberText holds nothing but a JSON number', () => {
  for (const text of ['', '01', '1.', '+1', 'NaN', '"1"', '1 ', '1\n', '{}']) {
    assert.throws(() => new NumberText(text), RangeError)
  }
})

test('escapes are resolved', () => {
  assert.equal(
    parsed('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud83d\\ude00 end"'),
    '"\\/\b\f\n\r\té€😀 end',
  )
  assert.deepEqual(parsed('{"\\u0061b":"\\\\"}'), { ab: '\\' })
})

test('names of Object.prototype that do no harm are ordinary members', () => {
  const value = parsed('{"toString":"a","hasOwnProperty":"b","valueOf":"c"}')
  assert.equal(JSON.stringify(value), '{"toString":"a","hasOwnProperty":"b","valueOf":"c"}')
})

test('documents at the limits are accepted', () => {
  parsed(`${'['.repeat(16)}${']'.repeat(16)}`)
  parsed(`${'{"a":'.repeat(15)}{}${'}'.repeat(15)}`)
  parsed(`[${Array.from({ length: 1000 }, () => '0').join()}]`)
  parsed(`{${Array.from({ length: 200 }, (_, index) => `"k${index}":0`).join()}}`)
  parsed(`"${'a'.repeat(4096)}"`)
  parsed(`"${'\\u0061'.repeat(4096)}"`)
  parsed(`0.${'1'.repeat(398)}`)
})

test('a caller may set other limits', () => {
  const two = Buffer.from('[[1]]')
  assert.equal(parseJson(two, { depthMax: 2 }).ok, true)
  assert.equal(parseJson(two, { depthMax: 1 }).ok, false)
  assert.equal(parseJson(two, { entriesMax: 1 }).ok, false)
  assert.equal(parseJson(Buffer.from('{"ab":1}'), { stringCharactersMax: 1 }).ok, false)
  assert.equal(parseJson(Buffer.from('{"a":1,"b":2}'), { membersPerObjectMax: 1 }).ok, false)
  assert.equal(parseJson(Buffer.from('123'), { numberCharactersMax: 2 }).ok, false)
  assert.throws(() => parseJson(two, { depthMax: 101 }), RangeError)
})
