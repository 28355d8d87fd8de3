import { createRandom } from '../rig/random.ts'
import type { Figures, Outage } from './figures.ts'
import { type Client, HASTY, PATIENT, SDK } from './model/clients.ts'
import { costsOf } from './model/costs.ts'
import { closedMs, type Failure } from './model/door.ts'
import { merchantShares, type Placement, placeMerchants } from './month/merchants.ts'
import { type Month, simulateMonth } from './month/month.ts'
import { type OutageResult, simulateOutage } from './outage.ts'

/** Of a cell at the busiest hour, as docs/scale.md plans it. */
export const PLANNED_PER_SECOND = 800
export const CELLS = 100
/** Assumptions: how many merchants there are, and how unequal. With this exponent the largest one just fills one of 100 cells. */
export const MERCHANTS = 100_000
const EXPONENT = 0.7
const EXPONENTS = [EXPONENT, 1] as const
const NUMBERS_OF_CELLS = [10, CELLS, 1_000] as const
/** Assumptions: failovers of a cell in a month, and in a bad one. */
const FAILOVERS = 1
const FAILOVERS_MANY = 30
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** Who waits at the end of an hour came in its last minute, as at the end of two: no more is simulated event by event. */
const LONG_MS = 120_000

export interface OutageRow {
  readonly name: string
  readonly client: Client
  readonly result: OutageResult
  /** False where nobody is accepted in the two minutes after the failure. */
  readonly hasLatency: boolean
}

/** A cell fails at the busiest hour, in each way that was measured. Beside the calm one and the longest failover there is another cell. */
export function outageRows(figures: Figures, seed: number): readonly OutageRow[] {
  const costs = costsOf(figures)
  const common = { costs, perSecond: PLANNED_PER_SECOND, client: PATIENT, seed }
  const row = (name: string, failure: Failure, client: Client, cells = 1): OutageRow => ({
    name: `${name}, ${(failure.ms / SECOND_MS).toFixed(1)} s`,
    client,
    result: simulateOutage({ ...common, client, failure, cells }),
    hasLatency: true,
  })
  const database = (ms: number): Failure => ({ what: 'DATABASE', ms })
  const { leaderKilled, leaderAndStandbyKilled: both } = figures
  const leader = database(leaderKilled.medianMs)
  const api: Failure = { what: 'API', ms: figures.apiKilled.medianMs }
  return [
    { name: 'nothing', client: PATIENT, result: simulateOutage({ ...common, cells: 2 }), hasLatency: true },
    row('leader killed', leader, SDK),
    row('leader killed', leader, PATIENT),
    row('leader killed', leader, HASTY),
    row('leader killed', database(leaderKilled.maxMs), PATIENT),
    row('leader and standby killed', database(both.medianMs), PATIENT),
    row('leader and standby killed', database(both.maxMs), PATIENT, 2),
    row('API restarted', api, SDK),
    row('API restarted', api, PATIENT),
    lostForAnHour(simulateOutage({ ...common, failure: database(LONG_MS) })),
  ]
}

function lostForAnHour(result: OutageResult): OutageRow {
  const leftOut = ((HOUR_MS - LONG_MS) / SECOND_MS) * PLANNED_PER_SECOND
  return {
    name: 'lost for an hour',
    client: PATIENT,
    result: { ...result, refusedFirst: result.refusedFirst + leftOut },
    hasLatency: false,
  }
}

export interface PlacementRow {
  readonly cells: number
  readonly exponent: number
  readonly largestMerchant: number
  /** Payments a second of the fullest cell at the busiest hour. */
  readonly fullest: Readonly<Record<Placement, number>>
}

export function placementRows(seed: number): readonly PlacementRow[] {
  return EXPONENTS.flatMap((exponent) => {
    const shares = merchantShares(MERCHANTS, exponent)
    return NUMBERS_OF_CELLS.map((cells) => {
      const perSecond = cells * PLANNED_PER_SECOND
      const fullest = (placement: Placement): number =>
        perSecond *
        Math.max(...placeMerchants(shares, cells, { placement, random: createRandom(seed) }).loads)
      return {
        cells,
        exponent,
        largestMerchant: perSecond * (shares[0] ?? 0),
        fullest: { HASH: fullest('HASH'), LARGEST_FIRST: fullest('LARGEST_FIRST') },
      }
    })
  })
}

export interface MonthRow {
  readonly cells: number
  readonly failoversPerCell: number
  readonly patient: Month
  readonly sdk: Month
}

export function monthRows(figures: Figures, seed: number): readonly MonthRow[] {
  const shares = merchantShares(MERCHANTS, EXPONENT)
  const row = (cells: number, failoversPerCell: number): MonthRow => {
    const placed = placeMerchants(shares, cells, { placement: 'LARGEST_FIRST', random: createRandom(seed) })
    const simulate = (client: Client): Month =>
      simulateMonth({
        figures,
        client,
        cellsPerSecond: Array.from(placed.loads, (load) => load * cells * PLANNED_PER_SECOND),
        merchantCells: placed.cells,
        failoversPerCell,
        random: createRandom(seed),
      })
    return { cells, failoversPerCell, patient: simulate(PATIENT), sdk: simulate(SDK) }
  }
  return [...NUMBERS_OF_CELLS.map((cells) => row(cells, FAILOVERS)), row(CELLS, FAILOVERS_MANY)]
}

interface Wave {
  readonly refusedFirst: number
  /** Of all payments of the busiest hour. */
  readonly share: number
}

/** A deploy that restarts the API of every cell once, one cell after the other, within the busiest hour. */
export function deployWave({ medianMs }: Outage): Wave {
  const seconds = closedMs({ what: 'API', ms: medianMs }) / SECOND_MS
  return {
    refusedFirst: seconds * PLANNED_PER_SECOND * CELLS,
    share: seconds / (HOUR_MS / SECOND_MS),
  }
}
