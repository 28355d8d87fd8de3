export { MerchantProblem } from './errors.ts'
export { type Merchant, takeInPublicKey } from './model.ts'
export {
  type CallbackSigner,
  createCallbackSigner,
  createMerchantDirectory,
  createMerchantService,
  type MerchantDirectory,
  type MerchantService,
  secretMatches,
} from './service.ts'
