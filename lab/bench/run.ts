import { describeMachine, listVersions } from '../rig/machine.ts'
import { median } from '../rig/statistics.ts'
import { figure, terminalTable } from '../rig/table.ts'
import type { Part, RunOptions } from './arguments.ts'
import { type Bench, openBench } from './bench.ts'
import { type Contender, type Measured, measureInTurns } from './contenders/contender.ts'
import { LoadFailed } from './load/drive.ts'
import type { Round } from './measure/round.ts'
import { aloneLineup } from './parts/alone.ts'
import { type Baseline, join, type Lineup, prepareBaseline } from './parts/baseline.ts'
import { callbackLineup, mixedLineup, openShops, type Shops } from './parts/callbacks.ts'
import { createLineup } from './parts/create.ts'
import { type Life, prepareLife } from './parts/life.ts'
import { profileText } from './parts/life-profile.ts'
import { payoutLineup } from './parts/payout.ts'
import { readLineup, tokenLineup } from './parts/read.ts'
import { measureStarts } from './parts/start.ts'
import { measureStatements } from './parts/statements.ts'
import { steadyCreate } from './parts/steady.ts'
import { type Results, resultsOf } from './report/results.ts'
import { ABSOLUTE_HEAD, absoluteRows, RATIO_HEAD, ratioRows } from './report/table.ts'
import { gatherCrowd } from './setup/crowd.ts'

/** `npm run bench`: everything once a round, and one table. */
export async function runStandard(options: RunOptions): Promise<Results> {
  const startMs = performance.now()
  const bench = await openBench(options)
  try {
    const baseline = await baselineFor(bench)
    const crowd = await crowdFor(bench)
    const life = options.only.has('life') ? await prepareLife(bench, crowd) : undefined
    const measured = await measureAll(bench, baseline, { crowd, life })
    const startSeconds = options.only.has('start') ? await measureStarts(bench) : null
    if (options.only.has('statements')) await measureStatements(bench)
    const results = resultsOf({
      takenOn: new Date().toISOString().slice(0, 10),
      machine: describeMachine(bench.server.dataDir),
      versions: listVersions(bench.server.settings['server_version'] ?? '', baseline?.pgbench.version),
      database: bench.server.settings,
      options: optionsShown(options),
      measured,
      startSeconds,
      life: (await life?.profile()) ?? null,
    })
    show(bench, results, (performance.now() - startMs) / 1000)
    return results
  } finally {
    await bench.close()
  }
}

const NEEDS_BASELINE: readonly Part[] = ['create', 'payout', 'alone']
const NEEDS_CROWD: readonly Part[] = ['life', 'payout', 'mixed', 'callbacks']

async function baselineFor(bench: Bench): Promise<Baseline | undefined> {
  if (!NEEDS_BASELINE.some((part) => bench.options.only.has(part))) return undefined
  return prepareBaseline(bench)
}

async function crowdFor(bench: Bench): Promise<readonly string[]> {
  const { only, merchants } = bench.options
  return NEEDS_CROWD.some((part) => only.has(part)) ? gatherCrowd(bench, merchants) : []
}

/** Who takes part in several contests. */
interface Guests {
  readonly crowd: readonly string[]
  readonly life: Life | undefined
}

async function measureAll(
  bench: Bench,
  baseline: Baseline | undefined,
  guests: Guests,
): Promise<readonly Measured[]> {
  const { only } = bench.options
  const { crowd } = guests
  const shops = only.has('callbacks') || only.has('mixed') ? await openShops(bench, crowd) : undefined
  const lineup = await lineUp(bench, baseline, { ...guests, shops })
  const measured = await inTurns(bench, lineup)
  return only.has('steady') ? [...measured, ...(await measureSteady(bench, measured, guests.life))] : measured
}

/** Latencies below saturation, which is known only now. */
async function measureSteady(
  bench: Bench,
  measured: readonly Measured[],
  life: Life | undefined,
): Promise<readonly Measured[]> {
  const create = measured.find(({ name }) => name === 'createPayin')?.rounds ?? []
  const contenders = [
    ...(create.length === 0 ? [] : [steadyCreate(bench, median(create.map(({ perSecond }) => perSecond)))]),
    ...(life === undefined ? [] : [life.steady]),
  ]
  if (contenders.length === 0)
    throw new LoadFailed('steady needs to know the saturation: --only create,steady or --only life,steady')
  return inTurns(bench, { contenders, missing: [] })
}

async function lineUp(
  bench: Bench,
  baseline: Baseline | undefined,
  { crowd, life, shops }: Guests & { readonly shops: Shops | undefined },
): Promise<Lineup> {
  const { only } = bench.options
  const callbacks =
    shops === undefined
      ? []
      : [
          ...(only.has('mixed') ? [await mixedLineup(bench, crowd, shops)] : []),
          ...(only.has('callbacks') ? [callbackLineup(bench, shops)] : []),
        ]
  return join([
    ...(life === undefined ? [] : [life.lineup]),
    ...(only.has('create') ? [await createLineup(bench, baseline)] : []),
    ...(only.has('payout') ? [await payoutLineup(bench, baseline, crowd)] : []),
    ...(only.has('read') ? [await readLineup(bench)] : []),
    ...(only.has('token') ? [tokenLineup(bench)] : []),
    ...callbacks,
    ...(only.has('alone') ? [await aloneLineup(bench, baseline)] : []),
  ])
}

async function inTurns(bench: Bench, { contenders, missing }: Lineup): Promise<readonly Measured[]> {
  const onRound = (contender: Contender, round: Round, number: number): void =>
    bench.say(roundLine(contender, round, number))
  return [...(await measureInTurns(contenders, bench.options.rounds, onRound)), ...missing]
}

function roundLine({ title }: Contender, round: Round, number: number): string {
  const { latencyMs, cpuMicroseconds: cpu } = round
  const parts = [
    `round ${number}  ${title.padEnd(44)}`,
    `${figure(round.perSecond).padStart(7)}/s`,
    ...(latencyMs === null ? [] : [`p50 ${figure(latencyMs.p50)} p99 ${figure(latencyMs.p99)} ms`]),
    `CPU µs ${figure(cpu.contender)} + PostgreSQL ${figure(cpu.postgres)} + load ${figure(cpu.generator)}, idle ${(100 * round.idleShare).toFixed(0)} %`,
  ]
  return parts.join('  ')
}

function optionsShown({
  rounds,
  seconds,
  warmupSeconds,
  connections,
  merchants,
}: RunOptions): Record<string, number> {
  return { rounds, seconds, warmupSeconds, connections, merchants }
}

function show(bench: Bench, results: Results, tookSeconds: number): void {
  const { machine, startSeconds, life } = results
  bench.say('')
  bench.say(
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGib} GiB, ${machine.system}; fdatasync ${figure(machine.fdatasyncMs)} ms`,
  )
  bench.say('')
  bench.say(terminalTable(RATIO_HEAD, ratioRows(results)))
  bench.say('')
  bench.say(terminalTable(ABSOLUTE_HEAD, absoluteRows(results)))
  if (life !== null) bench.say(`\n${profileText(life)}`)
  if (startSeconds !== null)
    bench.say(`\nThe API process gives its first answer ${figure(startSeconds.median)} s after its start.`)
  bench.say(`\nAll of it took ${Math.round(tookSeconds)} s.`)
}
