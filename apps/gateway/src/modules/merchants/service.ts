import { timingSafeEqual } from 'node:crypto'
import { MERCHANT_PAGE } from '@tollgate/contract'
import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { MerchantProblem } from './errors.ts'
import {
  type Credential,
  KEYS_ACTIVE_MAX,
  type Maker,
  MERCHANT_CODE_PATTERN,
  type Merchant,
  SECRETS_ACTIVE_MAX,
  takeInPublicKey,
} from './model.ts'
import * as store from './store.ts'

interface MerchantDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

interface AddedKey {
  readonly keyId: string
  readonly fingerprint: string
  readonly bits: number
}

interface AddedSecret {
  readonly secretId: string
  readonly secret: string
}

/** What an ADMIN says of a key. */
interface KeyWord {
  readonly by: string
  readonly fingerprint: string
}

/** What operators do with merchants. Every method throws MerchantProblem with one clear sentence. */
export interface MerchantService {
  /** With `isNarrow`, segments and addresses have to be granted, and tokens for the page must carry the money. */
  create(
    merchantCode: string,
    channelName: string,
    options?: { readonly isNarrow: boolean },
  ): Promise<Merchant>
  show(
    merchantCode: string,
  ): Promise<{ readonly merchant: Merchant; readonly credentials: readonly Credential[] }>
  /** By their codes, beginning after one; all that are listed at once unless a limit is given. */
  list(wish?: Partial<store.MerchantWish>): Promise<readonly Merchant[]>
  change(merchantCode: string, change: store.MerchantChange): Promise<Merchant>
  /** Without a maker, as by the command line, the key is whole. */
  addKey(merchantCode: string, pem: string, maker?: Maker): Promise<AddedKey>
  /** Another ADMIN vouches that the key is the merchant's: the fingerprint comes from the merchant. */
  confirmKey(merchantCode: string, keyId: string, word: KeyWord): Promise<void>
  removeKey(merchantCode: string, keyId: string): Promise<void>
  /** The secret is shown this once; only its keyed hash is stored. */
  addSecret(merchantCode: string, maker?: Maker): Promise<AddedSecret>
  removeSecret(merchantCode: string, secretId: string): Promise<void>
  /** Revokes every token the merchant holds now. */
  revokeTokens(merchantCode: string): Promise<void>
  /** Signs callbacks by a new key; the one before goes on signing beside it until the next rotation. */
  rotateCallbackKey(merchantCode: string): Promise<Merchant>
  /** Signs callbacks by a new shared secret as well; the one before, if any, goes on until the next rotation. */
  rotateCallbackSecret(merchantCode: string): Promise<Merchant>
  /** No shared secret signs any more; a later one is another one. */
  removeCallbackSecrets(merchantCode: string): Promise<void>
}

export function createMerchantService(deps: MerchantDeps): MerchantService {
  const { db } = deps
  return {
    create: (merchantCode, channelName, { isNarrow } = { isNarrow: false }) =>
      createMerchant(deps, { merchantCode, channelName, isNarrow }),
    async show(merchantCode) {
      const merchant = await existing(db, merchantCode)
      return { merchant, credentials: await store.listCredentials(db, merchant.merchantId) }
    },
    list: (wish) => store.listMerchants(db, { limit: MERCHANT_PAGE, ...wish }),
    async change(merchantCode, change) {
      const { merchantId } = await existing(db, merchantCode)
      requireValid(change)
      await requireSegments(db, change.segments ?? [])
      await store.updateMerchant(db, merchantId, change)
      return existing(db, merchantCode)
    },
    addKey: (merchantCode, pem, maker) => addKey(deps, merchantCode, { pem, maker }),
    confirmKey: (merchantCode, keyId, word) => confirmKey(deps, merchantCode, { keyId, ...word }),
    async removeKey(merchantCode, keyId) {
      const { merchantId } = await existing(db, merchantCode)
      if (!(await store.updateKeyRemoved(db, merchantId, keyId))) noKey(merchantCode, keyId)
    },
    addSecret: (merchantCode, maker) => addSecret(deps, merchantCode, maker),
    async removeSecret(merchantCode, secretId) {
      const { merchantId } = await existing(db, merchantCode)
      if (!(await store.updateSecretRemoved(db, merchantId, secretId))) {
        throw new MerchantProblem(
          `${merchantCode} has no active secret ${secretId}. \`tollgate merchants show ${merchantCode}\` lists them.`,
          'NOT_FOUND',
        )
      }
    },
    async revokeTokens(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateTokensNotBefore(db, merchantId)
    },
    async rotateCallbackKey(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateCallbackKeyGeneration(db, merchantId)
      return existing(db, merchantCode)
    },
    async rotateCallbackSecret(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      await store.updateCallbackSecretGeneration(db, merchantId)
      return existing(db, merchantCode)
    },
    async removeCallbackSecrets(merchantCode) {
      const { merchantId } = await existing(db, merchantCode)
      if (!(await store.updateCallbackSecretsRemoved(db, merchantId)))
        throw new MerchantProblem(`${merchantCode} has no callback secret.`, 'NOT_FOUND')
    },
  }
}

