import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../../../../lab/rig/usage.ts'
import { commandOf, parseOptions } from './arguments.ts'

test('an option that does not exist is named in the refusal', () => {
  assert.throws(() => parseOptions(['--wrong']), { name: UsageError.name, message: /'--wrong'/ })
  assert.throws(() => parseOptions(['wrong']), { name: UsageError.name, message: /'wrong'/ })
})

test('a number that is none, or is too large, is refused with what is taken', () => {
  for (const text of ['many', '-1', '1.5', '', '100000001'])
    assert.throws(() => parseOptions([`--runs=${text}`]), {
      message: `--runs is ${text}; it takes a whole number up to 100000000.`,
    })
})

test('without options the histories and the days of a test are played, and fewer histories against PostgreSQL', () => {
  assert.deepEqual(parseOptions([]), { runs: 10_000, days: 1_000, seed: undefined, postgres: false })
  assert.equal(parseOptions(['--postgres'])?.runs, 300)
  assert.equal(parseOptions(['-h']), undefined)
})

test('the command that is told after a fault plays the same again', () => {
  for (const args of [['--runs', '7', '--days', '0'], ['--postgres'], []]) {
    const options = parseOptions(args)
    assert.ok(options !== undefined)
    const told = commandOf(options, 42).replace('npm run simulate -- ', '').split(' ')
    const again = parseOptions(told)
    assert.equal(again?.seed, 42)
    assert.deepEqual([again.runs, again.postgres], [options.runs, options.postgres])
    if (!options.postgres) assert.equal(again.days, options.days)
  }
})
