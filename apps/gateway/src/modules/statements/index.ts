export { createStatementActs, type StatementActs } from './acts.ts'
export { findCoverage } from './coverage.ts'
export { type CsvMapping, readCsvMapping } from './csv-mapping.ts'
export { FileProblem, StatementProblem } from './errors.ts'
export type { StatementFile } from './file-store.ts'
export type { Imported } from './import.ts'
export { createStatementWorker, type StatementWorker } from './jobs.ts'
export {
  isWaiting,
  LINE_DECISIONS,
  LINE_STATES,
  type LineDecision,
  type LineState,
  WAITING_STATES,
} from './model.ts'
export { FILE_BYTES_MAX } from './parsed.ts'
export { presentFile, presentLine, presentReport, presentTaken, referencesOf } from './present.ts'
export { createStatementService, type LineReport, type LineView, type StatementService } from './service.ts'
export { listUnknownDebits } from './unknown-debits.ts'
export { findWaitingMoney } from './waiting-money-store.ts'
