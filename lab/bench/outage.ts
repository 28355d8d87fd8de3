import { constants, setPriority } from 'node:os'
import { startWorker } from '../rig/gateway.ts'
import { idleShare, machineTime } from '../rig/kernel.ts'
import { sqlNumber } from '../rig/sql.ts'
import { median } from '../rig/statistics.ts'
import { figure } from '../rig/table.ts'
import type { OutageOptions } from './arguments.ts'
import { type Bench, loadGateway, openBench, planFor } from './bench.ts'
import { runLoad } from './load/drive.ts'
import { type Latencies, latenciesOf } from './load/histogram.ts'
import type { RequestTemplate } from './load/plan.ts'
import { openShops } from './parts/callbacks.ts'
import { createPayins } from './scenarios.ts'
import { untilChained } from './setup/chained.ts'
import { gatherCrowd } from './setup/crowd.ts'
import { fillDue } from './setup/fill-due.ts'

const WARM_SECONDS = 10
/** So that the worker's code is compiled before anything counts. */
const WARM_DUE = 10_000
const CALM_WINDOWS = 3
/** What is to be done: of each payment whose time is over, its end and its callback. */
const LEFT = `select 2 * (select count(*) from payment_tasks where task = 'EXPIRE' and due_at < now())
  + (select count(*) from callback_events where state = 'PENDING')`

/** `npm run bench -- outage`: how long new payments take while what an hour without workers left behind is made up for. */
export async function runOutage(options: OutageOptions): Promise<void> {
  const bench = await openBench(options)
  try {
    const crowd = await gatherCrowd(bench, options.merchants)
    const { receivers } = await openShops(bench, crowd)
    // Merchants' servers stand elsewhere: here they take what nobody else wants.
    for (const { pid } of receivers) setPriority(pid, constants.priority.PRIORITY_LOW)
    const scene = { bench, options, templates: crowd.map((token) => createPayins(token)) }
    const fill = (payments: number): Promise<void> =>
      fillDue(bench.server.sql, { payments, urls: receivers.map(({ url }) => url) }, bench.say)

    await loadGateway(bench, bench.gateway, scene.templates, { seconds: WARM_SECONDS })
    await fill(WARM_DUE)
    const before = await startWorker(bench.server)
    await untilChained(bench.server.sql)
    await measureUntilDone(scene)
    bench.say('New payments alone:')
    const alone: Latencies[] = []
    while (alone.length < CALM_WINDOWS) alone.push(await measure(scene))
    await before.stop()

    await fill(options.due)
    bench.say(`While ${figure(options.due)} are made up for, half to be ended and told and half to be told:`)
    const worker = await startWorker(bench.server)
    bench.atEnd(() => worker.stop())
    const startedMs = performance.now()
    const meanwhile = await measureUntilDone(scene)
    const seconds = (performance.now() - startedMs) / 1_000
    const perSecond = (1.5 * options.due) / seconds
    bench.say(`All in ${figure(seconds)} s: ${figure(perSecond)} ended or told a second.`)
    const compare = (of: 'p50' | 'p99'): string =>
      `${of} ${[alone, meanwhile].map((found) => figure(median(found.map((each) => each[of])))).join(' ms alone, ')} ms meanwhile`
    bench.say(`New payments: ${compare('p50')}; ${compare('p99')}.`)
  } finally {
    await bench.close()
  }
}

interface Scene {
  readonly bench: Bench
  readonly options: OutageOptions
  readonly templates: readonly RequestTemplate[]
}

const left = ({ bench }: Scene): Promise<number> => sqlNumber(bench.server.sql, LEFT)

async function measureUntilDone(scene: Scene): Promise<readonly Latencies[]> {
  const found: Latencies[] = []
  while ((await left(scene)) > 0) found.push(await measure(scene))
  return found
}

/** New payments at a steady rate for one window, and what is done meanwhile of what is due. */
async function measure(scene: Scene): Promise<Latencies> {
  const { bench, options, templates } = scene
  const { ratePerSecond, seconds } = options
  const leftBefore = await left(scene)
  const startedMs = performance.now()
  const machineBefore = machineTime()
  const plan = planFor(options, bench.gateway.port, templates, { ratePerSecond, seconds })
  const { labels } = await runLoad(plan)
  const idle = idleShare(machineBefore, machineTime())
  const tookSeconds = (performance.now() - startedMs) / 1_000
  const perSecond = (leftBefore - (await left(scene))) / tookSeconds
  const found = latenciesOf(labels.flatMap(({ latencies }) => latencies))
  if (found === undefined) throw new Error('no payment was measured')
  bench.say(
    `  p50 ${figure(found.p50)} p99 ${figure(found.p99)} ms  ${figure(perSecond)} done a second  ${figure(100 * idle)} % idle`,
  )
  return found
}
