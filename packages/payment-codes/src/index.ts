export { type AccountScheme, problemOfAccount } from './account-problem.ts'
export { isBitcoinAddress } from './bitcoin-address.ts'
export { crc16, PaymentCodeInvalid } from './checks.ts'
export { countryOfBic, isBic, isCountryCode, isInEuroArea, isInSepa } from './countries.ts'
export { domesticCountryOf, domesticExample, domesticOf } from './domestic.ts'
export { epcCode } from './epc.ts'
export { isEvmAddress, toEvmAddress } from './ethereum-address.ts'
export { EVM_GAS_PATH, type EvmPath, evmPathOf } from './evm-path.ts'
export { compactIban, hasIbans, isIban, looksLikeIban } from './iban.ts'
export { problemOfIban } from './iban-problem.ts'
export { bitcoinLink, EVM_COIN, evmLink, upiLink } from './links.ts'
export {
  type MaskedPayee,
  maskAccountNumber,
  maskName,
  maskNamedAccount,
  maskPayee,
} from './mask.ts'
export {
  compactBankCode,
  isVpa,
  type NamedAccount,
  type PayeeIdentity,
  payeeIdentity,
  payeesOfLine,
  payeeText,
  samePayee,
} from './payee.ts'
export { pixCode } from './pix.ts'
export { readPixKey } from './pix-key.ts'
export {
  numberOfReference,
  type ReferenceForms,
  readCreditorReference,
  referenceFormsOf,
  referenceOfSymbols,
  toCreditorReference,
} from './references.ts'
export { spaydCode } from './spayd.ts'
export { swissQrCode } from './swiss-qr.ts'
