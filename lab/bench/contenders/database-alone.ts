import { idleShare, machineTime } from '../../rig/kernel.ts'
import type { RunOptions } from '../arguments.ts'
import type { Bench } from '../bench.ts'
import { classOf, latenciesOf } from '../load/histogram.ts'
import type { Round } from '../measure/round.ts'
import type { Contender } from './contender.ts'
import { type Pgbench, type PgbenchOrder, type PgbenchResult, PLAN_CACHE_MODES } from './pgbench.ts'
import type { BenchScript } from './pgbench-script.ts'

/** How pgbench is run so that it does best. */
type BestOrder = Pick<PgbenchOrder, 'clients' | 'planCacheMode'>

const CLIENTS_TRIED = [1, 2, 4, 8, 16, 32] as const
const TRY_SECONDS = 1
/** Two clients per core, on the machine where this was written: near the best whatever the statement. */
const CLIENTS_FOR_MODES = 4

/** Tries the kinds of plans, then the numbers of clients, shortly: pgbench competes at its best. */
export async function findBestOrder(pgbench: Pgbench, script: BenchScript): Promise<BestOrder> {
  const speedOf = async (order: BestOrder): Promise<readonly [BestOrder, number]> => {
    const { throughputPerSecond } = await pgbench.run({ ...order, script, seconds: TRY_SECONDS })
    return [order, throughputPerSecond]
  }
  let best = await speedOf({ clients: CLIENTS_FOR_MODES, planCacheMode: PLAN_CACHE_MODES[0] })
  const attempt = async (order: BestOrder): Promise<void> => {
    const tried = await speedOf(order)
    if (tried[1] > best[1]) best = tried
  }
  await attempt({ clients: CLIENTS_FOR_MODES, planCacheMode: PLAN_CACHE_MODES[1] })
  const { planCacheMode } = best[0]
  for (const clients of CLIENTS_TRIED) await attempt({ clients, planCacheMode })
  return best[0]
}

interface DatabaseAlone {
  readonly name: string
  readonly title: string
  readonly pgbench: Pgbench
  readonly script: BenchScript
  readonly order: BestOrder
  readonly withLatencies?: boolean
  /** As the one it is compared with: what follows a checkpoint writes whole pages for a while. The options of the run unless given. */
  readonly length?: Pick<RunOptions, 'warmupSeconds' | 'seconds'>
}

/** PostgreSQL alone, with one transaction for each payment. */
export function databaseAlone(bench: Bench, alone: DatabaseAlone): Contender {
  const { name, title, pgbench, script, order, withLatencies = false } = alone
  return {
    name,
    title,
    async measure() {
      const { gauge, options } = bench
      const { warmupSeconds, seconds } = alone.length ?? options
      const run = (seconds: number): Promise<PgbenchResult> =>
        pgbench.run({ ...order, script, seconds, withLatencies })
      await gauge.checkpoint()
      const walBefore = await gauge.wal()
      const warm = warmupSeconds > 0 ? (await run(warmupSeconds)).transactions : 0
      const machineBefore = machineTime()
      const { result, microseconds } = await gauge.cpuOfWork(() => run(seconds))
      const idle = idleShare(machineBefore, machineTime())
      const walAfter = await gauge.wal()
      const inAll = warm + result.transactions
      return toRound(result, {
        cpu: microseconds / result.transactions,
        walBytes: (walAfter.bytes - walBefore.bytes) / inAll,
        fullPageBytes: (await gauge.fullPageBytes(walBefore, walAfter)) / inAll,
        fsyncs: (walAfter.fsyncs - walBefore.fsyncs) / inAll,
        idle,
      })
    },
  }
}

/** What was used for each transaction goes beside what pgbench says. */
function toRound(
  result: PgbenchResult,
  used: Readonly<Record<'cpu' | 'walBytes' | 'fullPageBytes' | 'fsyncs' | 'idle', number>>,
): Round {
  const { transactions } = result
  if (transactions === 0) throw new Error('pgbench got nothing done; give it more --seconds')
  return {
    perSecond: result.throughputPerSecond,
    requests: transactions,
    latencyMs:
      latenciesOf(result.latenciesMicroseconds.map((latency) => [classOf(latency), 1] as const)) ?? null,
    cpuMicroseconds: {
      contender: 0,
      postgres: used.cpu,
      generator: result.cpuMicroseconds / transactions,
    },
    residentMib: 0,
    walBytesPerRequest: used.walBytes,
    fullPageBytesPerRequest: used.fullPageBytes,
    fsyncsPerRequest: used.fsyncs,
    idleShare: used.idle,
  }
}
