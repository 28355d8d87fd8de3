export { executionDay } from './bank-days.ts'
export type { BankAccountDraft } from './demands.ts'
export { BankAccountProblem } from './errors.ts'
export {
  type AccountName,
  type BankAccount,
  type HolderAddress,
  PAYOUT_FORMATS,
  type PayoutFormat,
} from './model.ts'
export { chooseNamed } from './naming.ts'
export { seedSandboxBankAccounts } from './seed.ts'
export {
  type BankAccountAdministration,
  type BankAccountDirectory,
  type BankAccounts,
  createBankAccountAdministration,
  createBankAccountDirectory,
  findBankAccount,
  type UseChange,
} from './service.ts'
export { listBankAccounts, listPayoutAccounts, type PayoutAccount } from './store.ts'