const SECRET_BYTES = 32
const CHANNEL_NAME_CHARACTERS_MAX = 140
const RATE_PER_SECOND_MAX = 100_000

async function existing(tx: Tx, merchantCode: string): Promise<Merchant> {
  const merchant = await store.findMerchantByCode(tx, merchantCode)
  if (merchant === undefined)
    throw new MerchantProblem(
      `There is no merchant ${merchantCode}. \`tollgate merchants list\` shows them.`,
      'NOT_FOUND',
    )
  return merchant
}

async function createMerchant(deps: MerchantDeps, wanted: store.NewMerchant): Promise<Merchant> {
  const { merchantCode, channelName } = wanted
  if (!MERCHANT_CODE_PATTERN.test(merchantCode)) {
    throw new MerchantProblem('A merchant code has 1 to 64 letters, digits, hyphens or underscores.').about(
      'merchantCode',
    )
  }
  // In commands and fees it stands for everybody.
  if (merchantCode.toLowerCase() === 'house')
    throw new MerchantProblem('No merchant has the code house: it stands for everybody.').about(
      'merchantCode',
    )
  requireValid({ channelName })
  const merchantId = await store.insertMerchant(deps.db, wanted)
  if (merchantId === undefined)
    throw new MerchantProblem(`The merchant code ${merchantCode} is taken.`, 'CONFLICT')
  return existing(deps.db, merchantCode)
}

async function requireSegments(db: Database, segments: readonly string[]): Promise<void> {
  const [unknown] = await store.listUnknownSegments(db, segments)
  if (unknown !== undefined)
    throw new MerchantProblem(`There is no segment ${unknown}. GET /segments lists them.`, 'NOT_FOUND').about(
      'segments',
    )
}

const ORIGIN_LISTS = ['allowedOrigins', 'browserOrigins', 'callbackOrigins', 'returnOrigins'] as const

/** What the columns take, said in a sentence before the database refuses it without one. */
function requireValid(change: store.MerchantChange): void {
  const { channelName, rateLimitPerSecond } = change
  if (
    channelName !== undefined &&
    (channelName.trim() === '' || channelName.length > CHANNEL_NAME_CHARACTERS_MAX)
  )
    throw new MerchantProblem(`A name has 1 to ${CHANNEL_NAME_CHARACTERS_MAX} characters.`).about('name')
  if (rateLimitPerSecond !== undefined && !isRate(rateLimitPerSecond))
    throw new MerchantProblem(
      `A rate limit is a whole number from 1 to ${RATE_PER_SECOND_MAX} requests per second.`,
    ).about('rateLimitPerSecond')
  for (const name of ORIGIN_LISTS) {
    const wrong = (change[name] ?? []).find((origin) => !isOrigin(origin))
    if (wrong !== undefined)
      throw new MerchantProblem(
        `${JSON.stringify(wrong)} is not an origin, such as https://shop.example.`,
      ).about(name)
  }
  requireValidLook(change)
}

const COLOR_PATTERN = /^#[0-9a-fA-F]{6}$/
const EMAIL_PATTERN = /^[^\s?@<>]+@[^\s?@<>]+$/
const SUPPORT_CHARACTERS_MAX = 250

function requireValidLook({ primaryColor, supportUrl, supportEmail }: store.MerchantChange): void {
  if (typeof primaryColor === 'string' && !COLOR_PATTERN.test(primaryColor))
    throw new MerchantProblem('A colour is # and six hex digits, such as #0b57d0.').about('primaryColor')
  if (typeof supportUrl === 'string' && !isHelpAddress(supportUrl))
    throw new MerchantProblem(
      `The address for help must begin with https:// or http://, and has at most ${SUPPORT_CHARACTERS_MAX} characters.`,
    ).about('supportUrl')
  if (typeof supportEmail === 'string' && !isEmailAddress(supportEmail))
    throw new MerchantProblem(
      `${JSON.stringify(supportEmail)} is not an e-mail address, such as help@shop.example.`,
    ).about('supportEmail')
}

const isHelpAddress = (text: string): boolean =>
  text.length <= SUPPORT_CHARACTERS_MAX && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
const isEmailAddress = (text: string): boolean =>
  text.length <= SUPPORT_CHARACTERS_MAX && EMAIL_PATTERN.test(text)

