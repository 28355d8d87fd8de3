import { CALLBACK_SETTINGS, type CallbackWorker, createCallbackWorker } from '../modules/callbacks/index.ts'
import { type CustomerSweeper, createCustomerSweeper } from '../modules/customers/index.ts'
import { createJournalWorker, type JournalWorker } from '../modules/journal/index.ts'
import { createConverter, createSettlementWorker } from '../modules/settlements/index.ts'
import { createOutboundClient } from '../platform/outbound/index.ts'
import { VERSION } from '../version.ts'

import type { Identity } from './identity.ts'
import { callbackPolicy, decimalsBy, PAYMENTS_OF_CUSTOMERS, type Parts } from './parts.ts'
import type { Payments } from './payments.ts'
/** The workers of a process: payments that fall due, callbacks, and the journal of the ledger. */
export interface Workers {
  start(): void
  /** Takes no new work, finishes what is under way. */
  stop(): Promise<void>
}

/** Puts the workers together. The outbound client lives as long as they do. */
export function buildWorkers(
  parts: Parts,
  identity: Identity,
  { worker: paymentWorker, catalogue, rates }: Pick<Payments, 'worker' | 'catalogue' | 'rates'>,
): Workers {
  const outbound = createOutboundClient({ policy: callbackPolicy(parts.config) })
  const callbacks: CallbackWorker = createCallbackWorker({
    ...parts,
    db: parts.workerDb,
    outbound,
    sign: (merchantId, message) => identity.signer.sign(merchantId, message),
    settings: {
      ...CALLBACK_SETTINGS,
      version: VERSION,
      intervalSeconds: parts.config.TOLLGATE_CALLBACK_INTERVAL_SECONDS,
      deadlineMs: parts.config.TOLLGATE_CALLBACK_TIMEOUT_SECONDS * 1000,
    },
  })
  const journal: JournalWorker = createJournalWorker({ ...parts, db: parts.workerDb })
  const sweeper: CustomerSweeper = createCustomerSweeper({
    ...PAYMENTS_OF_CUSTOMERS,
    db: parts.workerDb,
    log: parts.log,
  })
  const settlements = createSettlementWorker({
    ...parts,
    db: parts.patientDb,
    convert: createConverter({ ...parts, rates, minorUnitsOf: decimalsBy(catalogue) }),
  })
  return {
    start() {
      paymentWorker.start()
      callbacks.start()
      settlements.start()
      journal.start()
      sweeper.start()
    },
    async stop() {
      await Promise.all([
        paymentWorker.stop(),
        callbacks.stop(),
        journal.stop(),
        sweeper.stop(),
        settlements.stop(),
      ])
      await outbound.close()
    },
  }
}
