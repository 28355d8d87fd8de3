import { findMerchantCode } from '../modules/merchants/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import {
  createPayoutFileService,
  createPayoutReportService,
  type PayoutFileRouteDeps,
} from '../modules/payout-files/index.ts'
import { contentHashOf } from '../modules/payouts/index.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import type { Parts } from './parts.ts'

/** Puts together files of payouts and the banks' reports about them. */
export function buildPayoutFiles(
  parts: Pick<Parts, 'config' | 'db' | 'clock' | 'ids' | 'secrets' | 'log' | 'metrics'>,
): PayoutFileRouteDeps {
  const { config, db } = parts
  const payments = createPaymentService({
    ...parts,
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: 1,
  })
  const needs = {
    ...{ ...parts, payments, contentHashOf, rail: BANK_TRANSFER_CODE },
    folder: config.TOLLGATE_PAYOUT_FILES_DIR,
  }
  return {
    files: createPayoutFileService(needs),
    reports: createPayoutReportService(needs),
    merchantCodeOf: (merchantId) => findMerchantCode(db, merchantId),
  }
}
