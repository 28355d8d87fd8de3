import { findMerchantCode, type MerchantDirectory } from '../modules/merchants/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import {
  createStatementService,
  createStatementWorker,
  type StatementService,
  type StatementWorker,
} from '../modules/statements/index.ts'
import type { Parts } from './parts.ts'

/** What banks say: for operators who ask, and for the folder that is watched. */
export interface Statements {
  readonly service: StatementService
  readonly worker: StatementWorker
}

/** Puts together what is done with bank statements. */
export function buildStatements(parts: Parts, merchants: Pick<MerchantDirectory, 'find'>): Statements {
  const { config, log } = parts
  const batches = {
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  }
  const serviceOn = (db: Parts['db']): StatementService =>
    createStatementService({
      ...{ ...parts, db },
      payments: createPaymentService({ ...parts, ...batches, db }),
      merchantIdOf: async (merchantCode) => (await merchants.find(merchantCode))?.merchantId,
      merchantCodeOf: (merchantId) => findMerchantCode(db, merchantId),
    })
  const statements = serviceOn(parts.workerDb)
  return {
    service: serviceOn(parts.db),
    worker: createStatementWorker({ statements, log, directory: config.TOLLGATE_STATEMENTS_DIR }),
  }
}
