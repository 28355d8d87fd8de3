import { createPublicKey } from 'node:crypto'
import type { Statement, Tx } from '../../platform/database.ts'
import type { LogoReference } from './logo.ts'
import type { Credential, Maker, Merchant, MerchantKey } from './model.ts'

interface MerchantRow {
  readonly merchant_id: string
  readonly merchant_code: string
  readonly channel_name: string
  readonly logo_url: string | null
  readonly logo: LogoReference | null
  readonly support_email: string | null
  readonly support_url: string | null
  readonly primary_color: string | null
  readonly status: 'ACTIVE' | 'DISABLED'
  readonly cell: string | null
  readonly rate_limit_per_second: number
  readonly secret_enabled: boolean
  readonly allowed_origins: string[]
  readonly callback_origins: string[] | null
  readonly return_origins: string[] | null
  readonly segments: string[] | null
  readonly require_money_in_tokens: boolean
  readonly tokens_not_before_seconds: string | null
  readonly token_generation: number
  readonly callback_key_generation: number
  readonly callback_secret_generation: number
  readonly callback_secrets_signing: number
  readonly browser_origins: string[]
  readonly key_ids: string[]
  readonly key_pems: string[]
  readonly key_bits: number[]
  readonly secret_ids: string[]
  readonly secret_hashes: Buffer[]
  readonly half_ids: string[]
}

const MERCHANT_COLUMNS = `m.merchant_id, m.merchant_code, m.channel_name, m.logo_url, l.logo, m.support_email, m.support_url,
  m.primary_color, case when m.cell is null then m.status else 'DISABLED' end as status, m.cell, m.rate_limit_per_second, m.secret_enabled, m.allowed_origins, m.callback_key_generation,
  m.callback_secret_generation, m.callback_secrets_signing, m.browser_origins,
  coalesce(m.callback_origins, nullif(m.allowed_origins, '{}')) as callback_origins,
  coalesce(m.return_origins, nullif(m.allowed_origins, '{}')) as return_origins, m.segments, m.require_money_in_tokens,
  ceil(extract(epoch from m.tokens_not_before))::bigint as tokens_not_before_seconds, m.token_generation,
  coalesce(k.key_ids, '{}') as key_ids, coalesce(k.key_pems, '{}') as key_pems, coalesce(k.key_bits, '{}') as key_bits,
  coalesce(s.secret_ids, '{}') as secret_ids, coalesce(s.secret_hashes, '{}') as secret_hashes,
  coalesce(k.half_ids, '{}') || coalesce(s.half_ids, '{}') as half_ids`
const MERCHANT_TABLES = `merchants m
  left join lateral (select json_build_object('hash', content_hash, 'width', width, 'height', height) as logo
    from merchant_logos where merchant_id = m.merchant_id) l on true
  left join lateral (select array_agg(key_id order by created_at, key_id) as key_ids, array_agg(public_key_pem order by created_at, key_id) as key_pems,
      array_agg(bits order by created_at, key_id) as key_bits, array_agg(key_id) filter (where is_half and confirmed_by is null) as half_ids
    from merchant_keys where merchant_id = m.merchant_id and removed_at is null) k on true
  left join lateral (select array_agg(secret_id order by created_at, secret_id) as secret_ids,
      array_agg(secret_hash order by created_at, secret_id) as secret_hashes, array_agg(secret_id) filter (where is_half) as half_ids
    from merchant_secrets where merchant_id = m.merchant_id and removed_at is null) s on true`

