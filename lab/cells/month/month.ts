import type { Random } from '../../rig/random.ts'
import { median } from '../../rig/statistics.ts'
import type { Figures, Outage } from '../figures.ts'
import type { Client } from '../model/clients.ts'
import { closedMs, type Failure } from '../model/door.ts'
import { countOutage } from './counting.ts'

interface MonthOptions {
  readonly figures: Figures
  readonly client: Client
  /** Payments a second of each cell at the busiest hour. */
  readonly cellsPerSecond: readonly number[]
  /** The cell of each merchant. */
  readonly merchantCells: Uint16Array
  readonly failoversPerCell: number
  readonly random: Random
}

export interface Month {
  readonly payments: number
  readonly failovers: number
  /** Shares of all payments. */
  readonly refusedFirst: number
  readonly notWithinMinute: number
  /** The share of payments that was accepted at the first attempt. */
  readonly medianMerchant: number
  readonly worstMerchant: number
  /** The most cells that were away at the same time. */
  readonly awayMax: number
}

const DAYS = 30
const DAY_SECONDS = 86_400
const MONTH_SECONDS = DAYS * DAY_SECONDS
const SECOND_MS = 1_000

/** Assumptions: at night a fifth of the busiest hour, in between a cosine, and the same hours in all cells. */
const MEAN_SHARE = 0.6
const SWING = 0.4
const BUSIEST_SECOND = 18 * 3_600

/** Assumption: how many failovers lose the leader and its standby. */
const BOTH_SHARE = 0.1

/** Of the payments a second of the busiest hour. */
function shareAt(second: number): number {
  return MEAN_SHARE + SWING * Math.cos((2 * Math.PI * (second - BUSIEST_SECOND)) / DAY_SECONDS)
}

/** A month of cells with failovers at random times. Outside of them nothing is simulated: nothing is refused there. */
export function simulateMonth(options: MonthOptions): Month {
  const { figures, client, cellsPerSecond, failoversPerCell, random } = options
  const away: [fromSecond: number, untilSecond: number][] = []
  const cells = cellsPerSecond.map((perSecond) => {
    const payments = perSecond * MEAN_SHARE * MONTH_SECONDS
    let refused = 0
    let late = 0
    for (const second of drawTimes(random, failoversPerCell)) {
      const failure = drawFailure(random, figures)
      const { refusedFirst, acceptedWithinMinute } = countOutage(failure, client)
      const now = perSecond * shareAt(second)
      refused += now * refusedFirst
      late += now * (refusedFirst - acceptedWithinMinute)
      away.push([second, second + closedMs(failure) / SECOND_MS])
    }
    return { payments, refused, late, accepted: 1 - refused / payments }
  })
  const sum = (of: (cell: (typeof cells)[number]) => number): number =>
    cells.reduce((total, cell) => total + of(cell), 0)
  const payments = sum((cell) => cell.payments)
  const seen = Array.from(options.merchantCells, (cell) => cells[cell]?.accepted ?? 1)
  return {
    payments,
    failovers: away.length,
    refusedFirst: sum(({ refused }) => refused) / payments,
    notWithinMinute: sum(({ late }) => late) / payments,
    medianMerchant: median(seen),
    worstMerchant: seen.reduce((least, share) => Math.min(least, share), 1),
    awayMax: mostAtOnce(away),
  }
}

/** So many in the mean, at any time of the month (Poisson). */
function drawTimes(random: Random, count: number): readonly number[] {
  const times: number[] = []
  const pause = (): number => (-Math.log(1 - random.share()) * MONTH_SECONDS) / count
  for (let second = pause(); second < MONTH_SECONDS; second += pause()) times.push(second)
  return times
}

/** Evenly around the measured median, up to the longest that was measured. */
function drawFailure(random: Random, { leaderKilled, leaderAndStandbyKilled }: Figures): Failure {
  const { medianMs, maxMs }: Outage = random.share() < BOTH_SHARE ? leaderAndStandbyKilled : leaderKilled
  return { what: 'DATABASE', ms: random.between(2 * medianMs - maxMs, maxMs) }
}

function mostAtOnce(spans: readonly (readonly [from: number, until: number])[]): number {
  const changes = spans.flatMap(([from, until]) => [
    { at: from, by: 1 },
    { at: until, by: -1 },
  ])
  let now = 0
  let most = 0
  for (const { by } of changes.toSorted((a, b) => a.at - b.at)) {
    now += by
    most = Math.max(most, now)
  }
  return most
}
