import type { ClockMove } from '../../platform/clock-move.ts'
import type { Statement, Tx } from '../../platform/database.ts'

const MOVE: Statement = {
  name: 'settlements_move_clock',
  // Due at once: the worker finds out what is due by the merchant's time. With another revision, since one that runs now would
  // write down when it looks again, and knows the former time.
  text: `update settlement_cycles set due_at = clock_timestamp(), revision = revision + 1 where merchant_id = $1`,
}

/** Has the merchant's cycles looked at now. */
export async function moveSettlements(tx: Tx, { merchantId }: ClockMove): Promise<void> {
  await tx.rows(MOVE, [merchantId])
}
