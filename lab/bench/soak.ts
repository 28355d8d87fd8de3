import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../rig/gateway.ts'
import { residentMib } from '../rig/kernel.ts'
import type { Program } from '../rig/programs.ts'
import { figure } from '../rig/table.ts'
import type { SoakOptions } from './arguments.ts'
import { type Bench, openBench, planFor } from './bench.ts'
import { runLoad } from './load/drive.ts'
import { type Latencies, latenciesOf } from './load/histogram.ts'
import { openShops } from './parts/callbacks.ts'
import { gatherCrowd } from './setup/crowd.ts'

interface SoakSample {
  readonly minute: number
  readonly apiMib: number
  readonly workerMib: number
}

export interface Soak {
  readonly takenOn: string
  readonly minutes: number
  readonly ratePerSecond: number
  readonly samples: readonly SoakSample[]
  readonly latencyMs: Latencies | null
}

const SAMPLES = 60

/** `npm run bench -- soak`: payments at a steady rate, each paid and told, and what the processes hold of memory meanwhile. */
export async function runSoak(options: SoakOptions): Promise<Soak> {
  const bench = await openBench(options)
  try {
    const crowd = await gatherCrowd(bench, options.merchants)
    const { templates } = await openShops(bench, crowd)
    const worker = await startWorker(bench.server)
    bench.atEnd(() => worker.stop())
    const { ratePerSecond, minutes } = options
    const stop = new AbortController()
    const sampling = sample(bench, worker, { everyMs: (minutes * 60_000) / SAMPLES, signal: stop.signal })
    const plan = planFor(options, bench.gateway.port, templates, {
      ratePerSecond,
      warmupSeconds: 0,
      seconds: minutes * 60,
    })
    const result = await runLoad(plan).finally(() => stop.abort())
    return {
      takenOn: new Date().toISOString().slice(0, 10),
      minutes,
      ratePerSecond,
      samples: await sampling,
      latencyMs: latenciesOf(result.labels.flatMap(({ latencies }) => latencies)) ?? null,
    }
  } finally {
    await bench.close()
  }
}

async function sample(
  bench: Bench,
  worker: Program,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<readonly SoakSample[]> {
  const startMs = performance.now()
  const samples: SoakSample[] = []
  while (!signal.aborted) {
    const taken = {
      minute: (performance.now() - startMs) / 60_000,
      apiMib: residentMib(bench.gateway.program.pid),
      workerMib: residentMib(worker.pid),
    }
    samples.push(taken)
    bench.say(
      `${taken.minute.toFixed(1).padStart(6)} min  API ${figure(taken.apiMib)} MiB  worker ${figure(taken.workerMib)} MiB`,
    )
    await sleep(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return samples
}
