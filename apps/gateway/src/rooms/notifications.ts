import { findMerchantCode } from '../modules/merchants/index.ts'
import {
  createNotificationIntake,
  createNotificationService,
  createNotificationWorker,
  type NotificationIntake,
  type NotificationService,
  type NotificationWorker,
} from '../modules/notifications/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import type { Rail } from '../rails/rail.ts'
import type { Parts } from './parts.ts'

/** What institutions tell us on their own: taking it in, applying it, looking at it. */
export interface Notifications {
  readonly intake: NotificationIntake
  readonly worker: NotificationWorker
  readonly service: NotificationService
}

/** Puts together what hears of institutions. */
export function buildNotifications(parts: Parts, rails: ReadonlyMap<string, Rail>): Notifications {
  const { config, workerDb } = parts
  const payments = createPaymentService({
    ...parts,
    db: workerDb,
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  })
  const merchantCodeOf = (merchantId: string): Promise<string> => findMerchantCode(workerDb, merchantId)
  const worker = createNotificationWorker({ ...parts, db: workerDb, rails, payments, merchantCodeOf })
  return {
    worker,
    intake: createNotificationIntake({ ...parts, rails, wakeWorker: () => worker.wake() }),
    service: createNotificationService(parts),
  }
}
