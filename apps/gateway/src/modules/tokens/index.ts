export {
  createTokenAdministration,
  type ReadToken,
  readToken,
  type SignatureVerdict,
  type TokenAdministration,
} from './administration.ts'
export { createAuthenticator } from './authenticator.ts'
export type { ProvenCredential } from './credentials.ts'
export { diagnose } from './diagnosis.ts'
export { createKeyring, type Keyring } from './keyring.ts'
export type { TokenClaims } from './model.ts'
export { compileOperations, operationsForAction } from './operations.ts'
export { createTokenService, type TokenService } from './service.ts'
export { createSignedRequests } from './signed-requests.ts'
export { insertRevocation } from './store.ts'
