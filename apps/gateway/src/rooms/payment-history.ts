import { readCallbackHistory } from '../modules/callbacks/index.ts'
import { readLedgerHistory } from '../modules/ledger/index.ts'
import { readPaymentHistory } from '../modules/payments/index.ts'
import { readFileHistory } from '../modules/payout-files/index.ts'
import { readApprovalHistory } from '../modules/payouts/index.ts'
import { readRefundHistory } from '../modules/refunds/index.ts'
import { readStatementHistory } from '../modules/statements/index.ts'
import type { ReadHistory } from '../platform/history.ts'

/** In the order of what happens at the same moment: a status, and then what follows from it. */
const ROOMS: readonly ReadHistory[] = [
  readPaymentHistory,
  readApprovalHistory,
  readFileHistory,
  readStatementHistory,
  readRefundHistory,
  readLedgerHistory,
  readCallbackHistory,
]

/** Everything that happened to a payment, of every room, the earliest first. */
export const readHistory: ReadHistory = async (tx, key) => {
  const events = await Promise.all(ROOMS.map((read) => read(tx, key)))
  return events.flat().sort((a, b) => a.happenedAt.getTime() - b.happenedAt.getTime())
}
