import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../rig/usage.ts'
import { commandOf, MUTANTS, parseArguments } from '../mutants/arguments.ts'
import { checkPatches } from '../mutants/copy.ts'
import { kindsNamed } from '../mutants/loads.ts'
import { applyPatch, type Mutant, NoLongerApplies } from '../mutants/mutant.ts'
import { lineOf, resultOf } from '../mutants/run.ts'
import { mutantItem, scoresIn } from '../report/mutants.ts'
import { mutantSectionOf } from '../report/write.ts'

const patch = { file: 'till.ts', find: 'a >= b', replace: 'true' } as const

test('a patch replaces the one place that it names, whatever it is replaced by', () => {
  assert.equal(applyPatch('if (a >= b) pay()', patch), 'if (true) pay()')
  assert.equal(applyPatch('(a >= b)', { ...patch, replace: "$& $' $1" }), "($& $' $1)")
})

test('a patch whose text is gone, or there twice, says which file and how often', () => {
  assert.throws(
    () => applyPatch('if (a > b) pay()', patch),
    (error) => error instanceof NoLongerApplies && error.message.startsWith('till.ts has the text nowhere'),
  )
  assert.throws(
    () => applyPatch('a >= b && a >= b', patch),
    (error) => error instanceof NoLongerApplies && error.message.startsWith('till.ts has the text 2 times'),
  )
})

test('every mutant still applies to the code as it is, has a name of its own, and a kind that a trial knows', () => {
  checkPatches(MUTANTS)
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length)
  for (const { kind } of MUTANTS) assert.deepEqual(kindsNamed(kind.name), [kind])
  assert.throws(() => kindsNamed('calm,storms'), /storms/)
})

test('a mutant of a migration that a later one replaces is named', () => {
  const find = 'and content_hash = of_content) < 2 then'
  const file = 'apps/gateway/migrations/0028_payment_holds.sql'
  const [first] = MUTANTS
  assert.ok(first !== undefined)
  const replaced: Mutant = { ...first, patches: [{ file, find, replace: find }] }
  assert.throws(() => checkPatches([replaced]), /0028_payment_holds.* so has 0037_restore_gaps/)
})

test('a mutant that no longer applies is named', () => {
  const [first] = MUTANTS
  assert.ok(first !== undefined)
  const lost: Mutant = { ...first, patches: [{ ...first.patches[0], find: 'nobody wrote this' }] }
  assert.throws(() => checkPatches([lost]), new RegExp(`${lost.name}: .* nowhere`))
})

const [mutant] = MUTANTS
assert.ok(mutant !== undefined)
const expected = { invariant: mutant.mustBreak, says: 'AVAILABLE is -5' }
const other = { invariant: 'ledger check', says: 'not clean' }

test('a mutant is caught by its own invariant, and the line says by which others, too', () => {
  const result = resultOf(mutant, [other, expected, expected], 41.2)
  assert.equal(result.isCaught, true)
  assert.deepEqual(result.broken, ['ledger check', mutant.mustBreak])
  const line = lineOf(result)
  assert.ok(line.startsWith(`${mutant.name}: ${mutant.title}; caught by ${mutant.mustBreak}`), line)
  assert.ok(line.endsWith('(AVAILABLE is -5), also ledger check; 41 s'), line)
})

test('a mutant of which only something else is found, or nothing, has survived', () => {
  for (const findings of [[other], []]) {
    const result = resultOf(mutant, findings, 40)
    assert.equal(result.isCaught, false)
    assert.match(lineOf(result), /SURVIVED/)
    assert.match(mutantItem(result), /[*][*]Not caught[*][*]/)
  }
})

test('the section of the page counts what was caught, and has a line for each mutant', () => {
  const mutants = [resultOf(mutant, [expected], 40), resultOf({ ...mutant, name: 'other' }, [], 40)]
  const section = mutantSectionOf({
    takenOn: '2026-01-02',
    command: 'npm run mutants -- --seed 77',
    seed: 77,
    minutes: 9,
    mutants,
  })
  for (const text of [
    '1 of 2 caught on 2026-01-02',
    '`npm run mutants -- --seed 77`',
    mutant.title,
    '- `other`:',
    `Caught by **${mutant.mustBreak}** in`,
  ])
    assert.ok(section.includes(text), `${text} is missing in:\n${section}`)
})

test('the scores of the mutation test are taken by group; what has none is left out', () => {
  const file = {
    ledger: { name: 'ledger', score: 91.5, survivors: [] },
    authorise: { score: 100 },
    note: 'x',
  }
  assert.deepEqual(scoresIn(file), { ledger: 91.5, authorise: 100 })
})

test('the command line of the mutants: all by default, some when named, and refused where it cannot be meant', () => {
  assert.deepEqual(parseArguments([]), { mutants: MUTANTS, seed: undefined, write: false })
  assert.equal(parseArguments(['--write'])?.write, true)
  const one = parseArguments(['--only', mutant.name, '--seed', '12', '--write'])
  assert.deepEqual(one, { mutants: [mutant], seed: 12, write: false })
  assert.equal(commandOf(one, 12), `npm run mutants -- --only ${mutant.name} --seed 12`)
  assert.equal(commandOf({ mutants: MUTANTS }, 12), 'npm run mutants -- --seed 12')
  assert.equal(parseArguments(['--help']), undefined)
  for (const args of [['--seed', 'x'], ['--only', 'storms'], ['--nothing']])
    assert.throws(() => parseArguments(args), UsageError)
})
