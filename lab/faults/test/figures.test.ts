import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, pickWeighted } from '../../rig/random.ts'
import { UsageError } from '../../rig/usage.ts'
import { commandOf, parseOptions } from '../arguments.ts'
import { durationsOf, figuresOf } from '../report/figures.ts'
import { figureRows, phaseRows } from '../report/results.ts'
import { controlSectionOf, sectionOf } from '../report/write.ts'
import { createNotes } from '../setup/notes.ts'
import { callOf, payin, soundFacts } from './sound-facts.ts'

test('the same seed gives the same chances, a fork its own', () => {
  const draw = (seed: number): readonly number[] => {
    const random = createRandom(seed)
    const fork = random.fork()
    return [fork.share(), random.share(), random.below(1_000), random.between(5, 6)]
  }
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
  assert.equal(new Set(draw(7)).size, 4)
})

test('an item is picked as often as its weight says, and never at the weight 0', () => {
  const random = createRandom(1)
  const picked = Array.from({ length: 4_000 }, () => pickWeighted(random, [0, 1, 3], (weight) => weight))
  assert.ok(!picked.includes(0))
  const share = picked.filter((weight) => weight === 3).length / picked.length
  assert.ok(share > 0.7 && share < 0.8, String(share))
})

test('durations are counted, and their middle, 99 % and end are of them', () => {
  assert.equal(durationsOf([]), null)
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index)
  assert.deepEqual(durationsOf(samples), { count: 100, medianMs: 50, p99Ms: 99, maxMs: 100 })
})

test('recovery lasts from a kill to the first 201 of the same process, of a request that came after it', () => {
  const facts = soundFacts()
  const later = (api: number, invokedAtMs: number) =>
    callOf({ ...payin, id: `paid-${invokedAtMs}` }, { api, invokedAtMs, endedAtMs: invokedAtMs + 5 })
  const calls = [later(1, 990), later(2, 1_100), later(1, 3_000), later(1, 4_000)]
  const kills = [
    { component: 'API', atMs: 992, api: 1 },
    { component: 'PostgreSQL', atMs: 995 },
    { component: 'worker', atMs: 996 },
    { component: 'API', atMs: 9_000, api: 1 },
  ] as const
  const figures = figuresOf({ ...facts, calls }, { kills, notes: createNotes(), findings: [] })
  assert.deepEqual(figures.kills, {
    API: 2,
    worker: 1,
    PostgreSQL: 1,
    session: 0,
    primary: 0,
    'frozen primary': 0,
    'primary and standby': 0,
  })
  assert.equal(figures.recovery.API?.maxMs, 3_005 - 992)
  assert.equal(figures.recovery.API.count, 1)
  assert.equal(figures.recovery.PostgreSQL?.maxMs, 1_105 - 995)
  assert.equal(figures.recovery.worker, undefined)
})

test('figures count payments, not requests, and calls after a 200', () => {
  const facts = soundFacts()
  const calls = [
    ...facts.calls,
    callOf(payin, { httpStatus: 409 }),
    callOf(payin, { outcome: 'unknown', httpStatus: 500 }),
  ]
  const arrivals = [...facts.arrivals, ...facts.arrivals.slice(0, 1)]
  const findings = [{ invariant: 'I10', says: 'gone' }]
  const figures = figuresOf({ ...facts, calls, arrivals }, { kills: [], notes: createNotes(), findings })
  assert.equal(figures.acknowledged, 2)
  assert.equal(figures.unknown, 1)
  assert.equal(figures.decidedByAsking, 1)
  assert.equal(figures.lost, 1)
  assert.equal(figures.doubled, 0)
  assert.equal(figures.callbacks.afterAccepted, 1)
  assert.equal(figures.callbacks.lateness?.maxMs, 110)
})

test('a frozen primary counts as lost when the address leaves it', () => {
  const facts = soundFacts()
  const [call] = facts.calls
  assert.ok(call?.endedAtMs)
  const kills = [{ component: 'frozen primary', atMs: call.invokedAtMs }] as const
  const figures = figuresOf(facts, { kills, notes: createNotes(), findings: [] })
  const rows = new Map(figureRows({ figures }).map(([name, value]) => [name, value]))
  assert.equal(rows.get('kills'), 'frozen primary 1')
  assert.ok(rows.has('frozen primary left, to the first 201: median, p99, max'))
})

test("no lateness is told where the database's clock was so fast that a call came before its change", () => {
  const facts = soundFacts()
  const callbacks = facts.callbacks.map((row) => ({ ...row, createdAtMs: row.createdAtMs + 30_000 }))
  const { lateness } = figuresOf(
    { ...facts, callbacks },
    { kills: [], notes: createNotes(), findings: [] },
  ).callbacks
  assert.equal(lateness, null)
})