const FIND_BY_CODE: Statement = {
  name: 'merchants_find_by_code',
  text: `select ${MERCHANT_COLUMNS} from ${MERCHANT_TABLES} where m.merchant_code = $1`,
}
const FIND_BY_ID: Statement = {
  name: 'merchants_find_by_id',
  text: `select ${MERCHANT_COLUMNS} from ${MERCHANT_TABLES} where m.merchant_id = $1`,
}
const LIST: Statement = {
  name: 'merchants_list',
  text: `select ${MERCHANT_COLUMNS} from ${MERCHANT_TABLES} where m.merchant_code > $1
    and ($3::text is null or strpos(lower(m.merchant_code), lower($3)) > 0 or strpos(lower(m.channel_name), lower($3)) > 0)
    and ($4::text is null or m.status = $4)
    order by m.merchant_code limit $2`,
}
const LIST_CODES: Statement = {
  name: 'merchants_list_codes',
  text: 'select merchant_id, merchant_code from merchants where merchant_id = any($1::bigint[])',
}
const INSERT: Statement = {
  name: 'merchants_insert',
  text: `insert into merchants (merchant_code, channel_name, segments, require_money_in_tokens, callback_origins, return_origins)
    select $1, $2, narrow.list, $3, narrow.list, narrow.list from (select case when $3 then array[]::text[] end as list) narrow
    on conflict (merchant_code) do nothing returning merchant_id`,
}
const UPDATE: Statement = {
  name: 'merchants_update',
  text: `update merchants set status = coalesce($2, status), rate_limit_per_second = coalesce($3, rate_limit_per_second),
    secret_enabled = coalesce($4, secret_enabled), allowed_origins = coalesce($5, allowed_origins),
    channel_name = coalesce($6, channel_name), browser_origins = coalesce($7, browser_origins),
    require_money_in_tokens = coalesce($8, require_money_in_tokens),
    segments = case when $9 then $10 else segments end,
    callback_origins = case when $11 then $12 else callback_origins end,
    return_origins = case when $13 then $14 else return_origins end,
    support_email = case when $15 then $16 else support_email end,
    support_url = case when $17 then $18 else support_url end,
    primary_color = case when $19 then $20 else primary_color end where merchant_id = $1`,
}
const LIST_UNKNOWN_SEGMENTS: Statement = {
  name: 'merchants_list_unknown_segments',
  text: `select asked.code from unnest($1::text[]) asked (code)
    where not exists (select from segments where segment_code = asked.code)`,
}
const REVOKE_TOKENS: Statement = {
  name: 'merchants_revoke_tokens',
  text: `update merchants set tokens_not_before = clock_timestamp(), token_generation = token_generation + 1 where merchant_id = $1`,
}
const ROTATE_CALLBACK_KEY: Statement = {
  name: 'merchants_rotate_callback_key',
  text: `update merchants set callback_key_generation = callback_key_generation + 1 where merchant_id = $1`,
}
const ROTATE_CALLBACK_SECRET: Statement = {
  name: 'merchants_rotate_callback_secret',
  text: `update merchants set callback_secret_generation = callback_secret_generation + 1,
    callback_secrets_signing = least(callback_secrets_signing + 1, 2) where merchant_id = $1`,
}
const REMOVE_CALLBACK_SECRETS: Statement = {
  name: 'merchants_remove_callback_secrets',
  text: `update merchants set callback_secrets_signing = 0 where merchant_id = $1 and callback_secrets_signing > 0 returning 1`,
}
const IS_BROWSER_ORIGIN: Statement = {
  name: 'merchants_is_browser_origin',
  text: `select 1 from merchants where browser_origins @> array[$1::text] and status = 'ACTIVE' and cell is null limit 1`,
}
const CLAIM_CREDENTIALS: Statement = {
  name: 'merchants_claim_credentials',
  text: `select pg_advisory_xact_lock(hashtext('merchant credentials'))`,
}
const INSERT_KEY: Statement = {
  name: 'merchants_insert_key',
  text: `insert into merchant_keys (merchant_id, key_id, public_key_pem, fingerprint, bits, made_by, is_half)
    select $1, $2, $3, $4, $5, $6, $7 where not exists (select 1 from merchant_keys where fingerprint = $4 and removed_at is null)
    returning key_id`,
}
const CONFIRM_KEY: Statement = {
  name: 'merchants_confirm_key',
  text: `update merchant_keys set confirmed_by = $3, confirmed_at = clock_timestamp()
    where merchant_id = $1 and key_id = $2 and is_half and confirmed_by is null and made_by is distinct from $3 and removed_at is null
    returning key_id`,
}
const REMOVE_KEY: Statement = {
  name: 'merchants_remove_key',
  text: `update merchant_keys set removed_at = clock_timestamp() where merchant_id = $1 and key_id = $2 and removed_at is null returning key_id`,
}
const INSERT_SECRET: Statement = {
  name: 'merchants_insert_secret',
  text: `insert into merchant_secrets (merchant_id, secret_id, secret_hash, made_by, is_half) values ($1, $2, $3, $4, $5)`,
}
const REMOVE_SECRET: Statement = {
  name: 'merchants_remove_secret',
  text: `update merchant_secrets set removed_at = clock_timestamp() where merchant_id = $1 and secret_id = $2 and removed_at is null returning secret_id`,
}
const LIST_CREDENTIALS: Statement = {
  name: 'merchants_list_credentials',
  text: `select 'KEY' as type, key_id as id, created_at, fingerprint, made_by, is_half and confirmed_by is null as is_half, confirmed_by
      from merchant_keys where merchant_id = $1 and removed_at is null
    union all select 'SECRET', secret_id, created_at, null, made_by, is_half, null from merchant_secrets where merchant_id = $1 and removed_at is null
    order by type, created_at, id`,
}

