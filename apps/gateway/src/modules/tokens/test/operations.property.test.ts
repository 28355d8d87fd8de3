import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { compileOperations } from '../operations.ts'

/** What one request may cost, compiled and matched for the first time, in milliseconds of the processor. */
const COST_MS_MAX = 1_500
const PATH_CHARACTERS_MAX = 8_192

/** Patterns after the heart of those who want an engine to try everything: repetitions within repetitions, and choices. */
const { pattern: bombs } = fc.letrec<{ atom: string; pattern: string }>((tie) => ({
  atom: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', '.', '[a-z]', '[^/]', '\\w', 'aa', 'a?', '.*') },
    { weight: 3, arbitrary: tie('pattern').map((inner) => `(${inner})`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(${left}|${right})`),
    },
  ),
  pattern: fc
    .array(
      fc
        .tuple(tie('atom'), fc.constantFrom('', '*', '+', '?'))
        .map(([atom, sign]) => (/[*+?]$/.test(atom) ? atom : atom + sign)),
      { minLength: 1, maxLength: 4 },
    )
    .map((parts) => parts.join('')),
}))

const LENGTH_MAX = 290

/** As much of it as an entry holds, and as many entries as a token. */
const entries = fc
  .record({ bomb: bombs, copies: fc.integer({ min: 1, max: 30 }), end: fc.constantFrom('', 'b', '[!]', '$') })
  .map(({ bomb, copies, end }) => {
    const once = bomb.length > LENGTH_MAX ? '(a*)*' : bomb
    const filled = once.repeat(Math.max(1, Math.floor(LENGTH_MAX / once.length)))
    return Array.from({ length: copies }, (_, n) => `GET /${n % 10}?${filled}${end}`)
  })

const paths = fc
  .record({ unit: fc.constantFrom('a', 'ab', 'a/', 'az-'), end: fc.constantFrom('', '!', 'b', '/') })
  .map(
    ({ unit, end }) =>
      `/${unit.repeat(PATH_CHARACTERS_MAX).slice(0, PATH_CHARACTERS_MAX - 1 - end.length)}${end}`,
  )

test('A1 no operations and no path together cost more than so much, whatever they are', () => {
  let costliestMs = 0
  let compiledCount = 0
  fc.assert(
    fc.property(entries, paths, (operations, path) => {
      const before = process.cpuUsage()
      const outcome = compileOperations(operations)
      if (outcome.ok) {
        compiledCount += 1
        assert.equal(typeof outcome.scope.allows('GET', path), 'boolean')
      }
      const { user, system } = process.cpuUsage(before)
      costliestMs = Math.max(costliestMs, (user + system) / 1_000)
      assert.ok(costliestMs < COST_MS_MAX, `${costliestMs} ms: ${operations[0]}`)
    }),
    { numRuns: testRounds(60) },
  )
  assert.ok(compiledCount > 10, `${compiledCount} were compiled`)
})
