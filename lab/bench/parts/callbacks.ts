import { setTimeout as sleep } from 'node:timers/promises'
import { startWorker } from '../../rig/gateway.ts'
import { cpuOf, idleShare, machineTime, residentMib } from '../../rig/kernel.ts'
import type { Program } from '../../rig/programs.ts'
import { sqlNumber } from '../../rig/sql.ts'
import { type Bench, loadGateway } from '../bench.ts'
import type { Contender } from '../contenders/contender.ts'
import type { RequestTemplate } from '../load/plan.ts'
import { ID_PLACEHOLDER } from '../load/requests.ts'
import type { Round } from '../measure/round.ts'
import {
  createPayins,
  createPayouts,
  issueTokens,
  listMethods,
  paidPayinBody,
  readPayins,
} from '../scenarios.ts'
import { untilChained } from '../setup/chained.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import type { Lineup } from './baseline.ts'
import { someIds } from './read.ts'

/** Payins that wait to be paid and told when the worker begins. */
const BACKLOG = { warmupSeconds: 0, seconds: 2, ratePerSecond: 1_000, keepsSessions: true } as const
const WARM_SECONDS = 1
const DRAIN_TIMEOUT_MS = 120_000
const DRAIN_POLL_MS = 50
/** A receiver is called so many times at once at most that eight of them keep a worker busy. */
const RECEIVERS = 8

/** Merchants' servers, and requests for payins that are paid at once and told to them. */
export interface Shops {
  readonly receivers: readonly Receiver[]
  readonly templates: readonly RequestTemplate[]
}

export async function openShops(bench: Bench, crowd: readonly string[]): Promise<Shops> {
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => startReceiver()))
  for (const receiver of receivers) bench.atEnd(() => receiver.stop())
  const templates = crowd.map((token, index) => {
    const receiver = receivers[index % receivers.length]
    return createPayins(token, paidPayinBody(`${receiver?.url ?? ''}/${ID_PLACEHOLDER}`))
  })
  return { receivers, templates }
}

/** The work that other contenders left for the worker is taken away, so that it does only what it is measured for. */
async function clearQueues({ server }: Bench): Promise<void> {
  await server.sql('truncate payment_tasks, callback_events, callback_attempts')
}

/** Runs with a worker that finds nothing but the work that comes now. */
export async function withWorker<Result>(
  bench: Bench,
  work: (worker: Program) => Promise<Result>,
): Promise<Result> {
  await clearQueues(bench)
  const worker = await startWorker(bench.server)
  try {
    await untilChained(bench.server.sql)
    return await work(worker)
  } finally {
    await worker.stop()
    await clearQueues(bench)
  }
}

/** Lets a new worker pay and tell some payins, so that its code is compiled; then it has nothing to do. */
async function warmUp(bench: Bench, { receivers, templates }: Shops): Promise<void> {
  for (const receiver of receivers) receiver.expect()
  await loadGateway(bench, bench.gateway, templates, { ...BACKLOG, seconds: WARM_SECONDS })
  await untilTold(bench)
  await clearQueues(bench)
}

/** Waits until nothing is left to pay or to tell. */
async function untilTold({ server }: Bench): Promise<void> {
  const deadlineMs = performance.now() + DRAIN_TIMEOUT_MS
  const left = `select (select count(*) from payment_tasks where task = 'RAIL')
    + (select count(*) from callback_events where state = 'PENDING')`
  while ((await sqlNumber(server.sql, left)) > 0) {
    if (performance.now() > deadlineMs) throw new Error('the worker did not get through its work in time')
    await sleep(DRAIN_POLL_MS)
  }
}

/** "Callback delivery": payins that wait, from the rail's word to the merchant's 200, as fast as one worker can. */
export function callbackLineup(bench: Bench, shops: Shops): Lineup {
  const contender: Contender = {
    name: 'deliverCallback',
    title: 'pay and call back (one worker)',
    measure: () =>
      withWorker(bench, async (worker) => {
        await warmUp(bench, shops)
        worker.pause()
        try {
          return await measureDelivery(bench, shops, worker)
        } finally {
          worker.resume()
        }
      }),
  }
  return { contenders: [contender], missing: [] }
}

