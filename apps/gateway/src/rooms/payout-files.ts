import { findMerchantCode } from '../modules/merchants/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import {
  createPayoutFileService,
  createPayoutReportActs,
  createPayoutReportService,
  type PayoutFileRouteDeps,
} from '../modules/payout-files/index.ts'
import { contentHashOf } from '../modules/payouts/index.ts'
import { createMetrics } from '../platform/metrics.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import { buildSecondPerson } from './confirmations.ts'
import type { Parts } from './parts.ts'

/** Puts together files of payouts and the banks' reports about them. */
export function buildPayoutFiles(parts: Parts): PayoutFileRouteDeps {
  const { config, db } = parts
  // What is only rehearsed is not counted.
  const uncounted = createMetrics()
  const paymentsOn = (on: Parts['db'], metrics = uncounted) =>
    createPaymentService({
      ...{ ...parts, db: on, metrics },
      batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
      batchesInFlightMax: 1,
    })
  const needs = {
    ...{ ...parts, payments: paymentsOn(db, parts.metrics), contentHashOf },
    rail: BANK_TRANSFER_CODE,
    folder: config.TOLLGATE_PAYOUT_FILES_DIR,
    separatesPersons: config.needsSecondPerson,
  }
  const reports = createPayoutReportService(needs)
  const secondPerson = buildSecondPerson(parts)
  return {
    ...{ files: createPayoutFileService(needs), reports },
    acts: createPayoutReportActs({
      ...{ ...needs, reports, secondPerson },
      paymentsOn: (dry) => paymentsOn(dry),
    }),
    merchantCodeOf: (merchantId) => findMerchantCode(db, merchantId),
  }
}
