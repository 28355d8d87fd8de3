import { sqlNumber } from '../rig/sql.ts'
import { figure, terminalTable } from '../rig/table.ts'
import type { GrowthOptions } from './arguments.ts'
import { type Bench, loadGateway, openBench } from './bench.ts'
import type { RequestTemplate } from './load/plan.ts'
import type { Round } from './measure/round.ts'
import { someIds } from './parts/read.ts'
import { summaryOf } from './report/results.ts'
import { createPayins } from './scenarios.ts'
import { gatherCrowd } from './setup/crowd.ts'
import { fillPayments } from './setup/fill.ts'

/** What a payment cost with so many in the database. */
interface GrowthSize {
  readonly payments: number
  readonly rounds: readonly Round[]
  readonly summary: Round
  /** Of the gateway and of PostgreSQL together. */
  readonly cpuMicroseconds: number
  readonly databaseGib: number
}

export interface Growth {
  readonly takenOn: string
  readonly merchants: number
  readonly sizes: readonly GrowthSize[]
}

const SECONDS_BEFORE = 10

/** `npm run bench -- growth`: creates are measured at each size of the database. */
export async function runGrowth(options: GrowthOptions): Promise<Growth> {
  const bench = await openBench(options)
  try {
    const crowd = await gatherCrowd(bench, options.merchants)
    const templates = crowd.map((token) => createPayins(token))
    const sizes: GrowthSize[] = []
    await someIds(bench) // so that there are payins to copy
    // The first size is not measured with code that is still to be compiled.
    await loadGateway(bench, bench.gateway, templates, { seconds: SECONDS_BEFORE })
    for (const payments of options.payments) {
      bench.say(`Filling up to ${figure(payments)} payments…`)
      await fillPayments(bench.server.sql, payments, bench.say)
      sizes.push(await measureSize(bench, templates, payments))
    }
    const growth = { takenOn: new Date().toISOString().slice(0, 10), merchants: options.merchants, sizes }
    show(bench, growth)
    return growth
  } finally {
    await bench.close()
  }
}

async function measureSize(
  bench: Bench,
  templates: readonly RequestTemplate[],
  payments: number,
): Promise<GrowthSize> {
  const rounds: Round[] = []
  for (let round = 0; round < bench.options.rounds; round += 1)
    rounds.push(await loadGateway(bench, bench.gateway, templates))
  const summary = summaryOf(rounds)
  if (summary === null) throw new Error('no round was measured')
  const { contender, postgres } = summary.cpuMicroseconds
  const bytes = await sqlNumber(bench.server.sql, 'select pg_database_size(current_database())')
  return { payments, rounds, summary, cpuMicroseconds: contender + postgres, databaseGib: bytes / 2 ** 30 }
}

function show(bench: Bench, { sizes }: Growth): void {
  const [smallest] = sizes
  const rows = sizes.map(({ payments, summary, cpuMicroseconds, databaseGib }) => [
    figure(payments),
    figure(summary.perSecond),
    figure(summary.latencyMs?.p99 ?? 0),
    figure(cpuMicroseconds),
    figure(cpuMicroseconds / (smallest?.cpuMicroseconds ?? 1)),
    figure(databaseGib),
  ])
  const head = ['payments stored', 'creates/s', 'p99 ms', 'CPU µs', 'CPU, relative', 'database GiB']
  bench.say(`\n${terminalTable(head, rows)}`)
}
