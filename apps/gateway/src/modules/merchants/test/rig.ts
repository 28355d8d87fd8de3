import { generateKeyPairSync } from 'node:crypto'
import type { TestLife } from '@tollgate/testkit'
import type pg from 'pg'
import type {
  ConfigurationChanges,
  ConfigurationHandler,
  ConfigurationScope,
} from '../../../platform/configuration-changes.ts'
import type { Database } from '../../../platform/database.ts'
import { randomIds } from '../../../platform/ids.ts'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import { testPostgres } from '../../../platform/test/postgres.ts'
import { createMerchantService, type MerchantService } from '../index.ts'

/** Changes that the test announces by itself. */
export interface HeldChanges extends Pick<ConfigurationChanges, 'on'> {
  announce(scope: ConfigurationScope, merchantId?: string): Promise<void>
}

export function heldChanges(): HeldChanges {
  const handlers: { readonly scope: ConfigurationScope; readonly handler: ConfigurationHandler }[] = []
  return {
    on: (scope, handler) => void handlers.push({ scope, handler }),
    async announce(scope, merchantId) {
      for (const known of handlers) if (known.scope === scope) await known.handler(merchantId)
    },
  }
}

export interface MerchantRig {
  readonly url: string
  readonly db: Database
  readonly outside: pg.Client
  readonly secrets: Secrets
  readonly merchants: MerchantService
}

export async function merchantRig(t: TestLife): Promise<MerchantRig> {
  const { url, db, outside } = await testPostgres(t)
  const secrets = createSecrets(Buffer.alloc(32, 1))
  return { url, db, outside, secrets, merchants: createMerchantService({ db, secrets, ids: randomIds }) }
}

export interface PemPair {
  readonly publicKey: string
  readonly privateKey: string
}

export function rsaPair(modulusLength = 2048, publicExponent = 65_537): PemPair {
  return generateKeyPairSync('rsa', {
    modulusLength,
    publicExponent,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}
