export { createBrowserOrigins, type KnowsBrowserOrigin } from './browser-origins.ts'
export { type CallbackSigner, createCallbackSigner } from './callback-signer.ts'
export { createMerchantDirectory, type MerchantDirectory, requireMerchantId } from './directory.ts'
export { MerchantProblem } from './errors.ts'
export type { Logo } from './logo.ts'
export {
  createLogoDirectory,
  createLogoService,
  type LogoDirectory,
  type LogoService,
  logoUrl,
} from './logo-service.ts'
export { KEYS_ACTIVE_MAX, MERCHANT_CODE_PATTERN, type Merchant, takeInPublicKey } from './model.ts'
export { createMerchantService, findMerchantCode, type MerchantService, secretIdOf } from './service.ts'
export { listMerchantCodes } from './store.ts'
