import { createRandom } from '../rig/random.ts'
import type { Figures } from './figures.ts'
import { type Cell, type CellOptions, createCell } from './model/cell.ts'
import { costsOf } from './model/costs.ts'
import { arrive, type End, keepBusy, percentile } from './model/load.ts'
import { createTimeline, type Timeline } from './model/timeline.ts'

/** A figure of one cell, simulated and measured. */
export interface Comparison {
  readonly name: string
  readonly simulated: number
  readonly measured: number
  /** How far the simulation may be off, as a share; undefined for what it does not reproduce. */
  readonly tolerance?: number
}

/** By how much the simulated figure is larger than the measured one, as a share. */
export function deviationOf({ simulated, measured }: Comparison): number {
  return simulated / measured - 1
}

export function isWithin(comparison: Comparison): boolean {
  return comparison.tolerance === undefined || Math.abs(deviationOf(comparison)) <= comparison.tolerance
}

// What the load generator of the bench does: lab/bench/.
const CONNECTIONS = 256
const LIVES_IN_FLIGHT = 1_000
const POOL_MAX = 10

const WARMUP_MS = 2_000
const MEASURED_SECONDS = 10
const SECOND_MS = 1_000
const OF_THROUGHPUT = 0.05
const OF_THE_REST = 0.1

/** Runs the measurements of the bench in the model of one cell. */
export function calibrate(figures: Figures, seed: number): readonly Comparison[] {
  const costs = costsOf(figures)
  const creates: CellOptions = { costs, hasWorker: false }
  const lives: CellOptions = { costs }
  const life = measureBusy(lives, LIVES_IN_FLIGHT, 'CALLBACK')
  const create = measureBusy(creates, CONNECTIONS, 'ANSWER')
  const alone = measureBusy(creates, 1, 'ANSWER')
  const ofOne = measureBusy({ ...creates, rowsMax: 1, inFlightMax: POOL_MAX }, CONNECTIONS, 'ANSWER')
  const steady = measureArriving(creates, figures.createSteady.perSecond, seed)
  const lifeSteady = measureArriving(lives, figures.lifeSteady.perSecond, seed)
  const soak = measureArriving(lives, figures.soak.perSecond, seed)
  const compare =
    (tolerance?: number) =>
    (name: string, simulated: number, measured: number): Comparison => ({
      name,
      simulated,
      measured,
      ...(tolerance !== undefined && { tolerance }),
    })
  const throughput = compare(OF_THROUGHPUT)
  const other = compare(OF_THE_REST)
  const unlike = compare()
  return [
    throughput('whole lives a second, at most', life.perSecond, figures.life.perSecond),
    other('whole life, 1,000 at a time: p50 ms', life.p50Ms, figures.life.p50Ms),
    throughput('creates a second, at most', create.perSecond, figures.create.perSecond),
    other('create, 256 at a time: p50 ms', create.p50Ms, figures.create.p50Ms),
    other('create, one at a time: p50 ms', alone.p50Ms, figures.createAlone.p50Ms),
    other(
      'gateway, µs a life at 80 %',
      lifeSteady.gatewayMicroseconds,
      figures.lifeSteady.gatewayMicroseconds,
    ),
    other(
      'PostgreSQL, µs a life at 80 %',
      lifeSteady.postgresMicroseconds,
      figures.lifeSteady.postgresMicroseconds,
    ),
    unlike('create, 256 at a time: p99 ms', create.p99Ms, figures.create.p99Ms),
    unlike('create at 80 %: p50 ms', steady.p50Ms, figures.createSteady.p50Ms),
    unlike('create beside 500 lives a second: p50 ms', soak.p50Ms, figures.soak.p50Ms),
    unlike('create beside 500 lives a second: p99 ms', soak.p99Ms, figures.soak.p99Ms),
    unlike('creates in batches of one, a second', ofOne.perSecond, figures.createBatchOfOne.perSecond),
  ]
}

interface Simulated {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
}

function measureBusy(options: CellOptions, clients: number, end: End): Simulated {
  return measure(options, (timeline, cell, onEnd) => keepBusy(timeline, cell, { clients, end, onEnd }))
}

/** The bench sends at even intervals; here chance decides, as it does with customers. */
function measureArriving(options: CellOptions, perSecond: number, seed: number): Simulated {
  return measure(options, (timeline, cell, onEnd) => {
    const act = (): void => {
      const fromMs = timeline.nowMs()
      cell.create(() => onEnd(timeline.nowMs() - fromMs))
    }
    arrive(timeline, createRandom(seed), { perSecond, act })
  })
}

function measure(
  options: CellOptions,
  load: (timeline: Timeline, cell: Cell, onEnd: (ms: number) => void) => void,
): Simulated {
  const timeline = createTimeline()
  const cell = createCell(timeline, options)
  let latencies: number[] = []
  load(timeline, cell, (ms) => latencies.push(ms))
  timeline.runUntil(WARMUP_MS)
  latencies = []
  const before = cell.used()
  timeline.runUntil(WARMUP_MS + MEASURED_SECONDS * SECOND_MS)
  const after = cell.used()
  const microsecondsEach = (ms: number): number => (ms * 1_000) / latencies.length
  return {
    perSecond: latencies.length / MEASURED_SECONDS,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    gatewayMicroseconds: microsecondsEach(after.gatewayMs - before.gatewayMs),
    postgresMicroseconds: microsecondsEach(after.postgresMs - before.postgresMs),
  }
}
