import type { Statement, Tx } from '../../platform/database.ts'

/** At this moment. WAITING: it is published and will sign. ACTIVE: it signs. */
type SigningKeyStatus = 'WAITING' | 'ACTIVE' | 'VERIFY_ONLY' | 'RETIRED'

export interface SigningKeyRow {
  readonly kid: string
  readonly privateKeySealed: Buffer
  readonly publicKeyPem: string
  readonly status: SigningKeyStatus
  /** How long it was until the key signs, when the database read it; not above zero once it does. */
  readonly waitsMs: number
}

/** The newest key is kept as ACTIVE, also while it waits; the one before it signs until it is replaced. */
const STATUS_NOW = `case
    when status = 'RETIRED' or (status = 'VERIFY_ONLY' and coalesce(replaced_at, now()) <= now()) then status
    when signs_from > now() then 'WAITING'
    else 'ACTIVE'
  end as status`
const LIST_KEYS: Statement = {
  name: 'tokens_list_signing_keys',
  text: `select kid, private_key_sealed, public_key_pem, ${STATUS_NOW},
      (extract(epoch from signs_from - now()) * 1000)::double precision as waits_ms
    from token_signing_keys where status <> 'RETIRED' order by signs_from desc, created_at desc, kid`,
}
const LIST_KEY_HISTORY: Statement = {
  name: 'tokens_list_signing_key_history',
  text: `select kid, public_key_pem, ${STATUS_NOW}, created_at, signs_from, replaced_at from token_signing_keys order by created_at desc, kid`,
}
const INSERT_KEY: Statement = {
  name: 'tokens_insert_signing_key',
  text: `insert into token_signing_keys (kid, private_key_sealed, public_key_pem, status, signs_from)
    values ($1, $2, $3, 'ACTIVE', now() + make_interval(secs => $4))
    on conflict do nothing returning kid, signs_from`,
}
const UPDATE_ACTIVE_KEYS: Statement = {
  name: 'tokens_update_active_keys',
  text: `update token_signing_keys
    set status = 'VERIFY_ONLY', replaced_at = least(replaced_at, now() + make_interval(secs => $1))
    where (status = 'ACTIVE' and ($1 = 0 or signs_from <= now())) or (status = 'VERIFY_ONLY' and replaced_at > now() + make_interval(secs => $1))`,
}
const RETIRE_KEYS: Statement = {
  name: 'tokens_retire_keys',
  text: `update token_signing_keys set status = 'RETIRED', private_key_sealed = ''::bytea
    where status = 'VERIFY_ONLY' and replaced_at < clock_timestamp() - make_interval(secs => $1) returning kid`,
}
const INSERT_REVOCATION: Statement = {
  name: 'tokens_insert_revocation',
  text: `insert into revoked_tokens (merchant_id, jti, expires_at) values ($1, $2, to_timestamp($3)) on conflict do nothing`,
}
/**
 * A revocation counts beyond the token's life: the hosted payment page may read by it for 14 days more, and the process
 * that judges the token may be slow by its clock.
 */
const REVOCATION_MARGIN = `interval '15 days'`
const LIST_REVOCATIONS: Statement = {
  name: 'tokens_list_revocations',
  text: `select merchant_id, jti from revoked_tokens where expires_at > clock_timestamp() - ${REVOCATION_MARGIN}`,
}
const DELETE_REVOCATIONS: Statement = {
  name: 'tokens_delete_old_revocations',
  text: `delete from revoked_tokens where expires_at < clock_timestamp() - ${REVOCATION_MARGIN}`,
}
const INSERT_SIGNED_REQUESTS: Statement = {
  name: 'tokens_insert_signed_requests',
  text: `insert into signed_token_requests (merchant_id, jti, generation, expires_at)
    select merchant_id, jti, generation, to_timestamp(ends) from unnest($1::bigint[], $2::text[], $3::integer[], $4::double precision[])
      as r (merchant_id, jti, generation, ends) order by merchant_id, jti
    on conflict do nothing returning merchant_id, jti`,
}
const LIST_SIGNED_REQUESTS: Statement = {
  name: 'tokens_list_signed_requests',
  text: `select merchant_id, jti, generation from signed_token_requests
    join unnest($1::bigint[], $2::text[]) as r (merchant_id, jti) using (merchant_id, jti)`,
}
const DELETE_SIGNED_REQUESTS: Statement = {
  name: 'tokens_delete_old_signed_requests',
  text: `delete from signed_token_requests where expires_at < clock_timestamp()`,
}

export async function listSigningKeys(tx: Tx): Promise<readonly SigningKeyRow[]> {
  const rows = await tx.rows<{
    kid: string
    private_key_sealed: Buffer
    public_key_pem: string
    status: SigningKeyStatus
    waits_ms: number
  }>(LIST_KEYS, [])
  return rows.map((row) => ({
    kid: row.kid,
    privateKeySealed: row.private_key_sealed,
    publicKeyPem: row.public_key_pem,
    status: row.status,
    waitsMs: row.waits_ms,
  }))
}

