export { createStatementActs, type StatementActs } from './acts.ts'
export { findCoverage } from './coverage.ts'
export { readCsvMapping } from './csv-mapping.ts'
export { FileProblem, StatementProblem } from './errors.ts'
export type { StatementFile } from './file-store.ts'

export { createStatementWorker, type StatementWorker } from './jobs.ts'
export { LINE_DECISIONS, LINE_STATES, type LineDecision, WAITING_STATES } from './model.ts'

export { presentFile, presentLine, presentReport, presentTaken, referencesOf } from './present.ts'
export { createStatementService, type LineReport, type LineView, type StatementService } from './service.ts'
export { listUnknownDebits } from './unknown-debits.ts'
export { findWaitingMoney } from './waiting-money-store.ts'
