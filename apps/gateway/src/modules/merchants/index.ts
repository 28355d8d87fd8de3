export { createBrowserOrigins, type KnowsBrowserOrigin } from './browser-origins.ts'
export { type CallbackSigner, createCallbackSigner } from './callback-signer.ts'
export {
  listPlacedMerchants,
  numberMerchants,
  type PlacedMerchant,
  updateMerchantCell,
} from './cell-store.ts'
export { createMerchantCodes, type MerchantCodeOf } from './codes.ts'
export {
  createMerchantDirectory,
  type MerchantDirectory,
  requireMerchantId,
} from './directory.ts'
export { MerchantProblem } from './errors.ts'

export { createLogoDirectory, createLogoService, type LogoDirectory } from './logo-service.ts'
export { KEYS_ACTIVE_MAX, type Merchant } from './model.ts'
export { createMerchantService, type MerchantService, secretIdOf } from './service.ts'
export { listMerchantCodes } from './store.ts'
