import { expiringDeliveries } from '../modules/callbacks/index.ts'
import { EXPIRING_ACTS } from '../modules/confirmations/index.ts'
import { EXPIRING_FAILED } from '../modules/inbox/index.ts'
import { expiringInquiries, paymentsToErase } from '../modules/payments/index.ts'
import { EXPIRING_FILES, EXPIRING_REPORTS } from '../modules/payout-files/index.ts'
import type { ExpiringData } from '../modules/retention/index.ts'
import { AGEING_BY_CLOCKS, type Ageing, type ExpiringRows, REAL_AGEING } from '../platform/expiry.ts'
import { eraseEverywhere } from './erasure.ts'

function expiringPersonalData(ageing: Ageing): ExpiringRows {
  const toErase = paymentsToErase(ageing)
  return {
    remove: (db, look) =>
      db.transaction(async (tx) => {
        const { payments, ...looked } = await toErase.lock(tx, look)
        await eraseEverywhere(tx, payments)
        return { ...looked, removed: payments.length }
      }),
    findOver: toErase.count,
  }
}

const expiringBy = (ageing: Ageing): ExpiringData => ({
  rows: {
    DELIVERIES: expiringDeliveries(ageing),
    INQUIRIES: expiringInquiries(ageing),
    PERSONAL_DATA: expiringPersonalData(ageing),
  },
  // In this order: what a file loses, its reports lose after it, and then the acts about them.
  documents: [EXPIRING_FILES, EXPIRING_REPORTS, EXPIRING_ACTS, EXPIRING_FAILED],
})

/** What the rooms keep for a time only. */
export const EXPIRING = expiringBy(REAL_AGEING)
/** The same in a sandbox, where merchants' clocks can be advanced. */
const EXPIRING_BY_CLOCKS = expiringBy(AGEING_BY_CLOCKS)

/** The one or the other: live looks at no clock but the real one. */
export const expiringIn = ({ isLive }: { readonly isLive: boolean }): ExpiringData =>
  isLive ? EXPIRING : EXPIRING_BY_CLOCKS
