import { createAuditWorker } from '../modules/audit/index.ts'
import { onClockAdvance } from '../modules/clocks/index.ts'
import type { ConfirmationWorker } from '../modules/confirmations/index.ts'
import { type CustomerSweeper, createCustomerSweeper } from '../modules/customers/index.ts'
import { createJournalWorker } from '../modules/journal/index.ts'
import { createVolumeWorker } from '../modules/payments/index.ts'
import { createGapWatch } from '../modules/payouts/index.ts'
import {
  createRetentionWorker,
  RETENTION_SETTINGS,
  type RetentionWorker,
} from '../modules/retention/index.ts'
import { createConverter, createSettlementWorker } from '../modules/settlements/index.ts'

import type { BankChannels } from './bank-channels.ts'
import type { Callbacks } from './callbacks.ts'
import type { Chains } from './chains.ts'
import { advancesOf } from './clocks.ts'
import { PAYMENTS_OF_CUSTOMERS } from './erasure.ts'
import { decimalsBy, type Parts, retentionDays } from './parts.ts'
import { buildPayeeChecks } from './payee-checks.ts'
import type { Payments } from './payments.ts'
import type { PayoutFiles } from './payout-files.ts'
import { expiringIn } from './retention.ts'
import type { Statements } from './statements.ts'

/** The workers of a process: payments that fall due, callbacks, and the journal of the ledger. */
interface Workers {
  start(): void
  /** Takes no new work, finishes what is under way. */
  stop(): Promise<void>
}

/** Puts the workers together. */
export function buildWorkers(
  parts: Parts,
  payments: Pick<Payments, 'worker' | 'health' | 'catalogue' | 'rates' | 'notifications' | 'closeRails'> & {
    readonly callbacks: Callbacks
    readonly statements: Pick<Statements, 'worker'>
    readonly payoutFiles: Pick<PayoutFiles, 'worker' | 'scheduled'>
    readonly bankChannels: Pick<BankChannels, 'worker'>
    readonly chains: Pick<Chains, 'worker'>
    readonly confirmationWorker: ConfirmationWorker
  },
): Workers {
  const { worker: paymentWorker, catalogue, rates } = payments
  const journal = createJournalWorker({ ...parts, db: parts.workerDb })
  const settlements = createSettlementWorker({
    ...parts,
    db: parts.patientDb,
    convert: createConverter({ ...parts, rates, minorUnitsOf: decimalsBy(catalogue) }),
    advancedMs: advancesOf(parts, parts.patientDb),
  })
  const [customers, retention] = buildSweepers({ ...parts, db: parts.workerDb })
  const payeeChecks = buildPayeeChecks(parts)
  const workers = [
    paymentWorker,
    payments.notifications.worker,
    payments.statements.worker,
    ...(payments.payoutFiles.worker === undefined ? [] : [payments.payoutFiles.worker]),
    ...(payments.payoutFiles.scheduled === undefined ? [] : [payments.payoutFiles.scheduled]),
    ...(payments.bankChannels.worker === undefined ? [] : [payments.bankChannels.worker]),
    ...(payments.chains.worker === undefined ? [] : [payments.chains.worker]),
    ...(payeeChecks === undefined ? [] : [payeeChecks]),
    payments.confirmationWorker,
    payments.callbacks.worker,
    settlements,
    journal,
    createAuditWorker({ ...parts, db: parts.workerDb }),
    createVolumeWorker({ ...parts, db: parts.workerDb }),
    createGapWatch({ ...parts, db: parts.workerDb }),
    customers,
    retention,
  ]
  return {
    start() {
      payments.health.start()
      for (const worker of workers) worker.start()
      // The others look often enough, or are told of their work.
      if (!parts.config.isLive)
        void onClockAdvance(parts.workerDb, () => {
          settlements.wake()
          retention.wake()
        })
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
      // Only now: what is under way talks to institutions, and its results are noted.
      await Promise.all([payments.health.stop(), payments.callbacks.close(), payments.closeRails()])
    },
  }
}

/** What removes and erases. */
function buildSweepers(parts: Parts): readonly [CustomerSweeper, RetentionWorker] {
  return [
    createCustomerSweeper({ ...parts, ...PAYMENTS_OF_CUSTOMERS }),
    createRetentionWorker({
      ...parts,
      expiring: expiringIn(parts.config),
      days: retentionDays(parts.config),
      documentDays: parts.config.TOLLGATE_RETENTION_DOCUMENTS_DAYS,
      settings: RETENTION_SETTINGS,
    }),
  ]
}
