import { EXPIRING_DELIVERIES } from '../modules/callbacks/index.ts'
import { EXPIRING_ACTS } from '../modules/confirmations/index.ts'
import { EXPIRING_FAILED } from '../modules/inbox/index.ts'
import { countPaymentsToErase, EXPIRING_INQUIRIES, lockPaymentsToErase } from '../modules/payments/index.ts'
import { EXPIRING_FILES, EXPIRING_REPORTS } from '../modules/payout-files/index.ts'
import type { ExpiringData } from '../modules/retention/index.ts'
import type { ExpiringRows } from '../platform/expiry.ts'
import { eraseEverywhere } from './erasure.ts'

const EXPIRING_PERSONAL_DATA: ExpiringRows = {
  remove: (db, look) =>
    db.transaction(async (tx) => {
      const { payments, ...looked } = await lockPaymentsToErase(tx, look)
      await eraseEverywhere(tx, payments)
      return { ...looked, removed: payments.length }
    }),
  findOver: countPaymentsToErase,
}

/** What the rooms keep for a time only. */
export const EXPIRING: ExpiringData = {
  rows: {
    DELIVERIES: EXPIRING_DELIVERIES,
    INQUIRIES: EXPIRING_INQUIRIES,
    PERSONAL_DATA: EXPIRING_PERSONAL_DATA,
  },
  // In this order: what a file loses, its reports lose after it, and then the acts about them.
  documents: [EXPIRING_FILES, EXPIRING_REPORTS, EXPIRING_ACTS, EXPIRING_FAILED],
}
