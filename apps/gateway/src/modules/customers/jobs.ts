import type { Log } from '@tollgate/runtime'
import type { Database } from '../../platform/database.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import type { PaymentHooks } from './service.ts'
import { claimSweeps, type Sweep, updateSweepDone } from './sweep-store.ts'

interface CustomerSweeperDeps extends Omit<PaymentHooks, 'countTraces'> {
  readonly db: Database
  readonly log: Log
  /** From one look at the queue to the next; 30 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/**
 * Erases once more what belongs to erased customers: a create that had read the customer just before the erasure stores
 * its payment just after. Any number of sweepers may run.
 */
export interface CustomerSweeper {
  start(): void
  /** Resolves when the sweep under way is done. */
  stop(): Promise<void>
  /** Sweeps everything that is due; the number of customers. */
  sweep(): Promise<number>
}

const POLL_MS = 30_000
const CLAIMED_MAX = 100
const INTERVAL_SECONDS = 30
/** Far longer than any request lives. A payment that was accepted late is waited for until it has ended. */
const LAST_AFTER_SECONDS = 3_600

export function createCustomerSweeper(deps: CustomerSweeperDeps): CustomerSweeper {
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: async (signal) => {
      await sweepDue(deps, signal)
      return false
    },
    onFault: (error) =>
      deps.log.warn({ err: error }, 'erased customers could not be looked at; they stay due'),
  })
  return {
    start: () => periodic.start(),
    stop: () => periodic.stop(),
    sweep: () => sweepDue(deps, periodic.signal),
  }
}

/** Each claim moves its customers on by the interval, so that the loop ends. */
async function sweepDue(deps: CustomerSweeperDeps, signal: AbortSignal): Promise<number> {
  let swept = 0
  while (!signal.aborted) {
    const claimed = await claimSweeps(deps.db, {
      limit: CLAIMED_MAX,
      intervalSeconds: INTERVAL_SECONDS,
      lastAfterSeconds: LAST_AFTER_SECONDS,
    })
    for (const each of claimed) await sweepOne(deps, each)
    swept += claimed.length
    if (claimed.length < CLAIMED_MAX) break
  }
  return swept
}

/** Never rejects: one customer that fails holds up no other, and is due again after the interval. */
async function sweepOne(deps: CustomerSweeperDeps, customer: Sweep): Promise<void> {
  try {
    await deps.db.transaction(async (tx) => {
      const hasOpen = await deps.hasOpenPayments(tx, customer)
      await deps.erasePayments(tx, customer)
      if (customer.isLast && !hasOpen) await updateSweepDone(tx, customer)
    })
  } catch (error) {
    deps.log.error({ err: error }, 'the data of an erased customer could not be erased; it is tried again')
  }
}
