import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../rig/statistics.ts'
import { type Bench, loadGateway } from '../bench.ts'
import type { Measured } from '../contenders/contender.ts'
import { classOf, latenciesOf } from '../load/histogram.ts'
import type { Round } from '../measure/round.ts'
import { createPayins } from '../scenarios.ts'
import type { Arrival } from '../setup/receiver.ts'
import type { Lineup } from './baseline.ts'
import { type Shops, untilTold, warmUp, withWorker } from './callbacks.ts'

/** The share of saturation at which latencies are looked at. */
const STEADY_SHARE = 0.8
const ARRIVAL_POLL_MS = 100
const ARRIVAL_TIMEOUT_MS = 30_000

/** Payments a second that the machine can do. Undefined where it was not measured. */
interface Saturation {
  readonly create: number | undefined
  /** Whole lives. */
  readonly life: number | undefined
}

export function saturationOf(measured: readonly Measured[]): Saturation {
  const of = (name: string): number | undefined => {
    const rounds = measured.find((each) => each.name === name)?.rounds ?? []
    return rounds.length === 0 ? undefined : median(rounds.map(({ perSecond }) => perSecond))
  }
  return { create: of('createPayin'), life: of('wholeLife') }
}

/** Requests come at a fixed rate, whatever becomes of those before, and latencies count from when each was due. */
export function steadyLineup(bench: Bench, createPerSecond: number): Lineup {
  const ratePerSecond = Math.round(createPerSecond * STEADY_SHARE)
  const templates = [createPayins(bench.token)]
  const contender = {
    name: 'createPayinSteady',
    title: `create payin at 80 %: ${ratePerSecond}/s`,
    measure: () => loadGateway(bench, bench.gateway, templates, { ratePerSecond }),
  }
  return { contenders: [contender], missing: [] }
}

/** From the acceptance of a payin, by the database's clock, to the arrival of its first callback, by the merchant's. */
export function latenessLineup(bench: Bench, shops: Shops, lifePerSecond: number): Lineup {
  const ratePerSecond = Math.round(lifePerSecond * STEADY_SHARE)
  const contender = {
    name: 'callbackSteady',
    title: `first callback after acceptance, at 80 %: ${ratePerSecond}/s`,
    measure: () => withFlow(bench, shops, ratePerSecond, measureLateness),
  }
  return { contenders: [contender], missing: [] }
}

/** Payins that were created at a fixed rate while a worker paid and told them. */
interface Flow {
  readonly round: Round
  /** When each was accepted, by id. */
  readonly accepted: ReadonlyMap<string, number>
  /** When the warm-up was over. */
  readonly fromMs: number
  /** What has arrived until now. */
  report(): Promise<readonly Arrival[]>
}

function withFlow(
  bench: Bench,
  shops: Shops,
  ratePerSecond: number,
  look: (flow: Flow) => Promise<Round>,
): Promise<Round> {
  const { receivers, templates } = shops
  return withWorker(bench, async (worker) => {
    await warmUp(bench, shops)
    for (const receiver of receivers) receiver.expect()
    const round = await loadGateway(bench, bench.gateway, templates, {
      ratePerSecond,
      pids: [bench.gateway.program.pid, worker.pid],
      keepsSessions: true,
    })
    // Only now: the list reads all payments, which would hold up the callbacks that are still on their way.
    await untilTold(bench)
    const accepted = await listAccepted(bench)
    return look({
      round,
      accepted,
      fromMs: Math.min(...accepted.values()) + bench.options.warmupSeconds * 1000,
      report: async () => (await Promise.all(receivers.map((receiver) => receiver.report()))).flat(),
    })
  })
}

async function measureLateness({ round, accepted, fromMs, report }: Flow): Promise<Round> {
  const arrived = await untilArrived(accepted.size, report)
  const lateness = arrived.flatMap(([id, atMs]) => {
    const acceptedMs = accepted.get(id)
    return acceptedMs === undefined || acceptedMs < fromMs ? [] : [(atMs - acceptedMs) * 1000]
  })
  return { ...round, latencyMs: latenciesOf(lateness.map((late) => [classOf(late), 1] as const)) ?? null }
}

/** Every payin of the load, and when it was accepted; nothing else has a task while the queues are the worker's alone. */
async function listAccepted({ server }: Bench): Promise<ReadonlyMap<string, number>> {
  const rows = await server.sql(
    `select id_payment, (extract(epoch from created_at) * 1000)::double precision as accepted_ms
     from payments join (
       select merchant_id, kind, id_payment from payment_tasks
       union select merchant_id, kind, id_entity from callback_events) queued using (merchant_id, kind, id_payment)`,
  )
  return new Map(rows.map((row) => [String(row['id_payment']), Number(row['accepted_ms'])]))
}

async function untilArrived(
  count: number,
  report: () => Promise<readonly Arrival[]>,
): Promise<readonly Arrival[]> {
  const deadlineMs = performance.now() + ARRIVAL_TIMEOUT_MS
  for (;;) {
    const arrived = await report()
    if (arrived.length >= count) return arrived
    if (performance.now() > deadlineMs)
      throw new Error(`${arrived.length} of ${count} callbacks came within ${ARRIVAL_TIMEOUT_MS} ms`)
    await sleep(ARRIVAL_POLL_MS)
  }
}
