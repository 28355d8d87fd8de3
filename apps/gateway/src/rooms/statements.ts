import { createFailedDocuments } from '../modules/inbox/index.ts'
import { createMerchantCodes, type MerchantDirectory } from '../modules/merchants/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import { findOwnOpenFile } from '../modules/payout-files/index.ts'
import {
  createStatementActs,
  createStatementService,
  createStatementWorker,
  type StatementActs,
  type StatementService,
  type StatementWorker,
} from '../modules/statements/index.ts'
import { buildSecondPerson } from './confirmations.ts'
import type { Taken, Task } from './import-messages.ts'
import type { ImportProcesses } from './import-process.ts'
import type { Parts } from './parts.ts'

/** What banks say: for operators who ask, and for the folder that is watched. */
export interface Statements {
  readonly service: StatementService
  readonly acts: StatementActs
  readonly worker: StatementWorker
}

/** Puts together what is done with bank statements. */
export function buildStatements(
  parts: Parts,
  merchants: Pick<MerchantDirectory, 'find'>,
  processes?: ImportProcesses,
): Statements {
  const { config, log } = parts
  const batches = {
    batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
    batchesInFlightMax: config.TOLLGATE_BATCHES_IN_FLIGHT_MAX,
  }
  const secondPerson = buildSecondPerson(parts)
  const roomOn = (db: Parts['db']): { service: StatementService; acts: StatementActs } => {
    const needs = {
      ...parts,
      db,
      payments: createPaymentService({ ...parts, ...batches, db }),
      merchantIdOf: async (merchantCode: string) => (await merchants.find(merchantCode))?.merchantId,
      merchantCodeOf: createMerchantCodes(db),
    }
    const service = createStatementService(needs)
    const acts = createStatementActs({
      ...needs,
      statements: service,
      secondPerson,
      findOwnPayoutFile: findOwnOpenFile,
    })
    return { service, acts: processes === undefined ? acts : withProcesses(acts, processes) }
  }
  const { service: statements, acts } = roomOn(parts.workerDb)
  return {
    ...roomOn(parts.db),
    worker: createStatementWorker({
      statements,
      acts,
      log,
      directory: config.TOLLGATE_STATEMENTS_DIR,
      failed: createFailedDocuments({ ...parts, db: parts.workerDb }),
    }),
  }
}

/** The same acts, where large files are taken by processes of their own. */
function withProcesses(acts: StatementActs, processes: ImportProcesses): StatementActs {
  const take = async (task: Task): Promise<Taken> => {
    const outcome = await processes.run(task)
    if (outcome.kind !== 'TAKEN') throw new Error('a statement was handed in, and something else came of it')
    return outcome.taken
  }
  return {
    ...acts,
    handIn: (order) =>
      processes.isFor(order.bytes.length) ? take({ kind: 'HAND_IN', order }) : acts.handIn(order),
    handInFromFolder: (order) =>
      processes.isFor(order.bytes.length)
        ? take({ kind: 'HAND_IN_FROM_FOLDER', order: { ...order, actor: 'folder' } })
        : acts.handInFromFolder(order),
    takeFromChannel: async (order) => {
      if (!processes.isFor(order.bytes.length)) return acts.takeFromChannel(order)
      const taken = await take({ kind: 'TAKE_FROM_CHANNEL', order })
      if (taken.kind === 'WAITING') throw new Error('a file of a channel waits for nobody')
      return taken
    },
  }
}
