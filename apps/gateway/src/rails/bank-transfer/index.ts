export { objectionToBeneficiary } from './beneficiary.ts'
export { type AccountFor, BANK_TRANSFER_CODE, createBankTransferRail, type TransferAccount } from './rail.ts'
