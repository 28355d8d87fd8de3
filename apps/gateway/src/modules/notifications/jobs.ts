import type { Ids, Log } from '@tollgate/runtime'
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  isConnectionLoss,
  isLockTimeout,
  isRetryable,
} from '../../platform/database.ts'
import { createLeasedWork } from '../../platform/leased-work.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createPeriodic } from '../../platform/periodic.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { Rail } from '../../rails/rail.ts'
import type { PaymentService } from '../payments/index.ts'
import { type ApplyDeps, applyNotification } from './applying.ts'
import { deleteOldForgeries } from './forgery-store.ts'
import {
  type ClaimedNotification,
  claimNotifications,
  deleteOldNotifications,
  updateNotificationDue,
} from './store.ts'

interface NotificationWorkerDeps extends ApplyDeps {
  readonly db: Database
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'railNotifications'>
  readonly secrets: Secrets
  readonly rails: ReadonlyMap<string, Rail>
  readonly payments: PaymentService
}

/** Applies messages of institutions to their payments, from durable rows. Any number of workers may run. */
export interface NotificationWorker {
  start(): void
  /** Looks at once. */
  wake(): void
  /** Takes no new work, and resolves when the work under way is done. */
  stop(): Promise<void>
}

const UNDER_WAY_MAX = 50
const LEASE_SECONDS = 30
const POLL_MS = 250
const FAULT_RETRY_SECONDS = 5
const SWEEP_EVERY_MS = 3_600_000
/** How long messages are kept that are done with, and so their ids are known. */
const KEPT_DAYS = 90
const SWEPT_ROWS_MAX = 10_000

export function createNotificationWorker(deps: NotificationWorkerDeps): NotificationWorker {
  const { db, log } = deps
  const applying = createLeasedWork<ClaimedNotification>({
    pollMs: POLL_MS,
    underWayMax: UNDER_WAY_MAX,
    refillAt: UNDER_WAY_MAX / 2,
    async claim(limit) {
      const lease = { limit, leaseToken: deps.ids.uuid(), leaseSeconds: LEASE_SECONDS }
      const rows = await claimNotifications(db, lease)
      return { rows, hasMore: rows.length === limit }
    },
    run: (claimed) => finish(deps, claimed),
    onFault: (error) =>
      log.warn({ err: error }, 'messages of institutions could not be claimed; they stay due'),
  })
  const sweeping = createPeriodic({
    pauseMs: SWEEP_EVERY_MS,
    work: () => sweep(db),
    onFault: (error) => log.warn({ err: error }, 'old messages of institutions could not be removed'),
  })
  return {
    start() {
      applying.start()
      sweeping.start()
    },
    wake: applying.wake,
    async stop() {
      await Promise.all([applying.stop(), sweeping.stop()])
    },
  }
}

/** Never rejects: a message that fails is tried again. */
async function finish(deps: NotificationWorkerDeps, claimed: ClaimedNotification): Promise<void> {
  try {
    await applyNotification(deps, claimed)
  } catch (error) {
    deps.log.error({ rail: claimed.railCode, err: error }, 'a message of an institution could not be applied')
    // Whoever waits for a lock, or for a database that is away, gives no message up.
    const putOff = { afterSeconds: FAULT_RETRY_SECONDS, counts: !isOfDatabase(error) }
    await updateNotificationDue(deps.db, claimed, putOff).catch(() => undefined)
  }
}

const isOfDatabase = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable ||
  error instanceof CommitUnknown ||
  isConnectionLoss(error) ||
  isLockTimeout(error) ||
  isRetryable(error)

/** What is left above the limit waits for the next round. */
async function sweep(db: Database): Promise<boolean> {
  await deleteOldNotifications(db, KEPT_DAYS, SWEPT_ROWS_MAX)
  await deleteOldForgeries(db, KEPT_DAYS)
  return false
}