export async function findMerchantByCode(tx: Tx, merchantCode: string): Promise<Merchant | undefined> {
  const [row] = await tx.rows<MerchantRow>(FIND_BY_CODE, [merchantCode])
  return row && toMerchant(row)
}

export async function findMerchantById(tx: Tx, merchantId: string): Promise<Merchant | undefined> {
  const [row] = await tx.rows<MerchantRow>(FIND_BY_ID, [merchantId])
  return row && toMerchant(row)
}

/** Which merchants are listed. */
export interface MerchantWish {
  readonly after?: string | undefined
  readonly limit: number
  /** A part of their code or name. */
  readonly name?: string | undefined
  readonly status?: string | undefined
}

/** By their codes, beginning after one. */
export async function listMerchants(
  tx: Tx,
  { after = '', limit, name, status }: MerchantWish,
): Promise<readonly Merchant[]> {
  return (await tx.rows<MerchantRow>(LIST, [after, limit, name ?? null, status ?? null])).map(toMerchant)
}

export interface NewMerchant {
  readonly merchantCode: string
  readonly channelName: string
  /** No segments and no addresses until an operator grants some, and no tokens for the page without money. */
  readonly isNarrow: boolean
}

/** Returns the id, or undefined when the code is taken. */
export async function insertMerchant(
  tx: Tx,
  { merchantCode, channelName, isNarrow }: NewMerchant,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ merchant_id: string }>(INSERT, [merchantCode, channelName, isNarrow])
  return row?.merchant_id
}

export interface MerchantChange {
  readonly status?: 'ACTIVE' | 'DISABLED'
  readonly rateLimitPerSecond?: number
  readonly secretEnabled?: boolean
  readonly allowedOrigins?: readonly string[]
  readonly browserOrigins?: readonly string[]
  /** Null means what `allowedOrigins` says. */
  readonly callbackOrigins?: readonly string[] | null
  readonly returnOrigins?: readonly string[] | null
  /** Null means all. */
  readonly segments?: readonly string[] | null
  readonly requireMoneyInTokens?: boolean
  readonly channelName?: string
  /** Null means none, as of the two after it. */
  readonly supportEmail?: string | null
  readonly supportUrl?: string | null
  /** `#` and six hex digits. */
  readonly primaryColor?: string | null
}

/** Changes the members that are given. */
export async function updateMerchant(tx: Tx, merchantId: string, change: MerchantChange): Promise<void> {
  await tx.rows(UPDATE, [
    merchantId,
    ...[
      change.status,
      change.rateLimitPerSecond,
      change.secretEnabled,
      change.allowedOrigins,
      change.channelName,
      change.browserOrigins,
      change.requireMoneyInTokens,
    ].map((value) => value ?? null),
    ...[
      change.segments,
      change.callbackOrigins,
      change.returnOrigins,
      change.supportEmail,
      change.supportUrl,
      change.primaryColor,
    ].flatMap((value) => [value !== undefined, value ?? null]),
  ])
}

/** Those of the codes that are no segments of the catalogue. */
export async function listUnknownSegments(tx: Tx, codes: readonly string[]): Promise<readonly string[]> {
  return (await tx.rows<{ code: string }>(LIST_UNKNOWN_SEGMENTS, [codes])).map(({ code }) => code)
}

/** Makes every token that the merchant holds now invalid. */
export async function updateTokensNotBefore(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(REVOKE_TOKENS, [merchantId])
}

/** Moves the merchant on to the next callback key. */
export async function updateCallbackKeyGeneration(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(ROTATE_CALLBACK_KEY, [merchantId])
}

/** Whether an active merchant has named the origin. */
export async function isBrowserOrigin(tx: Tx, origin: string): Promise<boolean> {
  return (await tx.rows(IS_BROWSER_ORIGIN, [origin])).length === 1
}

/** Moves the merchant on to the next shared secret for callbacks; the first one switches them on. */
export async function updateCallbackSecretGeneration(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(ROTATE_CALLBACK_SECRET, [merchantId])
}

/** Returns false when none signs. */
export async function updateCallbackSecretsRemoved(tx: Tx, merchantId: string): Promise<boolean> {
  return (await tx.rows(REMOVE_CALLBACK_SECRETS, [merchantId])).length === 1
}

/** Waits until no other transaction changes credentials, of any merchant. */
export async function claimCredentials(tx: Tx): Promise<void> {
  await tx.rows(CLAIM_CREDENTIALS, [])
}

const makerValues = (maker: Maker | undefined) => [maker?.madeBy ?? null, maker?.isHalf ?? false]

interface NewKey {
  readonly keyId: string
  readonly pem: string
  readonly fingerprint: string
  readonly bits: number
  readonly maker: Maker | undefined
}

