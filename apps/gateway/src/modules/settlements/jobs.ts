import type { Log } from '@tollgate/runtime'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import { claimCycles, findCycle, readMerchantNow, updateDueAt } from './cycle-store.ts'
import type { CycleKey } from './model.ts'
import { type RunDeps, type RunOutcome, runPeriod } from './run.ts'
import { overdue } from './schedule.ts'

interface SettlementWorkerDeps extends RunDeps {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'settlementRuns'>
  /** From one look at what is due to the next; 30 s unless a test is in a hurry. */
  readonly pollMs?: number
}

/** Settles the periods that are due. Any number of workers may run: each cycle is one worker's at a time. */
export interface SettlementWorker {
  start(): void
  /** Looks at once what is due. */
  wake(): void
  /** Begins no other period, and resolves when the one under way is done. */
  stop(): Promise<void>
  /** Runs everything that is due; the number of periods. */
  runDue(): Promise<number>
}

const POLL_MS = 30_000
const CLAIMED_MAX = 10
/** After it, a cycle whose worker died, or whose period waits for a rate, is looked at again. */
const LEASE_SECONDS = 600
/** Of one cycle in one go; the others of a long time of absence follow in the next. */
const PERIODS_MAX = 100

export function createSettlementWorker(deps: SettlementWorkerDeps): SettlementWorker {
  const periodic = createPeriodic({
    pauseMs: deps.pollMs ?? POLL_MS,
    work: async (signal) => {
      await runAllDue(deps, signal)
      return false
    },
    onFault: (error) => deps.log.warn({ err: error }, 'due settlements could not be claimed; they stay due'),
  })
  return {
    start: () => periodic.start(),
    wake: () => periodic.wake(),
    stop: () => periodic.stop(),
    runDue: () => runAllDue(deps, periodic.signal),
  }
}

/** Each claim moves its cycles on, so that the loop ends. */
async function runAllDue(deps: SettlementWorkerDeps, signal: AbortSignal): Promise<number> {
  let periods = 0
  while (!signal.aborted) {
    const claimed = await claimCycles(deps.db, { limit: CLAIMED_MAX, leaseSeconds: LEASE_SECONDS })
    for (const key of claimed) periods += await runCycle(deps, key, signal)
    if (claimed.length === 0) break
  }
  return periods
}

/** Never rejects: one cycle that fails holds up no other, and comes again when its lease is over. */
async function runCycle(deps: SettlementWorkerDeps, key: CycleKey, signal: AbortSignal): Promise<number> {
  let periods = 0
  try {
    const cycle = await findCycle(deps.db, key)
    if (cycle === undefined) return 0
    const { nowMs, aheadMs } = await readMerchantNow(deps, key.merchantId)
    const afterMs = (cycle.runUntil ?? cycle.since).getTime()
    const { endsMs, nextDueMs } = overdue(cycle.rule, { afterMs, nowMs, endsMax: PERIODS_MAX })
    for (const endMs of endsMs) {
      if (signal.aborted) return periods
      const outcome = await runPeriod(deps, key, new Date(endMs))
      report(deps, key, outcome)
      if (outcome.kind === 'WAITS') return periods
      periods += 1
    }
    await updateDueAt(deps.db, cycle, new Date(nextDueMs - aheadMs))
  } catch (error) {
    deps.metrics.settlementRuns.inc({ result: 'FAILED' })
    deps.log.error({ err: error, ...key }, 'a settlement failed; it is tried again')
  }
  return periods
}

function report({ log, metrics }: SettlementWorkerDeps, key: CycleKey, outcome: RunOutcome): void {
  metrics.settlementRuns.inc({ result: outcome.kind })
  if (outcome.kind === 'SETTLED')
    log.info({ ...key, idSettlement: outcome.settlement.idSettlement }, 'a period was settled')
  if (outcome.kind === 'WAITS')
    log.warn({ ...key, problem: outcome.problem }, 'a settlement waits; it is tried again')
}
