import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX } from '@tollgate/contract/words'
import type { Clock, Ids } from '@tollgate/runtime'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { Problem } from '../../platform/problem.ts'
import { SealBroken, type Secrets } from '../../platform/secrets.ts'
import {
  insertSigningKey,
  listSigningKeyHistory,
  listSigningKeys,
  type SigningKeyRow,
  updateActiveKeysToVerifyOnly,
  updateOldKeysToRetired,
} from './store.ts'

interface PublicJwk {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'EdDSA'
}

/** When a new key signs: once whoever keeps the published keys has it, or at once. */
type RotationBegin = 'WHEN_PUBLISHED' | 'NOW'

/** The keys that sign and verify our tokens, shared by all processes through the database. */
export interface Keyring {
  start(): Promise<void>
  /** The key to sign with now. */
  signingKey(): { readonly kid: string; readonly privateKey: KeyObject }
  /** The public key with the id; looks in the database once more before it says that there is none, after 250 ms at most. */
  verificationKey(kid: string): Promise<KeyObject | undefined>
  /** For /.well-known/jwks.json. */
  publicJwks(): readonly PublicJwk[]
  /**
   * Makes a new key and publishes it. It signs when everybody can know it, or now; until then the one before signs, whose
   * tokens stay valid until they expire. Throws a CONFLICT while a published key does not sign yet, unless the new one signs now.
   */
  rotate(begin: RotationBegin): Promise<NewKey>
}

interface NewKey {
  readonly kid: string
  readonly signsFrom: Date
}

interface KeyringDeps {
  readonly db: Database
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly changes: ConfigurationChanges
}

/** An unknown key id makes us look in the database, at most this often: forged tokens must not become queries. */
const UNKNOWN_KID_RELOAD_MS = 250
/** Beyond the longest validity: a request may be signed ahead of our clock, and a process may hear of a rotation late. */
const RETIREMENT_MARGIN_SECONDS = 86_400
/** For so long whoever verifies our tokens may go on with the published keys that it has. */
export const JWKS_MAX_AGE_SECONDS = 60
/** Beyond that a process may hear of a new key late, and a cache may answer late. */
const PUBLICATION_MARGIN_SECONDS = 120
const KID = /^tg_[0-9A-Z]{12}$/

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  /** By this process's monotonic clock, while the database says how long it is until then. */
  readonly signsFromMs: number
}

interface Keys {
  /** Those that sign, or will, the last to begin first. */
  readonly signing: readonly SigningKey[]
  readonly verification: ReadonlyMap<string, KeyObject>
  readonly jwks: readonly PublicJwk[]
}

export function createKeyring(deps: KeyringDeps): Keyring {
  let keys: Keys | undefined
  let loadedAtMs = Number.NEGATIVE_INFINITY
  let lookup: Promise<void> | undefined

  const reload = inTurn(async () => {
    keys = await load(deps)
    loadedAtMs = deps.clock.monotonicMs()
  })
  /** All unknown ids of a moment share one look at the database, and wait for it: one of them may be a key made just now. */
  const lookAgain = (): Promise<void> => {
    const pauseMs = Math.max(0, UNKNOWN_KID_RELOAD_MS - (deps.clock.monotonicMs() - loadedAtMs))
    lookup ??= sleep(pauseMs)
      .then(reload)
      .finally(() => {
        lookup = undefined
      })
    return lookup
  }
  const loadedKeys = (): Keys => {
    if (keys === undefined) throw new Error('the keyring has not been started')
    return keys
  }
  deps.changes.on('SIGNING_KEYS', reload)

  return {
    async start() {
      await updateOldKeysToRetired(deps.db, PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX + RETIREMENT_MARGIN_SECONDS)
      await insertNewKey(deps, deps.db, 0)
      await reload()
    },
    signingKey: () => keyAt(loadedKeys(), deps.clock.monotonicMs()),
    async verificationKey(kid) {
      const known = loadedKeys().verification.get(kid)
      if (known !== undefined || !KID.test(kid)) return known
      await lookAgain()
      return loadedKeys().verification.get(kid)
    },
    publicJwks: () => loadedKeys().jwks,
    async rotate(begin) {
      const waitSeconds = begin === 'NOW' ? 0 : JWKS_MAX_AGE_SECONDS + PUBLICATION_MARGIN_SECONDS
      const made = await deps.db.transaction(async (tx) => {
        await updateActiveKeysToVerifyOnly(tx, waitSeconds)
        return (await insertNewKey(deps, tx, waitSeconds)) ?? refuseRotation(tx, begin)
      })
      if (keys !== undefined) await reload()
      return made
    },
  }
}

