export { MerchantProblem } from './errors.ts'
export { MERCHANT_CODE_PATTERN, type Merchant, takeInPublicKey } from './model.ts'
export { merchantRoutes } from './routes.ts'
export {
  type CallbackSigner,
  createCallbackSigner,
  createMerchantDirectory,
  createMerchantService,
  findMerchantCode,
  type MerchantDirectory,
  type MerchantService,
  secretMatches,
} from './service.ts'
