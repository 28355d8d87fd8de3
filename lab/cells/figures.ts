import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../rig/programs.ts'

/** What was measured of one contender of `npm run bench`. */
export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly gatewayMicroseconds: number
  readonly postgresMicroseconds: number
  /** Of all processors, while it was loaded as much as it took. */
  readonly idleShare: number
  readonly fsyncsPerRequest: number
}

/** How long it took until payments were accepted again. */
export interface Outage {
  readonly medianMs: number
  readonly maxMs: number
}

/** The measured figures that the simulation is made of and held against; all are in docs/. */
export interface Figures {
  readonly life: Measured
  /** How often the statement that stores payments ran in a whole life: one divided by the rows of a batch. */
  readonly createBatchesPerLife: number
  readonly create: Measured
  readonly createAlone: Measured
  readonly createBatchOfOne: Measured
  readonly createSteady: Measured
  /** At 80 % of the lives; its latencies are those of the callback. */
  readonly lifeSteady: Measured
  readonly soak: { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }
  readonly leaderKilled: Outage
  readonly leaderAndStandbyKilled: Outage
  readonly apiKilled: Outage
}

/** Reads docs/performance.json and docs/reliability.json. Throws where a figure is missing there. */
export function readFigures(): Figures {
  const performance = readDocument('performance.json')
  const reliability = readDocument('reliability.json')
  const of = (name: string): Measured => measuredOf(named(at(performance, 'contenders'), name))
  const outage = (...path: readonly string[]): Outage => ({
    medianMs: numberAt(reliability, ...path, 'medianMs'),
    maxMs: numberAt(reliability, ...path, 'maxMs'),
  })
  const patroni = ['patroni', 'figures', 'recovery'] as const
  return {
    life: of('wholeLife'),
    createBatchesPerLife: numberAt(named(at(performance, 'life', 'statements'), 'payments_insert'), 'calls'),
    create: of('createPayin'),
    createAlone: of('createPayinAlone'),
    createBatchOfOne: of('createPayinBatchOfOne'),
    createSteady: of('createPayinSteady'),
    lifeSteady: of('callbackSteady'),
    soak: {
      perSecond: numberAt(performance, 'soak', 'ratePerSecond'),
      p50Ms: numberAt(performance, 'soak', 'latencyMs', 'p50'),
      p99Ms: numberAt(performance, 'soak', 'latencyMs', 'p99'),
    },
    leaderKilled: outage(...patroni, 'primary'),
    leaderAndStandbyKilled: outage(...patroni, 'primary and standby'),
    apiKilled: outage('short', 'figures', 'recovery', 'API'),
  }
}

function readDocument(name: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, 'docs', name), 'utf8'))
}

function measuredOf(contender: unknown): Measured {
  const of = (...path: readonly string[]): number => numberAt(contender, 'summary', ...path)
  return {
    perSecond: of('perSecond'),
    p50Ms: of('latencyMs', 'p50'),
    p99Ms: of('latencyMs', 'p99'),
    gatewayMicroseconds: of('cpuMicroseconds', 'contender'),
    postgresMicroseconds: of('cpuMicroseconds', 'postgres'),
    idleShare: of('idleShare'),
    fsyncsPerRequest: of('fsyncsPerRequest'),
  }
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? new Map(Object.entries(inner)).get(name) : undefined,
    value,
  )
}

function numberAt(value: unknown, ...path: readonly string[]): number {
  const found = at(value, ...path)
  if (typeof found !== 'number') throw new Error(`the measured figures have no ${path.join('.')}`)
  return found
}

function named(list: unknown, name: string): unknown {
  const found: unknown = Array.isArray(list) ? list.find((item) => at(item, 'name') === name) : undefined
  if (found === undefined) throw new Error(`the measured figures have no ${name}`)
  return found
}