/** Returns false when the same key is active already, for this or another merchant. */
export async function insertKey(tx: Tx, merchantId: string, key: NewKey): Promise<boolean> {
  const { keyId, pem, fingerprint, bits, maker } = key
  const values = [merchantId, keyId, pem, fingerprint, bits, ...makerValues(maker)]
  return (await tx.rows(INSERT_KEY, values)).length === 1
}

/** False for a key that is not half, or that the same operator has added. */
export async function updateKeyConfirmed(
  tx: Tx,
  merchantId: string,
  { keyId, by }: { readonly keyId: string; readonly by: string },
): Promise<boolean> {
  return (await tx.rows(CONFIRM_KEY, [merchantId, keyId, by])).length === 1
}

export async function updateKeyRemoved(tx: Tx, merchantId: string, keyId: string): Promise<boolean> {
  return (await tx.rows(REMOVE_KEY, [merchantId, keyId])).length === 1
}

export async function insertSecret(
  tx: Tx,
  merchantId: string,
  secret: { readonly secretId: string; readonly hash: Buffer; readonly maker: Maker | undefined },
): Promise<void> {
  await tx.rows(INSERT_SECRET, [merchantId, secret.secretId, secret.hash, ...makerValues(secret.maker)])
}

export async function updateSecretRemoved(tx: Tx, merchantId: string, secretId: string): Promise<boolean> {
  return (await tx.rows(REMOVE_SECRET, [merchantId, secretId])).length === 1
}

export async function listCredentials(tx: Tx, merchantId: string): Promise<readonly Credential[]> {
  const rows = await tx.rows<{
    type: 'KEY' | 'SECRET'
    id: string
    created_at: Date
    fingerprint: string | null
    made_by: string | null
    is_half: boolean
    confirmed_by: string | null
  }>(LIST_CREDENTIALS, [merchantId])
  return rows.map((row) => ({
    type: row.type,
    id: row.id,
    createdAt: row.created_at,
    fingerprint: row.fingerprint ?? undefined,
    madeBy: row.made_by ?? undefined,
    isHalf: row.is_half,
    confirmedBy: row.confirmed_by ?? undefined,
  }))
}

const channelOf = (row: MerchantRow): Merchant['channel'] => ({
  name: row.channel_name,
  ...(row.logo_url !== null && { logoUrl: row.logo_url }),
  ...(row.support_email !== null && { supportEmail: row.support_email }),
  ...(row.support_url !== null && { supportUrl: row.support_url }),
  ...(row.primary_color !== null && { primaryColor: row.primary_color }),
})

function toMerchant(row: MerchantRow): Merchant {
  return {
    merchantId: row.merchant_id,
    merchantCode: row.merchant_code,
    status: row.status,
    ...(row.cell !== null && { cell: row.cell }),
    channel: channelOf(row),
    ...(row.logo !== null && { logo: row.logo }),
    rateLimitPerSecond: row.rate_limit_per_second,
    secretEnabled: row.secret_enabled,
    allowedOrigins: row.allowed_origins,
    callbackOrigins: row.callback_origins ?? undefined,
    returnOrigins: row.return_origins ?? undefined,
    segments: row.segments ?? undefined,
    requireMoneyInTokens: row.require_money_in_tokens,
    tokenGeneration: row.token_generation,
    tokensNotBeforeSeconds:
      row.tokens_not_before_seconds === null ? undefined : Number(row.tokens_not_before_seconds),
    callbackKeyGeneration: row.callback_key_generation,
    callbackSecretGeneration: row.callback_secret_generation,
    callbackSecretsSigning: row.callback_secrets_signing,
    browserOrigins: row.browser_origins,
    keys: row.key_ids.map((keyId, index) => toKey(keyId, row.key_pems[index], row.key_bits[index])),
    secretIds: row.secret_ids,
    secretHashes: row.secret_hashes,
    credentialIds: new Set([...row.key_ids, ...row.secret_ids]),
    halfCredentialIds: new Set(row.half_ids),
  }
}

function toKey(keyId: string, pem: string | undefined, bits: number | undefined): MerchantKey {
  if (pem === undefined || bits === undefined) throw new Error(`key ${keyId} is incomplete`)
  return { keyId, publicKey: createPublicKey(pem), bits }
}

/** The codes of the merchants that exist, by their numbers. */
export async function listMerchantCodes(
  tx: Tx,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.rows<Pick<MerchantRow, 'merchant_id' | 'merchant_code'>>(LIST_CODES, [merchantIds])
  return new Map(rows.map((row) => [row.merchant_id, row.merchant_code]))
}