/** The newest key whose time has come; the newest of all when it is none's. */
function keyAt({ signing }: Keys, nowMs: number): SigningKey {
  const key = signing.find(({ signsFromMs }) => signsFromMs <= nowMs) ?? signing[0]
  if (key === undefined) throw new Error('there is no active signing key')
  return key
}

/** One run after the other, and each reads anew: one that began before a change must not stand for the one after it. */
function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    const next = last.then(work)
    last = next.catch(() => undefined)
    return next
  }
}

/** Makes a key unless there is one that was not replaced; several processes may try at once. */
async function insertNewKey(
  deps: Pick<KeyringDeps, 'ids' | 'secrets'>,
  tx: Tx,
  waitSeconds: number,
): Promise<NewKey | undefined> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const kid = `tg_${deps.ids.readable(12)}`
  const key = {
    kid,
    sealed: deps.secrets.seal('signing-keys', kid, privateKey.export({ type: 'pkcs8', format: 'der' })),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  }
  const signsFrom = await insertSigningKey(tx, key, waitSeconds)
  return signsFrom && { kid, signsFrom }
}

class SigningKeyProblem extends Problem {
  override readonly name = 'SigningKeyProblem'
}

/** The newest key stays: it waits, or another rotation made it at this moment. One that is to sign at once waits for no other. */
async function refuseRotation(tx: Tx, begin: RotationBegin): Promise<never> {
  const [newest] = await listSigningKeyHistory(tx)
  if (begin === 'NOW' || newest?.status !== 'WAITING')
    throw new SigningKeyProblem('Another rotation was faster: see the list of signing keys.', 'CONFLICT')
  throw new SigningKeyProblem(
    `The key ${newest.kid} is published already and signs from ${newest.signsFrom.toISOString()}. If a key leaked, rotate with \`signsNow\` (\`--now\`).`,
    'CONFLICT',
  )
}

async function load(deps: KeyringDeps): Promise<Keys> {
  const rows = await listSigningKeys(deps.db)
  const readMs = deps.clock.monotonicMs()
  const signing = rows.filter((row) => row.status === 'ACTIVE' || row.status === 'WAITING')
  if (signing.length === 0) throw new Error('there is no active signing key')
  return {
    signing: signing.map((row) => ({
      kid: row.kid,
      privateKey: openPrivateKey(deps.secrets, row),
      signsFromMs: readMs + row.waitsMs,
    })),
    verification: new Map(rows.map((row) => [row.kid, createPublicKey(row.publicKeyPem)])),
    jwks: rows.map(toJwk),
  }
}

/** The first thing that is opened at a start: keys that are not this database's come to light here. */
function openPrivateKey(secrets: Secrets, row: SigningKeyRow): KeyObject {
  try {
    const der = secrets.open('signing-keys', row.kid, row.privateKeySealed)
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new SealBroken(
      'The key that signs tokens does not open: it was sealed under another root key, or changed in the database.',
      { cause: error },
    )
  }
}

function toJwk(row: SigningKeyRow): PublicJwk {
  const { kty, crv, x } = createPublicKey(row.publicKeyPem).export({ format: 'jwk' })
  if (kty === undefined || crv === undefined || x === undefined)
    throw new Error(`signing key ${row.kid} is not an OKP key`)
  return { kty, crv, x, kid: row.kid, use: 'sig', alg: 'EdDSA' }
}