test('a control says what it lost, and the command that does it again', () => {
  const command = 'npm run faults -- --control async-standby --seed 7'
  const section = controlSectionOf({ takenOn: '2026-01-02', command, seed: 7, lost: 1_234 })
  assert.equal(
    section,
    `- \`${command}\`, on 2026-01-02: 1,234 acknowledged payments were found lost, as they had to be.`,
  )
})

test('the section of the page has the seed, the command, every figure, and one row for each kind', () => {
  const phase = { name: 'kill', title: 'SIGKILL', strikes: 2, acknowledged: 30, unknown: 1, quietSeconds: 12 }
  assert.deepEqual(phaseRows([phase, { ...phase, quietSeconds: 15 }]), [['SIGKILL', '4', '60', '2', '15.0']])
  const notes = createNotes()
  notes.count('killed at the door')
  notes.least('rows per second', 512.4)
  notes.least('rows per second', 600)
  const section = sectionOf({
    takenOn: '2026-01-02',
    command: 'npm run faults -- --seed 77',
    seed: 77,
    minutes: 7,
    machine: { processor: 'Some CPU', cores: 2, memoryGib: 8, system: 'Linux 6.1', fdatasyncMs: 0.1 },
    versions: { node: '24' },
    database: { fsync: 'on' },
    phases: [phase],
    skipped: [{ name: 'flood', title: 'water in the cellar', reason: 'there is no cellar' }],
    figures: figuresOf(soundFacts(), { kills: [], notes, findings: [] }),
  })
  for (const text of [
    'seed 77',
    '`npm run faults -- --seed 77`',
    'fsync on',
    '| of these lost | 0 |',
    'SIGKILL',
    '| killed at the door | 1 |',
    '| rows per second | 512 |',
    'Skipped, since there is no cellar: water in the cellar.',
  ])
    assert.ok(section.includes(text), `${text} is missing in:\n${section}`)
})

test('the command line: short by default, long when asked, and refused where it cannot be meant', () => {
  const short = parseOptions([])
  assert.equal(short?.form, 'short')
  assert.equal(short.write, false)
  assert.equal(commandOf(short, 3), 'npm run faults -- --seed 3')
  const all = parseOptions(['--long'])
  assert.ok(all && all.kinds.length > short.kinds.length)
  assert.equal(commandOf(all, 3), 'npm run faults -- --long --seed 3')
  assert.equal(parseOptions(['--only', 'schema-change'])?.kinds.length, 1)
  assert.equal(parseOptions(['--write'])?.write, true)
  const long = parseOptions(['--long', '--seed', '12', '--only', 'bad-bank', '--write'])
  assert.equal(long?.write, false, 'a part of a run is not the figures of one')
  assert.equal(commandOf(long, 12), 'npm run faults -- --long --only bad-bank --seed 12')
  assert.equal(long.extent.acknowledgedMin, 100_000)
  assert.equal(long.seed, 12)
  assert.deepEqual(
    long.kinds.map(({ name }) => name),
    ['bad-bank'],
  )
  assert.equal(parseOptions(['--help']), undefined)
  for (const args of [['--seed', 'x'], ['--seed', '4294967296'], ['--only', 'storms'], ['--nothing']])
    assert.throws(() => parseOptions(args), UsageError)
})

test('failovers and controls are runs of their own', () => {
  const patroni = parseOptions(['--failovers', '20', '--patroni'])
  assert.ok(patroni)
  assert.equal(patroni.form, 'patroni')
  assert.equal(commandOf(patroni, 5), 'npm run faults -- --failovers 20 --patroni --seed 5')
  const upgrade = parseOptions(['--upgrade'])
  assert.ok(upgrade)
  assert.equal(upgrade.form, 'upgrade')
  assert.equal(commandOf(upgrade, 5), 'npm run faults -- --upgrade --seed 5')
  const failovers = parseOptions(['--failovers', '20', '--write'])
  assert.ok(failovers)
  assert.equal(failovers.form, 'failover')
  assert.equal(failovers.extent.killsMin, 20)
  assert.equal(failovers.write, true)
  assert.equal(commandOf(failovers, 5), 'npm run faults -- --failovers 20 --seed 5')
  const control = parseOptions(['--control', 'deaf-gateway', '--write'])
  assert.ok(control)
  assert.equal(control.control, 'deaf-gateway')
  assert.equal(control.write, true)
  assert.equal(commandOf(control, 5), 'npm run faults -- --control deaf-gateway --seed 5')
  for (const args of [['--patroni'], ['--failovers', '0'], ['--failovers', 'x'], ['--control', 'nothing']])
    assert.throws(() => parseOptions(args), UsageError)
})
