export { PayoutFileProblem } from './errors.ts'
export type { FilePayment, LeftOut, PayoutFile } from './model.ts'
export type { PayoutFileRouteDeps } from './operator-routes.ts'
export {
  formatName,
  presentDetail,
  presentFile,
  presentReport,
  presentReportView,
  presentRun,
} from './present.ts'
export { createPayoutReportActs, type PayoutReportActs } from './report-acts.ts'
export type { StoredEntry, StoredReport } from './report-store.ts'
export { createPayoutReportService, type PayoutReportService, type ReportView } from './reports.ts'
export { createPayoutFileService, type PayoutFileService, type PayoutRun } from './service.ts'
export { findFileOfPayment, findOwnOpenFile } from './store.ts'
export { findVerifications } from './verification-store.ts'
