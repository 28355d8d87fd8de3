import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../rig/usage.ts'
import { PARTS, parseCommand } from '../arguments.ts'

const errorOf = (...args: readonly string[]): string => {
  try {
    parseCommand(args)
  } catch (error) {
    assert.ok(error instanceof UsageError)
    return error.message
  }
  return assert.fail(`${args.join(' ')} was taken`)
}

test('without arguments everything is measured, five times, and written', () => {
  const command = parseCommand([])
  assert.ok(command.kind === 'run')
  assert.deepEqual([...command.options.only], [...PARTS])
  assert.equal(command.options.rounds, 5)
  assert.equal(command.options.write, true)
})

test('--only names parts, and nothing is written then', () => {
  const command = parseCommand(['--only', 'payout,create', '--rounds', '3', '--seconds', '2.5'])
  assert.ok(command.kind === 'run')
  assert.deepEqual([...command.options.only], ['create', 'payout'])
  assert.equal(command.options.rounds, 3)
  assert.equal(command.options.seconds, 2.5)
  assert.equal(command.options.write, false)
  const written = parseCommand(['--only', 'payout', '--write'])
  assert.ok(written.kind === 'run' && written.options.write)
})

test('growth takes rising numbers of payments', () => {
  const command = parseCommand(['growth', '--payments', '1000,20000'])
  assert.ok(command.kind === 'growth')
  assert.deepEqual(command.options.payments, [1000, 20_000])
  assert.deepEqual([command.options.rounds, command.options.seconds], [3, 40])
  assert.match(errorOf('growth', '--payments', '2000,1000'), /its numbers rise/)
  assert.match(errorOf('growth', '--payments', '1000,many'), /--payments is many/)
})

test('outage takes how many are due, and a rate', () => {
  const command = parseCommand(['outage', '--payments', '5000', '--rate', '50'])
  assert.ok(command.kind === 'outage')
  assert.deepEqual(
    [command.options.due, command.options.ratePerSecond, command.options.seconds],
    [5_000, 50, 20],
  )
  const usual = parseCommand(['outage'])
  assert.ok(usual.kind === 'outage')
  assert.deepEqual([usual.options.due, usual.options.ratePerSecond], [1_000_000, 200])
  assert.match(errorOf('outage', '--payments', '10'), /--payments is 10; it takes a number from 1000/)
})

test('soak takes its length and its rate', () => {
  const command = parseCommand(['soak', '--minutes', '0.5', '--rate', '200'])
  assert.ok(command.kind === 'soak')
  assert.equal(command.options.minutes, 0.5)
  assert.equal(command.options.ratePerSecond, 200)
})

test('search takes one number of payments and a folder that stays', () => {
  const command = parseCommand(['search', '--payments', '500000', '--keep', 'here'])
  assert.ok(command.kind === 'search')
  assert.equal(command.options.payments, 500_000)
  assert.equal(command.options.keepIn, 'here')
  const whole = parseCommand(['search'])
  assert.ok(whole.kind === 'search')
  assert.equal(whole.options.payments, 5_000_000)
  const asked = parseCommand(['--only', 'search'])
  assert.ok(asked.kind === 'search')
  assert.equal(asked.options.write, false)
  assert.equal(asked.options.rounds, 3)
  assert.match(errorOf('search', '--payments', '1000,2000'), /--payments is 1000,2000/)
})

test('what cannot be used is refused in one sentence', () => {
  assert.match(errorOf('--only', 'create,refunds'), /does not know refunds; there are life, create/)
  assert.match(errorOf('--rounds', '0'), /--rounds is 0; it takes a number from 1 to 100/)
  assert.match(errorOf('--rounds', '2.5'), /--rounds is 2.5; it takes a whole number/)
  assert.match(errorOf('--seconds', ''), /--seconds is ; it takes a number/)
  assert.match(
    errorOf('grow'),
    /There is no command grow; there are run, growth, soak, outage, search, chains/,
  )
  assert.match(errorOf('run', 'soak'), /soak is more than one command/)
  assert.match(errorOf('--round', '3'), /--round/)
})
