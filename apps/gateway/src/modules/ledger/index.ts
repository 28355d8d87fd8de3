export { findLastLedgerCheck, insertLedgerCheck } from './check-store.ts'
export { type Check, LEDGER_CHECKS } from './checks.ts'
export {
  type BalanceDelta,
  HOUSE_MERCHANT_ID,
  LEDGER_ACCOUNTS,
  type LedgerAccount,
  type LedgerEntry,
  type LedgerEvent,
  type Posting,
} from './model.ts'
export { readLedgerHistory } from './payment-history.ts'
export {
  type BalanceService,
  bookEntries,
  createBalanceReader,
  createBalanceService,
  lockReceivables,
} from './service.ts'
export { type Finding, runChecks, type Verification } from './verification.ts'
