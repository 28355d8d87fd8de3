import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import type { AuthTokenRequest } from '@tollgate/contract'
import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import type { Database } from '../../../platform/database.ts'
import { minifyJson } from '../../../platform/json/index.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import {
  type HeldChanges,
  type HeldClock,
  heldChanges,
  heldClock,
  openTestDatabase,
  type PemPair,
  rsaPair,
  type TestPostgres,
  testPostgres,
} from '../../../platform/test/index.ts'
import {
  createMerchantDirectory,
  createMerchantService,
  type Merchant,
  type MerchantDirectory,
  type MerchantService,
} from '../../merchants/index.ts'
import {
  createAuthenticator,
  createKeyring,
  createSignedRequests,
  createTokenService,
  type Keyring,
  type TokenService,
} from '../index.ts'

/** What one process of the gateway has of merchants and tokens. Its changes are announced by the test. */
export interface TokenProcess {
  readonly clock: HeldClock
  readonly changes: HeldChanges
  readonly directory: MerchantDirectory
  readonly keyring: Keyring
  readonly tokens: TokenService
  readonly authenticator: ReturnType<typeof createAuthenticator>
}

export interface TokenRig extends TokenProcess, TestPostgres {
  readonly secrets: Secrets
  readonly merchants: MerchantService
  readonly merchant: Merchant
  readonly pair: PemPair
  readonly secret: string
  /** One more process on the same database. */
  another(environment?: 'sandbox' | 'live'): Promise<TokenProcess>
}

const TOLERANCE_SECONDS = 300

async function startProcess(
  db: Database,
  secrets: Secrets,
  environment: 'sandbox' | 'live' = 'sandbox',
): Promise<TokenProcess> {
  // The database compares with its own clock, so the test begins at the same time.
  const clock = heldClock(Date.now())
  const changes = heldChanges()
  const directory = createMerchantDirectory({ db, changes })
  const shared = { db, clock, secrets, changes, ids: randomIds, merchants: directory, environment }
  const keyring = createKeyring(shared)
  const tokens = createTokenService({
    ...shared,
    keyring,
    timestampToleranceSeconds: TOLERANCE_SECONDS,
    signedRequests: createSignedRequests({ db, clock, timestampToleranceSeconds: TOLERANCE_SECONDS }),
  })
  const authenticator = createAuthenticator({
    ...shared,
    keyring,
    timestampToleranceSeconds: TOLERANCE_SECONDS,
    customersRateFactor: 10,
  })
  await keyring.start()
  await authenticator.start()
  return { clock, changes, directory, keyring, tokens, authenticator }
}

/** A merchant SHOP with a key and a secret, and a process that serves it. */
export async function tokenRig(t: TestLife): Promise<TokenRig> {
  const { url, db, outside } = await testPostgres(t)
  const secrets = createSecrets(Buffer.alloc(32, 1))
  const merchants = createMerchantService({ db, secrets, ids: randomIds })
  await merchants.create('SHOP', 'The shop')
  const pair = rsaPair()
  await merchants.addKey('SHOP', pair.publicKey)
  const { secret } = await merchants.addSecret('SHOP')
  const { merchant } = await merchants.show('SHOP')
  return {
    ...(await startProcess(db, secrets)),
    url,
    db,
    outside,
    secrets,
    merchants,
    merchant,
    pair,
    secret,
    another: (environment) => startProcess(openTestDatabase(t, url), secrets, environment),
  }
}

export const nowSeconds = (clock: HeldClock): number => Math.floor(clock.nowMs() / 1000)

/** The base64 signature over the minified text, as a merchant makes it. */
export function signText(text: string, privateKey: string): string {
  return sign('RSA-SHA256', minifyJson(Buffer.from(text)), privateKey).toString('base64')
}

/** A token by secret, for the operations. */
export async function tokenBySecret(rig: TokenRig, request: Partial<AuthTokenRequest> = {}): Promise<string> {
  const body = { merchantCode: 'SHOP', secret: rig.secret, operations: ['GET /balances'], ...request }
  const credential = await rig.tokens.prove(body, { signatureHeader: undefined, rawBody: Buffer.alloc(0) })
  return (await rig.tokens.issue(body, credential)).token
}

export const refusedWith =
  (code: string): ((error: unknown) => boolean) =>
  (error) =>
    error instanceof Refusal && error.code === code

/** The claims of a token, unverified. */
export function claimsOf(token: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  assert(typeof parsed === 'object' && parsed !== null)
  return { ...parsed }
}
