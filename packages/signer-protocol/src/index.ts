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
export {
  MOVES_MAX,
  readSignedSweep,
  readSweepPlan,
  SIGNED_SWEEP_MAX,
  type SignedSweep,
  SignedTransaction,
  type SweepMove,
  type SweepPlan,
} from './sweep.ts'
export { readTransferCall, transferCall, transferTransaction } from './transfer-call.ts'
