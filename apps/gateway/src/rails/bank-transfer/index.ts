export type { AccountFor, TransferAccount } from './account.ts'
export { BANK_TRANSFER_CODE, createBankTransferRail } from './rail.ts'
