import { figure, type Row } from '../rig/table.ts'
import { type Comparison, deviationOf } from './calibration.ts'
import { DRAIN_SECONDS_MAX } from './outage.ts'
import type { MonthRow, OutageRow, PlacementRow } from './scenarios.ts'

const MILLION = 1_000_000

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const percent = (share: number, digits: number): string => `${(share * 100).toFixed(digits)} %`

export const CALIBRATION_HEAD: Row = ['one cell', 'simulated', 'measured', 'deviation', 'at most']

export function calibrationTable(comparisons: readonly Comparison[]): readonly Row[] {
  return comparisons.map((comparison) => {
    const { name, simulated, measured, tolerance } = comparison
    const deviation = deviationOf(comparison)
    return [
      name,
      figure(simulated),
      figure(measured),
      `${deviation > 0 ? '+' : ''}${percent(deviation, 1)}`,
      tolerance === undefined ? 'not reproduced' : percent(tolerance, 0),
    ]
  })
}

export const OUTAGE_HEAD: Row = [
  'what happens',
  'merchants repeat',
  'refused at first',
  'accepted within 60 s',
  'p50 ms',
  'p99 ms',
  'requests/s, at most',
  'drained after s',
]

export function outageTable(rows: readonly OutageRow[]): readonly Row[] {
  return rows.map(({ name, client, result, hasLatency }) => {
    const { refusedFirst, acceptedWithinMinute, drainSeconds } = result
    const latency = (ms: number): string => (hasLatency ? figure(ms) : '–')
    return [
      name,
      refusedFirst === 0 ? '–' : client.name,
      whole(refusedFirst),
      refusedFirst === 0 ? '–' : percent(acceptedWithinMinute / refusedFirst, 1),
      latency(result.p50Ms),
      latency(result.p99Ms),
      whole(result.requestsPerSecondMax),
      drainSeconds === undefined ? `more than ${DRAIN_SECONDS_MAX}` : String(drainSeconds),
    ]
  })
}

export const PLACEMENT_HEAD: Row = [
  'cells',
  'exponent',
  'largest merchant/s',
  'fullest cell/s: by hash',
  'largest first',
]

export function placementTable(rows: readonly PlacementRow[]): readonly Row[] {
  return rows.map(({ cells, exponent, largestMerchant, fullest }) => [
    whole(cells),
    exponent.toFixed(1),
    whole(largestMerchant),
    whole(fullest.HASH),
    whole(fullest.LARGEST_FIRST),
  ])
}

export const MONTH_HEAD: Row = [
  'cells',
  'failovers a cell',
  'payments, million',
  'refused at first',
  'not within 60 s: 10 repeats',
  '2 repeats',
  'accepted at first: median merchant',
  'worst merchant',
  'cells away at once',
]

export function monthTable(rows: readonly MonthRow[]): readonly Row[] {
  return rows.map(({ cells, failoversPerCell, patient, sdk }) => [
    whole(cells),
    String(failoversPerCell),
    whole(patient.payments / MILLION),
    percent(patient.refusedFirst, 4),
    percent(patient.notWithinMinute, 4),
    percent(sdk.notWithinMinute, 4),
    percent(patient.medianMerchant, 4),
    percent(patient.worstMerchant, 4),
    String(patient.awayMax),
  ])
}

/** What the cell beside those that fail sees; undefined when an outage has moved it. */
export function neighbourLatency(rows: readonly OutageRow[]): string | undefined {
  const seen = rows.flatMap(({ result }) =>
    result.others.map(({ p50Ms, p99Ms }) => `p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`),
  )
  return seen.every((each) => each === seen[0]) ? seen[0] : undefined
}