const isRate = (rate: number): boolean =>
  Number.isSafeInteger(rate) && rate >= 1 && rate <= RATE_PER_SECOND_MAX
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text

function noKey(merchantCode: string, keyId: string): never {
  throw new MerchantProblem(
    `${merchantCode} has no active key ${keyId}. \`tollgate merchants show ${merchantCode}\` lists them.`,
    'NOT_FOUND',
  )
}

async function addKey(
  deps: MerchantDeps,
  merchantCode: string,
  { pem, maker }: { readonly pem: string; readonly maker: Maker | undefined },
): Promise<AddedKey> {
  const intake = takeInPublicKey(pem)
  if (!intake.ok) throw new MerchantProblem(intake.problem).about('publicKey')
  const { fingerprint, bits } = intake
  const keyId = `key_${deps.ids.readable(10)}`
  await changeCredentials(deps.db, merchantCode, async (tx, merchant) => {
    if (merchant.keys.length >= KEYS_ACTIVE_MAX) {
      throw new MerchantProblem(
        `${merchantCode} has ${KEYS_ACTIVE_MAX} active keys; remove one first.`,
        'CONFLICT',
      )
    }
    const key = { keyId, pem: intake.pem, fingerprint, bits, maker }
    if (await store.insertKey(tx, merchant.merchantId, key)) return
    throw new MerchantProblem(
      'This key is registered already. Every merchant needs a key pair of its own.',
      'CONFLICT',
    )
  })
  return { keyId, fingerprint, bits }
}

async function confirmKey(
  { db }: MerchantDeps,
  merchantCode: string,
  { keyId, by, fingerprint }: KeyWord & { readonly keyId: string },
): Promise<void> {
  const { merchantId } = await existing(db, merchantCode)
  const credentials = await store.listCredentials(db, merchantId)
  const key = credentials.find(({ type, id }) => type === 'KEY' && id === keyId) ?? noKey(merchantCode, keyId)
  if (key.fingerprint !== fingerprint)
    throw new MerchantProblem(
      `This is not the fingerprint of ${keyId}. Ask the merchant for the SHA-256 of their public key; if it is another one, this key is somebody else’s: remove it.`,
      'CONFLICT',
    )
  if (await store.updateKeyConfirmed(db, merchantId, { keyId, by })) return
  throw new MerchantProblem(`${keyId} needs no confirmation from you: ${whyNot(key, by)}.`, 'CONFLICT')
}

function whyNot({ isHalf, confirmedBy, madeBy }: Credential, by: string): string {
  if (isHalf && madeBy === by) return 'you added it, so another ADMIN confirms it'
  return confirmedBy === undefined ? 'it is whole already' : `${confirmedBy} has confirmed it`
}

async function addSecret(
  deps: MerchantDeps,
  merchantCode: string,
  maker: Maker | undefined,
): Promise<AddedSecret> {
  const secret = `sec_${deps.ids.bytes(SECRET_BYTES).toString('base64url')}`
  const secretId = `sec_${deps.ids.readable(10)}`
  await changeCredentials(deps.db, merchantCode, async (tx, merchant) => {
    if (merchant.secretHashes.length >= SECRETS_ACTIVE_MAX) {
      throw new MerchantProblem(
        `${merchantCode} has ${SECRETS_ACTIVE_MAX} active secrets; remove one first.`,
        'CONFLICT',
      )
    }
    await store.insertSecret(tx, merchant.merchantId, {
      secretId,
      hash: hashSecret(deps.secrets, secret),
      maker,
    })
  })
  return { secretId, secret }
}

/** One change of credentials at a time, over all merchants: what is counted or compared stays so until it is written. */
function changeCredentials(
  db: Database,
  merchantCode: string,
  change: (tx: Tx, merchant: Merchant) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    await store.claimCredentials(tx)
    await change(tx, await existing(tx, merchantCode))
  })
}

/** The form in which a secret is stored. */
function hashSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.digest('merchant-secrets', secret)
}

const NO_SECRET = Buffer.alloc(32)

/**
 * The id of the merchant's secret that this is; undefined when it is none. There are as many comparisons for an unknown
 * merchant as for one with all the secrets that it may have, each in constant time.
 */
export function secretIdOf(
  secrets: Secrets,
  merchant: Merchant | undefined,
  secret: string,
): string | undefined {
  const hash = hashSecret(secrets, secret)
  let found: string | undefined
  for (let index = 0; index < SECRETS_ACTIVE_MAX; index += 1) {
    const known = merchant?.secretHashes[index] ?? NO_SECRET
    if (known.length === hash.length && timingSafeEqual(known, hash)) found = merchant?.secretIds[index]
  }
  return found
}
