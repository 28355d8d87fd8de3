export { type BankDays, executionDay, IN_UTC, isBankDay, localMoment, readBankDays } from './bank-days.ts'
export type { BankAccountDraft } from './demands.ts'
export { BankAccountProblem } from './errors.ts'
export type { BankAccount, PayoutFormat } from './model.ts'
export { chooseNamed } from './naming.ts'
export { seedSandboxBankAccounts } from './seed.ts'
export {
  type BankAccountDirectory,
  createBankAccountAdministration,
  createBankAccountDirectory,
  ensureBankAccount,
  findBankAccount,
} from './service.ts'
export { listBankAccounts, listPayoutAccounts, lockBankAccounts } from './store.ts'
