import { CHAIN_CHECKS } from '../modules/chains/index.ts'
import { LEDGER_CHECKS, runChecks, type Verification } from '../modules/ledger/index.ts'
import { BOOKING_CHECKS, ERASURE_CHECKS, PAYMENT_CHECKS } from '../modules/payments/index.ts'
import { REFUND_CHECKS } from '../modules/refunds/index.ts'
import { SETTLEMENT_CHECKS } from '../modules/settlements/index.ts'
import { SUSPENSE_CHECKS } from '../modules/statements/index.ts'
import type { Database } from '../platform/database.ts'

const CHECKS = [
  ...LEDGER_CHECKS,
  ...BOOKING_CHECKS,
  ...PAYMENT_CHECKS,
  ...ERASURE_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...SUSPENSE_CHECKS,
  ...REFUND_CHECKS,
  ...CHAIN_CHECKS,
]

/** Runs the checks of every room: recomputes every balance from the postings, and looks for books that do not agree. */
export function verifyBooks(db: Pick<Database, 'transaction'>): Promise<Verification> {
  return runChecks(db, CHECKS)
}
