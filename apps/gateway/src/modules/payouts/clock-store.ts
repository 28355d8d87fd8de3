import type { ClockMove } from '../../platform/clock-move.ts'
import type { Statement, Tx } from '../../platform/database.ts'

const BEGIN_DAY: Statement = {
  name: 'payout_daily_sums_begin_day',
  text: `update payout_daily_sums set amount = 0 where merchant_id = $1 and day = (now() at time zone 'UTC')::date`,
}

/** Another day begins for the merchant: what its payouts of the day come to is counted anew. */
export async function movePayouts(tx: Tx, { merchantId, isNewDay }: ClockMove): Promise<void> {
  if (isNewDay) await tx.rows(BEGIN_DAY, [merchantId])
}
