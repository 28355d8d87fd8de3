import {
  type CallbackSigner,
  createBrowserOrigins,
  createCallbackSigner,
  createLogoDirectory,
  createMerchantDirectory,
  type KnowsBrowserOrigin,
  type LogoDirectory,
  type MerchantDirectory,
} from '../modules/merchants/index.ts'
import {
  createAuthenticator,
  createKeyring,
  createSignedRequests,
  createTokenService,
  type Keyring,
  type TokenService,
} from '../modules/tokens/index.ts'
import { type ConfigurationChanges, watchConfiguration } from '../platform/configuration-changes.ts'

import type { Parts } from './parts.ts'
/** Who may do what: merchants, their keys and tokens. */
export interface Identity {
  readonly changes: ConfigurationChanges
  readonly merchants: MerchantDirectory
  readonly logos: LogoDirectory
  readonly keyring: Keyring
  readonly signer: CallbackSigner
  readonly knowsBrowserOrigin: KnowsBrowserOrigin
  readonly tokens: TokenService
  readonly authenticator: ReturnType<typeof createAuthenticator>
}

/** Puts together who may do what. */
export function buildIdentity(parts: Parts): Identity {
  const { config, db, clock, ids, log, secrets } = parts
  const shared = {
    environment: config.TOLLGATE_ENVIRONMENT,
    timestampToleranceSeconds: config.TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS,
  }
  const changes = watchConfiguration({ db, clock, log })
  const merchants = createMerchantDirectory({ db, changes })
  const keyring = createKeyring({ db, clock, ids, secrets, changes })
  return {
    changes,
    merchants,
    logos: createLogoDirectory({ db, changes }),
    keyring,
    signer: createCallbackSigner({ db, secrets, changes }),
    knowsBrowserOrigin: createBrowserOrigins({ db, changes }),
    tokens: createTokenService({
      merchants,
      keyring,
      secrets,
      clock,
      ids,
      ...shared,
      signedRequests: createSignedRequests({ db, clock, ...shared }),
    }),
    authenticator: createAuthenticator({
      db,
      clock,
      changes,
      merchants,
      keyring,
      ...shared,
      customersRateFactor: config.TOLLGATE_CUSTOMERS_RATE_FACTOR,
    }),
  }
}
