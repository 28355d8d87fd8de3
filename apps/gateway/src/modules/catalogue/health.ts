import type { Availability, Operator } from './model.ts'
import type { HealthRow } from './rows.ts'

/** What is known of institutions, by type, code and direction. */
export type Health = ReadonlyMap<string, HealthRow>

/** Both directions. */
export const WELL: Operator['availability'] = { payin: 'OPERATIONAL', payout: 'OPERATIONAL' }

/** From the worst to the best. */
const FROM_WORST: readonly Availability[] = ['CLOSED', 'DELAYED', 'OPERATIONAL']

type Named = Pick<HealthRow, 'type' | 'code'>

export function healthOf(rows: readonly HealthRow[]): Health {
  return new Map(rows.map((row) => [keyOf(row, row.direction), row]))
}

const keyOf = ({ type, code }: Named, direction: HealthRow['direction']): string =>
  `${type} ${code} ${direction}`

/** What the catalogue says is the best that it can be; what people say goes before everything. */
export function availabilityOf(
  health: Health,
  named: Named,
  { payin, payout }: Operator['availability'],
): Operator['availability'] {
  return {
    payin: merged(payin, health.get(keyOf(named, 'PAYIN'))),
    payout: merged(payout, health.get(keyOf(named, 'PAYOUT'))),
  }
}

function merged(configured: Availability, row: HealthRow | undefined): Availability {
  if (row === undefined) return configured
  if (row.isByHand) return row.availability
  return FROM_WORST.find((each) => each === configured || each === row.availability) ?? configured
}
