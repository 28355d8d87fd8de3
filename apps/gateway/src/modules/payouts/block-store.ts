import type { Statement, Tx } from '../../platform/database.ts'
import { BLOCKED_DIGESTS_MAX, HOUSE_ID } from './model.ts'

const LIST_DIGESTS: Statement = {
  name: 'blocked_beneficiaries_list_digests',
  text: `select beneficiary_digest from blocked_beneficiaries where merchant_id = $1 and means <> 'FORMER' limit $2`,
}
const FIND_BLOCKED: Statement = {
  name: 'blocked_beneficiaries_find',
  text: `select 1 from blocked_beneficiaries where merchant_id = any($1::bigint[]) and beneficiary_digest = $2 limit 1`,
}
const COUNT: Statement = {
  name: 'blocked_beneficiaries_count',
  text: `select count(*)::int as blocked from blocked_beneficiaries where merchant_id = $1 and means = 'PAYEE'`,
}
const INSERT: Statement = {
  name: 'blocked_beneficiaries_insert',
  text: `insert into blocked_beneficiaries as b (merchant_id, beneficiary_digest, means, note, created_by)
    select distinct on (digest) $1::bigint, digest, means, $4, $5 from unnest($2::bytea[], $3::text[]) with ordinality as r(digest, means, position)
    order by digest, position
    on conflict (merchant_id, beneficiary_digest) do update set means = 'PAYEE', note = excluded.note, created_by = excluded.created_by
      where excluded.means = 'PAYEE' and b.means = 'SPELLING'
    returning beneficiary_digest`,
}
const DELETE: Statement = {
  name: 'blocked_beneficiaries_delete',
  text: `delete from blocked_beneficiaries b using unnest($2::bytea[], $3::text[]) as r(digest, means)
    where b.merchant_id = $1 and b.beneficiary_digest = r.digest and (r.means <> 'SPELLING' or b.means = 'SPELLING')
    returning b.beneficiary_digest`,
}
const LIST: Statement = {
  name: 'blocked_beneficiaries_list',
  text: `select merchant_id, beneficiary_digest, note, created_by, created_at from blocked_beneficiaries
    where ($1::bigint is null or merchant_id = $1) and means = 'PAYEE' order by created_at desc, merchant_id, beneficiary_digest limit $2`,
}

/** A digest as a text, for sets. */
export const digestText = (digest: Buffer): string => digest.toString('base64')

/** The accounts that are blocked for a merchant, or for the house: their digests as texts. */
export async function listBlockedDigests(tx: Tx, merchantId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ beneficiary_digest: Buffer }>(LIST_DIGESTS, [merchantId, BLOCKED_DIGESTS_MAX])
  return new Set(rows.map((row) => digestText(row.beneficiary_digest)))
}

/** Whether the account is blocked now, for the merchant or for the house. */
export async function findBlocked(tx: Tx, merchantId: string, digest: Buffer): Promise<boolean> {
  return (await tx.rows(FIND_BLOCKED, [[merchantId, HOUSE_ID], digest])).length > 0
}

export async function countBlocked(tx: Tx, merchantId: string): Promise<number> {
  const [row] = await tx.rows<{ blocked: number }>(COUNT, [merchantId])
  return row?.blocked ?? 0
}

/**
 * What a row of a block-list stands for: an account that somebody named; another payee that the same line may mean; or the digest
 * that the account had before payees had an identity, which is asked of payments from before only.
 */
type BlockMeaning = 'PAYEE' | 'SPELLING' | 'FORMER'

/** A digest of a block-list, and what it stands for. */
export interface BlockRow {
  readonly digest: Buffer
  readonly means: BlockMeaning
}

interface NewBlocks {
  readonly merchantId: string
  /** Of two equal digests the first one counts. */
  readonly rows: readonly BlockRow[]
  readonly note: string | undefined
  readonly createdBy: string
}

/** The digests, as texts, that were not there before. */
export async function insertBlocks(tx: Tx, blocks: NewBlocks): Promise<ReadonlySet<string>> {
  const { merchantId, rows, note, createdBy } = blocks
  return textsOf(
    await tx.rows<DigestRow>(INSERT, [merchantId, ...blockArrays(rows), note ?? null, createdBy]),
  )
}

/** The digests, as texts, that were there. What another line names by itself is not taken away as a spelling of this one. */
export async function deleteBlocks(
  tx: Tx,
  merchantId: string,
  rows: readonly BlockRow[],
): Promise<ReadonlySet<string>> {
  return textsOf(await tx.rows<DigestRow>(DELETE, [merchantId, ...blockArrays(rows)]))
}

const blockArrays = (rows: readonly BlockRow[]) => [
  rows.map(({ digest }) => digest),
  rows.map(({ means }) => means),
]

interface DigestRow {
  readonly beneficiary_digest: Buffer
}

const textsOf = (rows: readonly DigestRow[]): ReadonlySet<string> =>
  new Set(rows.map((row) => digestText(row.beneficiary_digest)))

/** A blocked account, without the account. */
export interface BlockedAccount {
  readonly merchantId: string
  readonly digest: Buffer
  readonly note: string | undefined
  readonly createdBy: string
  readonly createdAt: Date
}

interface StoredRow {
  readonly merchant_id: string
  readonly beneficiary_digest: Buffer
  readonly note: string | null
  readonly created_by: string
  readonly created_at: Date
}

/** The newest first; of one merchant, or of all and the house. */
export async function listBlocks(
  tx: Tx,
  merchantId: string | undefined,
  limit: number,
): Promise<readonly BlockedAccount[]> {
  const rows = await tx.rows<StoredRow>(LIST, [merchantId ?? null, limit])
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    digest: row.beneficiary_digest,
    note: row.note ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }))
}
