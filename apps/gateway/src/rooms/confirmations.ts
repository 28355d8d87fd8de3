import type { Config } from '../config.ts'
import {
  type ActKind,
  type ActView,
  type ConfirmationService,
  type ConfirmationWorker,
  createConfirmationService,
  createConfirmationWorker,
  createSecondPerson,
  policyOf,
  type SecondPerson,
  type SecondPersonSettings,
} from '../modules/confirmations/index.ts'
import { createMerchantCodes } from '../modules/merchants/index.ts'
import { listPowerless, type Permission } from '../modules/operators/index.ts'
import type { PayoutReportActs } from '../modules/payout-files/index.ts'
import type { StatementActs } from '../modules/statements/index.ts'
import type { Task } from './import-messages.ts'
import type { ImportProcesses } from './import-process.ts'
import type { Parts } from './parts.ts'

/** Which acts of operators need a second one, by the settings of this process. */
export function secondPersonSettings(config: Config): SecondPersonSettings {
  return {
    isOn: config.needsSecondPerson,
    fromAmounts: config.TOLLGATE_SECOND_PERSON_FROM,
    expiresAfterHours: config.TOLLGATE_SECOND_PERSON_HOURS,
    isFolderChannel: config.TOLLGATE_STATEMENTS_DIR_IS_CHANNEL === true,
  }
}

/** What rooms ask before they do what one operator may not do alone. */
export const buildSecondPerson = ({ secrets, config }: Pick<Parts, 'secrets' | 'config'>): SecondPerson =>
  createSecondPerson({ secrets, policy: policyOf(secondPersonSettings(config)) })

/** Confirmations for operators, and the worker that ends what has waited for too long. */
export interface Confirmations {
  readonly service: ConfirmationService
  readonly merchantCodeOf: (merchantId: string) => Promise<string>
}

interface Acts {
  readonly statementActs: StatementActs
  readonly reportActs: PayoutReportActs
}

/** What permits to propose an act. */
const PROPOSING: Readonly<Record<ActKind, Permission>> = {
  STATEMENT_FILE: 'statements.take',
  LINE_DECISION: 'statements.decide',
  PAYOUT_REPORT: 'payout-files.change',
}

/** Puts together what operators do about acts of others. */
export function buildConfirmations(
  parts: Pick<Parts, 'db' | 'clock' | 'secrets'>,
  { statementActs, reportActs }: Acts,
  processes?: ImportProcesses,
): Confirmations {
  const service = createConfirmationService({
    ...parts,
    listPowerless: (tx, kind, codes) => listPowerless(tx, PROPOSING[kind], codes),
    performers: {
      STATEMENT_FILE: statementActs.filePerformer,
      LINE_DECISION: statementActs.decisionPerformer,
      PAYOUT_REPORT: reportActs.performer,
    },
  })
  return {
    service: processes === undefined ? service : withProcesses(service, processes),
    merchantCodeOf: createMerchantCodes(parts.db),
  }
}

/** The same service, where processes of their own read large documents: what would follow is found by doing it. */
function withProcesses(service: ConfirmationService, processes: ImportProcesses): ConfirmationService {
  const view = async (task: Task): Promise<ActView> => {
    const outcome = await processes.run(task)
    if (outcome.kind !== 'VIEW')
      throw new Error('a confirmation was asked for, and something else came of it')
    return outcome.view
  }
  const isLarge = async (confirmationId: string): Promise<boolean> =>
    processes.isFor(await service.byteCountOf(confirmationId))
  return {
    ...service,
    show: async (confirmationId) =>
      (await isLarge(confirmationId))
        ? await view({ kind: 'SHOW', confirmationId })
        : await service.show(confirmationId),
    confirm: async (order) =>
      (await isLarge(order.confirmationId))
        ? await view({ kind: 'CONFIRM', order })
        : await service.confirm(order),
  }
}

const REPORTS_RESUMED_MAX = 20

/** The worker, on connections of its own. */
export const buildConfirmationWorker = (
  { workerDb, log }: Pick<Parts, 'workerDb' | 'log'>,
  { reports }: Pick<PayoutReportActs, 'reports'>,
): ConfirmationWorker =>
  createConfirmationWorker({ db: workerDb, log, resume: () => reports.resume(REPORTS_RESUMED_MAX) })
