import assert from 'node:assert/strict'
import { type KeyObject, sign } from 'node:crypto'
import type { TestLife } from '@tollgate/testkit'
import { type JWTHeaderParameters, SignJWT } from 'jose'
import type { ConfigurationChanges } from '../../../platform/configuration-changes.ts'
import type { Database } from '../../../platform/database.ts'
import { randomIds } from '../../../platform/ids.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { type HeldClock, heldClock } from '../../../platform/test/held-clock.ts'
import { openTestDatabase } from '../../../platform/test/postgres.ts'
import { createMerchantDirectory, type MerchantDirectory } from '../../merchants/index.ts'
import { type HeldChanges, heldChanges, type MerchantRig, merchantRig } from '../../merchants/test/rig.ts'
import { createAuthenticator } from '../authenticator.ts'
import { createKeyring, type Keyring } from '../keyring.ts'
import { createTokenService, type TokenService } from '../service.ts'

export const TOLERANCE_SECONDS = 300

/** Changes that the test announces, and an age that the test sets. */
export interface HeldConfiguration extends HeldChanges, ConfigurationChanges {
  setStaleMs(ms: number): void
}

export function heldConfiguration(): HeldConfiguration {
  let ageMs = 0
  return {
    ...heldChanges(),
    staleMs: () => ageMs,
    setStaleMs(ms) {
      ageMs = ms
    },
    start: async () => {},
    stop: () => {},
  }
}

export interface TokenRig extends MerchantRig {
  /** Begins at the true time, which the database's clock shares. */
  readonly clock: HeldClock
}

export async function tokenRig(t: TestLife): Promise<TokenRig> {
  const wholeSecondMs = Math.floor(Date.now() / 1000) * 1000
  return { ...(await merchantRig(t)), clock: heldClock(wholeSecondMs) }
}

/** What one process of the gateway has of this room. */
export interface TokenProcess {
  readonly db: Database
  readonly changes: HeldConfiguration
  readonly merchants: MerchantDirectory
  readonly keyring: Keyring
  readonly tokens: TokenService
  readonly authenticator: ReturnType<typeof createAuthenticator>
}

/** A process with connections and memory of its own; `keyringOf` may put something around its keyring. */
export async function startProcess(
  t: TestLife,
  rig: TokenRig,
  keyringOf: (keyring: Keyring) => Keyring = (keyring) => keyring,
): Promise<TokenProcess> {
  const db = openTestDatabase(t, rig.url, 2)
  const changes = heldConfiguration()
  const merchants = createMerchantDirectory({ db, changes })
  const common = { db, changes, merchants, clock: rig.clock, ids: randomIds, secrets: rig.secrets }
  const keyring = keyringOf(createKeyring(common))
  const options = {
    ...common,
    keyring,
    environment: 'sandbox',
    timestampToleranceSeconds: TOLERANCE_SECONDS,
  } as const
  const authenticator = createAuthenticator(options)
  await keyring.start()
  await authenticator.start()
  return { db, changes, merchants, keyring, tokens: createTokenService(options), authenticator }
}

export const nowSeconds = ({ clock }: TokenRig): number => Math.floor(clock.nowMs() / 1000)

/** The claims of a token that is good at the moment. */
export function goodClaims(rig: TokenRig, merchantCode = 'SHOP') {
  const iat = nowSeconds(rig)
  return {
    operations: ['GET /payins/.*'],
    sub: merchantCode,
    iat,
    exp: iat + 600,
    jti: randomIds.bytes(24).toString('base64url'),
    iss: 'tollgate',
    aud: 'tollgate-sandbox',
  }
}

/** A token signed by the key of the ring, whatever it claims. */
export function mint(
  keyring: Keyring,
  claims: Record<string, unknown>,
  header: Partial<JWTHeaderParameters> = {},
): Promise<string> {
  const { kid, privateKey } = keyring.signingKey()
  return mintBy(privateKey, claims, { kid, ...header })
}

export function mintBy(
  key: KeyObject | Uint8Array,
  claims: Record<string, unknown>,
  header: Partial<JWTHeaderParameters>,
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', typ: 'JWT', ...header }).sign(key)
}

/** X-SIGNATURE of a merchant over exactly these bytes. */
export function signatureOf(privateKeyPem: string, content: Uint8Array | string): string {
  return sign('RSA-SHA256', Buffer.from(content), privateKeyPem).toString('base64')
}

/** For assert.rejects: the refusal with the code. */
export function refusal(code: string): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof Refusal, String(error))
    assert.equal(error.code, code)
    return true
  }
}

/** A part of a JWT as it stands there: 0 is the header, 1 the claims. */
export function partOf(token: string, index: 0 | 1): unknown {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
}