async function measureDelivery(
  bench: Bench,
  { receivers, templates }: Shops,
  worker: Program,
): Promise<Round> {
  await loadGateway(bench, bench.gateway, templates, BACKLOG)
  const expected = await expectBacklog(bench, receivers)
  // The worker's own sessions stay: it must not find them cut when it goes on.
  const walBefore = await bench.gauge.walInPassing()
  const ended = Promise.all(receivers.map((receiver) => receiver.all(DRAIN_TIMEOUT_MS)))
  const before = readCpu(bench, worker, receivers)
  const machineBefore = machineTime()
  worker.resume()
  const times = (await ended).flat().map(([, atMs]) => atMs)
  const after = readCpu(bench, worker, receivers)
  const machineAfter = machineTime()
  const walAfter = await bench.gauge.walInPassing()
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return {
    perSecond: expected / seconds,
    requests: expected,
    latencyMs: null,
    cpuMicroseconds: {
      contender: (after.worker - before.worker) / expected,
      postgres: (after.postgres - before.postgres) / expected,
      generator: (after.receivers - before.receivers) / expected,
    },
    residentMib: residentMib(worker.pid),
    walBytesPerRequest: (walAfter.bytes - walBefore.bytes) / expected,
    fullPageBytesPerRequest: (await bench.gauge.fullPageBytes(walBefore, walAfter)) / expected,
    fsyncsPerRequest: (walAfter.fsyncs - walBefore.fsyncs) / expected,
    idleShare: idleShare(machineBefore, machineAfter),
  }
}

function readCpu(
  { gauge }: Bench,
  worker: Program,
  receivers: readonly Receiver[],
): { readonly worker: number; readonly postgres: number; readonly receivers: number } {
  const all = receivers.reduce((total, { pid }) => total + cpuOf(pid), 0)
  return { worker: cpuOf(worker.pid), postgres: gauge.cpu(), receivers: all }
}

/** Tells every receiver how many calls it will get; the number of all. */
async function expectBacklog({ server }: Bench, receivers: readonly Receiver[]): Promise<number> {
  const rows = await server.sql(
    `select substring(callback_url from '^http://[^/]+') as origin, count(*)::int as payins
     from payment_tasks join payments using (merchant_id, kind, id_payment) where task = 'RAIL' group by 1`,
  )
  let sum = 0
  for (const receiver of receivers) {
    const row = rows.find(({ origin }) => receiver.url.startsWith(`${String(origin)}/`))
    const count = Number(row?.['payins'] ?? 0)
    if (count === 0) throw new Error('a receiver has no callback to expect')
    receiver.expect(count)
    sum += count
  }
  return sum
}

const MIXED_WEIGHTS = { payins: 45, reads: 35, payouts: 10, lists: 5, tokens: 5 } as const

/** "A mixed day": payins that are paid and told, details that are looked at, payouts, lists and tokens, with a worker beside. */
export async function mixedLineup(bench: Bench, crowd: readonly string[], shops: Shops): Promise<Lineup> {
  const ids = await someIds(bench)
  const share = 1 / crowd.length
  const contender: Contender = {
    name: 'mixedDay',
    title: 'mixed day',
    measure: () =>
      withWorker(bench, (worker) =>
        loadGateway(
          bench,
          bench.gateway,
          [
            ...shops.templates.map((template) => ({ ...template, weight: MIXED_WEIGHTS.payins * share })),
            ...crowd.map((token) => createPayouts(token, MIXED_WEIGHTS.payouts * share)),
            readPayins(bench.token, ids, MIXED_WEIGHTS.reads),
            listMethods(bench.token, MIXED_WEIGHTS.lists),
            ...issueTokens(bench.demo, MIXED_WEIGHTS.tokens),
          ],
          { pids: [bench.gateway.program.pid, worker.pid], keepsSessions: true },
        ),
      ),
  }
  return { contenders: [contender], missing: [] }
}
