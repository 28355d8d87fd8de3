import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import type { Command } from 'commander'
import { EXIT_CODES } from '../failure.ts'
import { createProgram, pathOf } from '../program.ts'

const PAGES = ['cli.md', 'cli-money.md', 'cli-banking.md', 'cli-operations.md'].map((name) =>
  readFileSync(new URL(`../../../../../docs/${name}`, import.meta.url), 'utf8'),
)
const REFERENCE = PAGES.join('\n')

const program = createProgram({
  clock: systemClock,
  isJson: () => false,
  config: () => Promise.reject(new Error('the tree of commands needs no settings')),
  environment: {},
  input: process.stdin,
  print: () => undefined,
  note: () => undefined,
  act: () => () => Promise.resolve(),
})

/** What can be run: what has no commands within, and what has options of its own nevertheless. */
function leavesOf(command: Command): readonly Command[] {
  const within = command.commands.flatMap(leavesOf)
  const runs = within.length === 0 || (command.parent !== null && command.options.length > 0)
  return runs ? [command, ...within] : within
}

/** As the page's headings have it: `tollgate merchants create <code>`. */
function headingOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [pathOf(command), ...words].join(' ')
}

test('the reference has a heading for every command, and no other', () => {
  const headings = [...REFERENCE.matchAll(/^### `(.+)`$/gm)].map(([, heading]) => heading)
  assert.deepEqual(headings.toSorted(), leavesOf(program).map(headingOf).toSorted())
})

/** Of every command that asks the operator API; the page says so once. */
const SHARED = ['--url', '--operator-key-file']

test('the reference names every option but those that all commands share', () => {
  for (const command of leavesOf(program)) {
    const [, section = ''] = REFERENCE.split(`### \`${headingOf(command)}\``)
    const [own = ''] = section.split(/^#{2,3} /m)
    for (const option of command.options) {
      const name = option.long ?? option.flags
      const isNamed = own.includes(name) || (SHARED.includes(name) && REFERENCE.includes(`\`${name} <`))
      assert.ok(isNamed, `The reference does not name ${option.flags} of ${pathOf(command)}`)
    }
  }
})

const CONSOLE = new URL('../../../../console/src/', import.meta.url)

/** What the console tells operators to type: `npx tollgate ledger check`. */
const consoleCommands = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [
    ...readFileSync(new URL(name, CONSOLE), 'utf8').matchAll(/npx tollgate ([a-z][^<`'\n]*)/g),
  ])
  .map(([, typed = '']) => typed.trim())

test('every command that the console prints exists, with its options', () => {
  assert.ok(consoleCommands.length > 5)
  for (const typed of consoleCommands) {
    let command = program
    for (const word of typed.split(' ')) {
      const next = command.commands.find((each) => each.name() === word)
      if (next === undefined) break
      command = next
    }
    assert.ok(leavesOf(program).includes(command), typed)
    for (const [option] of typed.matchAll(/--[a-z-]+/g))
      assert.ok(
        command.options.some(({ long }) => long === option),
        `${typed}: ${option}`,
      )
  }
})

test('the reference explains every exit code', () => {
  for (const exitCode of Object.values(EXIT_CODES))
    assert.match(REFERENCE, new RegExp(`^\\| ${exitCode} +\\| \\S`, 'm'))
})

test('every command says in its help what it does', () => {
  for (const command of leavesOf(program)) assert.ok(command.description().length > 10, pathOf(command))
})

/** What works on the machine of the installation: it has to while no gateway runs, or is no business of the gateway's. */
const LOCAL = [
  'migrate',
  'serve',
  'worker',
  'catalogue starter',
  'chains sandbox',
  'chains starter',
  'chains path',
  'chains sweep',
  'signer run',
  'signer check',
  'signer new-key',
  'signer sweep',
  'signer sandbox',
  'checkout',
  'checkout link',
  'console',
  'backup',
  'restore',
  'upgrade',
  'doctor',
  'config',
  'ledger check',
  'verify',
  'operators create',
  'keys rewrap',
  'restore-gap open',
  ...[
    'list',
    'add',
    'route',
    'release',
    'open',
    'join',
    'move',
    'check',
    'publish',
    'find',
    'payments',
    'waiting',
    'heads keep',
    'heads check',
  ].map((action) => `cells ${action}`),
  'token create',
  'token explain',
  'sign',
  'listen',
  'certify',
  'tail',
  ...['mood', 'list', 'log', 'approve', 'decline', 'bounce'].map((action) => `simulator ${action}`),
]

test('every command but these asks the operator API, here or elsewhere, by name of an operator', () => {
  const local = leavesOf(program)
    .filter(({ options }) => !SHARED.every((name) => options.some(({ long }) => long === name)))
    .map((command) => pathOf(command).replace('tollgate ', ''))
  assert.deepEqual(local.toSorted(), LOCAL.toSorted())
  const [, says = ''] = /commands do not: (.+?)\. The gateway/s.exec(REFERENCE) ?? []
  const named = [...says.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  for (const command of LOCAL)
    assert.ok(
      named.some((name) => command === name || command.startsWith(`${name} `)),
      command,
    )
})
