export {
  type BalanceDelta,
  HOUSE_MERCHANT_ID,
  type LedgerAccount,
  type LedgerEntry,
  type LedgerEvent,
  type Posting,
} from './model.ts'
export { type BalanceService, bookEntries, createBalanceService, lockReceivables } from './service.ts'
export { type Finding, type Verification, verifyBooks } from './verification.ts'