/** A signing key without its private half. */
export interface SigningKeyRecord {
  readonly kid: string
  readonly status: SigningKeyStatus
  readonly publicKeyPem: string
  readonly createdAt: Date
  readonly signsFrom: Date
  /** When another key signs instead; it may be a moment to come. */
  readonly replacedAt: Date | undefined
}

/** All keys that there ever were, the newest first. */
export async function listSigningKeyHistory(tx: Tx): Promise<readonly SigningKeyRecord[]> {
  const rows = await tx.rows<{
    kid: string
    public_key_pem: string
    status: SigningKeyStatus
    created_at: Date
    signs_from: Date
    replaced_at: Date | null
  }>(LIST_KEY_HISTORY, [])
  return rows.map((row) => ({
    kid: row.kid,
    status: row.status,
    publicKeyPem: row.public_key_pem,
    createdAt: row.created_at,
    signsFrom: row.signs_from,
    replacedAt: row.replaced_at ?? undefined,
  }))
}

/** The key signs `waitSeconds` from now; returns that moment, or undefined when there is a newest key that was not replaced. */
export async function insertSigningKey(
  tx: Tx,
  key: { readonly kid: string; readonly sealed: Buffer; readonly publicKeyPem: string },
  waitSeconds: number,
): Promise<Date | undefined> {
  const values = [key.kid, key.sealed, key.publicKeyPem, waitSeconds]
  return (await tx.rows<{ signs_from: Date }>(INSERT_KEY, values))[0]?.signs_from
}

/**
 * The key that signs is replaced by another one in `waitSeconds`. A key that waits is replaced by one that signs at once, in 0
 * seconds, and by no other.
 */
export async function updateActiveKeysToVerifyOnly(tx: Tx, waitSeconds: number): Promise<void> {
  await tx.rows(UPDATE_ACTIVE_KEYS, [waitSeconds])
}

/** Retires keys that were replaced so long ago that no token signed by them can be valid. */
export async function updateOldKeysToRetired(tx: Tx, ageSeconds: number): Promise<number> {
  return (await tx.rows(RETIRE_KEYS, [ageSeconds])).length
}

export async function insertRevocation(
  tx: Tx,
  revocation: { readonly merchantId: string; readonly jti: string; readonly expSeconds: number },
): Promise<void> {
  await tx.rows(INSERT_REVOCATION, [revocation.merchantId, revocation.jti, revocation.expSeconds])
}

/** The revocations that still matter, as `merchantId jti`. */
export async function listRevocations(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ merchant_id: string; jti: string }>(LIST_REVOCATIONS, [])
  return new Set(rows.map((row) => `${row.merchant_id} ${row.jti}`))
}

export async function deleteOldRevocations(tx: Tx): Promise<void> {
  await tx.rows(DELETE_REVOCATIONS, [])
}

/** A signed token request, by the id of its token. */
export interface SignedRequest {
  readonly merchantId: string
  readonly jti: string
  /** How often the merchant's tokens have been revoked all at once. */
  readonly generation: number
  readonly iatSeconds: number
  /** For so long after the signed time the request may come again. */
  readonly lifeSeconds: number
}

type RequestName = Pick<SignedRequest, 'merchantId' | 'jti'>
const nameOf = ({ merchantId, jti }: RequestName): string => `${merchantId} ${jti}`

/** Remembers requests; what comes back tells those that were not known. */
export async function insertSignedRequests(
  tx: Tx,
  requests: readonly SignedRequest[],
): Promise<(request: RequestName) => boolean> {
  const rows = await tx.rows<{ merchant_id: string; jti: string }>(INSERT_SIGNED_REQUESTS, [
    requests.map(({ merchantId }) => merchantId),
    requests.map(({ jti }) => jti),
    requests.map(({ generation }) => generation),
    requests.map(({ iatSeconds, lifeSeconds }) => iatSeconds + lifeSeconds),
  ])
  const fresh = new Set(rows.map((row) => nameOf({ merchantId: row.merchant_id, jti: row.jti })))
  return (request) => fresh.has(nameOf(request))
}

/** The generations with which requests were first seen. */
export async function listSignedRequests(
  tx: Tx,
  requests: readonly RequestName[],
): Promise<(request: RequestName) => number | undefined> {
  const rows = await tx.rows<{ merchant_id: string; jti: string; generation: number }>(LIST_SIGNED_REQUESTS, [
    requests.map(({ merchantId }) => merchantId),
    requests.map(({ jti }) => jti),
  ])
  const known = new Map(
    rows.map((row) => [nameOf({ merchantId: row.merchant_id, jti: row.jti }), row.generation]),
  )
  return (request) => known.get(nameOf(request))
}

/** Forgets requests whose timestamp is no longer accepted. */
export async function deleteOldSignedRequests(tx: Tx): Promise<void> {
  await tx.rows(DELETE_SIGNED_REQUESTS, [])
}
