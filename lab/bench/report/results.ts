import type { Machine } from '../../rig/machine.ts'
import { median, ratiosOf, type Spread, spreadOf } from '../../rig/statistics.ts'
import type { Measured } from '../contenders/contender.ts'
import type { Latencies } from '../load/histogram.ts'
import type { Round } from '../measure/round.ts'
import type { LifeProfile } from '../parts/life-profile.ts'

export const RATIO_NAMES = [
  'wholeLifeVsPgbench',
  'createVsPgbench',
  'createVsBareRoute',
  'createVsBatchOfOne',
  'hotPayoutVsPgbench',
  'createVsPeer',
] as const
type RatioName = (typeof RATIO_NAMES)[number]

interface RatioSource {
  readonly of: string
  readonly to: string
  readonly title: string
  /** For plots. */
  readonly short: string
}

/** Which contender is held against which, in payments a second. */
export const RATIO_SOURCES: Readonly<Record<RatioName, RatioSource>> = {
  wholeLifeVsPgbench: {
    of: 'wholeLife',
    to: 'pgbenchLife',
    title: 'whole life of a payin / PostgreSQL alone (pgbench, the same rows in three transactions)',
    short: 'whole life / PostgreSQL alone',
  },
  createVsPgbench: {
    of: 'createPayin',
    to: 'pgbenchPayin',
    title: 'create payin / PostgreSQL alone (pgbench, one transaction each)',
    short: 'create / PostgreSQL alone',
  },
  createVsBareRoute: {
    of: 'createPayin',
    to: 'bareRoute',
    title: 'create payin / HTTP alone (bare Fastify route)',
    short: 'create / bare Fastify route',
  },
  createVsBatchOfOne: {
    of: 'createPayin',
    to: 'createPayinBatchOfOne',
    title: 'create payin / the same with batches of one',
    short: 'create / batches of one',
  },
  hotPayoutVsPgbench: {
    of: 'createPayoutHot',
    to: 'pgbenchPayoutHot',
    title: 'create payout from one balance / PostgreSQL alone',
    short: 'payout, one balance / PostgreSQL alone',
  },
  createVsPeer: {
    of: 'createPayin',
    to: 'peer',
    title: 'create payin / stripe-stateful-mock (in memory)',
    short: 'create / stripe-stateful-mock',
  },
}

/** The figures of a run, as docs/performance.json holds them. */
export interface Results {
  readonly takenOn: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly database: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, number>>
  /** Medians of the rounds' ratios; null where one side is missing. */
  readonly ratios: Readonly<Record<RatioName, number | null>>
  readonly ratioSpreads: Readonly<Partial<Record<RatioName, Spread>>>
  /** Why a ratio is null. */
  readonly reasons: Readonly<Partial<Record<RatioName, string>>>
  readonly startSeconds: Spread | null
  readonly life: LifeProfile | null
  readonly contenders: readonly (Measured & { readonly summary: Round | null })[]
}

export interface Run {
  readonly takenOn: string
  readonly machine: Machine
  readonly versions: Readonly<Record<string, string>>
  readonly database: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, number>>
  readonly measured: readonly Measured[]
  readonly startSeconds: Spread | null
  readonly life: LifeProfile | null
}

/** Draws the medians and the ratios of a run. */
export function resultsOf({ measured, ...run }: Run): Results {
  const outcomes = RATIO_NAMES.map((name) => [name, ratioOf(measured, RATIO_SOURCES[name])] as const)
  const spreads = outcomes.flatMap(([name, outcome]) =>
    typeof outcome === 'string' ? [] : [[name, outcome] as const],
  )
  const reasons = outcomes.flatMap(([name, outcome]) =>
    typeof outcome === 'string' ? [[name, outcome] as const] : [],
  )
  const medianOf = (name: RatioName): number | null =>
    spreads.find(([each]) => each === name)?.[1].median ?? null
  return {
    ...run,
    ratios: {
      wholeLifeVsPgbench: medianOf('wholeLifeVsPgbench'),
      createVsPgbench: medianOf('createVsPgbench'),
      createVsBareRoute: medianOf('createVsBareRoute'),
      createVsBatchOfOne: medianOf('createVsBatchOfOne'),
      hotPayoutVsPgbench: medianOf('hotPayoutVsPgbench'),
      createVsPeer: medianOf('createVsPeer'),
    },
    ratioSpreads: Object.fromEntries(spreads),
    reasons: Object.fromEntries(reasons),
    contenders: measured.map((each) => ({ ...each, summary: summaryOf(each.rounds) })),
  }
}

/** The spread of the ratio, or why there is none. */
function ratioOf(measured: readonly Measured[], { of, to }: RatioSource): Spread | string {
  const speeds = [of, to].map((name) => {
    const found = measured.find((each) => each.name === name)
    if (found === undefined) return `${name} was not measured`
    if (found.rounds.length === 0) return `${found.title}: ${found.missing ?? 'not measured'}`
    return found.rounds.map(({ perSecond }) => perSecond)
  })
  const [numerators, denominators] = speeds
  if (!Array.isArray(numerators)) return numerators ?? ''
  if (!Array.isArray(denominators)) return denominators ?? ''
  return spreadOf(ratiosOf(numerators, denominators))
}

/** Median by median; null without rounds. */
export function summaryOf(rounds: readonly Round[]): Round | null {
  if (rounds.length === 0) return null
  const of = (pick: (round: Round) => number): number => median(rounds.map(pick))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    requests: of(({ requests }) => requests),
    latencyMs: latencySummary(rounds),
    cpuMicroseconds: {
      contender: of(({ cpuMicroseconds }) => cpuMicroseconds.contender),
      postgres: of(({ cpuMicroseconds }) => cpuMicroseconds.postgres),
      generator: of(({ cpuMicroseconds }) => cpuMicroseconds.generator),
    },
    residentMib: of(({ residentMib }) => residentMib),
    walBytesPerRequest: of(({ walBytesPerRequest }) => walBytesPerRequest),
    fullPageBytesPerRequest: of((round) => round.fullPageBytesPerRequest),
    fsyncsPerRequest: of(({ fsyncsPerRequest }) => fsyncsPerRequest),
    idleShare: of((round) => round.idleShare),
  }
}

function latencySummary(rounds: readonly Round[]): Latencies | null {
  const found = rounds.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))
  if (found.length === 0) return null
  const of = (pick: (latencies: Latencies) => number): number => median(found.map(pick))
  return { p50: of((l) => l.p50), p99: of((l) => l.p99), p999: of((l) => l.p999), max: of((l) => l.max) }
}
