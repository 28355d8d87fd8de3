export type { BalanceDelta, LedgerAccount, LedgerEntry, LedgerEvent, Posting } from './model.ts'
export { balanceRoutes } from './routes.ts'
export { type BalanceService, bookEntries, createBalanceService } from './service.ts'
export { type Finding, type Verification, verifyBooks } from './verification.ts'
