export type { AccountFor, TransferAccount } from './account.ts'
export { objectionToBeneficiary } from './beneficiary.ts'
export { BANK_TRANSFER_CODE, createBankTransferRail } from './rail.ts'
