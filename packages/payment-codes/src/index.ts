export { type AccountScheme, problemOfAccount } from './account-problem.ts'
export { isBitcoinAddress } from './bitcoin-address.ts'
export { crc16, PaymentCodeInvalid } from './checks.ts'
export { countryOfBic, isBic, isCountryCode, isInSepa } from './countries.ts'
export { readCreditorReference, toCreditorReference } from './creditor-reference.ts'
export { domesticCountryOf, domesticExample, domesticOf, ibanOfDomestic } from './domestic.ts'
export { type EpcTransfer, epcCode } from './epc.ts'
export { isEvmAddress } from './ethereum-address.ts'
export {
  compactIban,
  hasIbans,
  type IbanFault,
  ibanFault,
  isIban,
  looksLikeIban,
  mod97,
} from './iban.ts'
export { problemOfIban } from './iban-problem.ts'
export { type BitcoinPayment, bitcoinLink, type UpiPayment, upiLink } from './links.ts'
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
  type PayeeScheme,
  payeeIdentity,
  payeesOfLine,
  payeeText,
  samePayee,
} from './payee.ts'
export { type PixPayment, pixCode } from './pix.ts'
export { type PixKey, type PixKeyKind, readPixKey } from './pix-key.ts'
export { type ReferenceForms, referenceFormsOf, referenceOfSymbols } from './reference-forms.ts'
export { type SpaydPayment, spaydCode } from './spayd.ts'
export { type SwissAddress, type SwissBill, swissQrCode } from './swiss-qr.ts'
