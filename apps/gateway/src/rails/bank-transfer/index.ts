export { objectionToBeneficiary } from './beneficiary.ts'
export { BANK_TRANSFER_CODE, createBankTransferRail, type TransferAccount } from './rail.ts'
