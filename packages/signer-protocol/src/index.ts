export {
  REFUSALS,
  readSignAnswer,
  readSignerStatus,
  readSignRequest,
  SIGN_PATH,
  SIGNED_MAX,
  SIGNER_KEY_ID,
  type SignAnswer,
  type SignRefusal,
  type SignRequest,
  STATUS_PATH,
  type TransferContent,
} from './schemas.ts'
export { isSealOf, sealOf } from './seal.ts'
export { readTransferCall, transferCall } from './transfer-call.ts'
