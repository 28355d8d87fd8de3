import { listCallbackLeases, moveCallbacks } from '../modules/callbacks/index.ts'
import { type ClockService, createClockService, findClock } from '../modules/clocks/index.ts'
import { hasRealPayments, listPaymentLeases, movePayments } from '../modules/payments/index.ts'
import { movePayouts } from '../modules/payouts/index.ts'
import { moveSettlements } from '../modules/settlements/index.ts'
import type { Database } from '../platform/database.ts'
import type { Parts } from './parts.ts'

/** What each room makes due earlier, in the order in which everyone else locks these rows. */
const MOVES = [movePayments, moveCallbacks, movePayouts, moveSettlements]

/** What workers are doing of what moves. Settlements that run see for themselves that the time has changed. */
const LEASES = [listPaymentLeases, listCallbackLeases]

/** Merchants' clocks, which the sandbox can advance. */
export function buildClocks({ db, clock }: Pick<Parts, 'db' | 'clock'>): ClockService {
  return createClockService({ db, clock, moves: MOVES, leases: LEASES, hasRealPayments })
}

/** By how many milliseconds a merchant's clock is ahead. Undefined in live, where no clock is ahead and nobody asks. */
export function advancesOf(
  { config }: Pick<Parts, 'config'>,
  db: Database,
): ((merchantId: string) => Promise<number>) | undefined {
  return config.isLive
    ? undefined
    : async (merchantId) => (await findClock(db, merchantId)).seconds * MS_PER_SECOND
}

const MS_PER_SECOND = 1000
