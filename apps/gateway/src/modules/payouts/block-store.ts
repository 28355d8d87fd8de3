import type { Statement, Tx } from '../../platform/database.ts'
import { BLOCKED_ACCOUNTS_MAX, HOUSE_ID } from './model.ts'

const LIST_DIGESTS: Statement = {
  name: 'blocked_beneficiaries_list_digests',
  text: `select beneficiary_digest from blocked_beneficiaries where merchant_id = $1 limit $2`,
}
const FIND_BLOCKED: Statement = {
  name: 'blocked_beneficiaries_find',
  text: `select 1 from blocked_beneficiaries where merchant_id = any($1::bigint[]) and beneficiary_digest = $2 limit 1`,
}
const COUNT: Statement = {
  name: 'blocked_beneficiaries_count',
  text: `select count(*)::int as blocked from blocked_beneficiaries where merchant_id = $1`,
}
const INSERT: Statement = {
  name: 'blocked_beneficiaries_insert',
  text: `insert into blocked_beneficiaries (merchant_id, beneficiary_digest, note, created_by)
    select $1, digest, $3, $4 from unnest($2::bytea[]) as digest order by digest
    on conflict do nothing returning 1`,
}
const DELETE: Statement = {
  name: 'blocked_beneficiaries_delete',
  text: `delete from blocked_beneficiaries where merchant_id = $1 and beneficiary_digest = any($2::bytea[]) returning 1`,
}
const LIST: Statement = {
  name: 'blocked_beneficiaries_list',
  text: `select merchant_id, beneficiary_digest, note, created_by, created_at from blocked_beneficiaries
    where $1::bigint is null or merchant_id = $1 order by created_at desc, merchant_id, beneficiary_digest limit $2`,
}

/** A digest as a text, for sets. */
export const digestText = (digest: Buffer): string => digest.toString('base64')

/** The accounts that are blocked for a merchant, or for the house: their digests as texts. */
export async function listBlockedDigests(tx: Tx, merchantId: string): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ beneficiary_digest: Buffer }>(LIST_DIGESTS, [merchantId, BLOCKED_ACCOUNTS_MAX])
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

export interface NewBlocks {
  readonly merchantId: string
  readonly digests: readonly Buffer[]
  readonly note: string | undefined
  readonly createdBy: string
}

/** How many were not there before. */
export async function insertBlocks(tx: Tx, blocks: NewBlocks): Promise<number> {
  const { merchantId, digests, note, createdBy } = blocks
  return (await tx.rows(INSERT, [merchantId, digests, note ?? null, createdBy])).length
}

/** How many were there. */
export async function deleteBlocks(tx: Tx, merchantId: string, digests: readonly Buffer[]): Promise<number> {
  return (await tx.rows(DELETE, [merchantId, digests])).length
}

/** A blocked account, without the account. */
export interface BlockedAccount {
  readonly merchantId: string
  readonly digest: Buffer
  readonly note: string | undefined
  readonly createdBy: string
  readonly createdAt: Date
}

interface BlockRow {
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
  const rows = await tx.rows<BlockRow>(LIST, [merchantId ?? null, limit])
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    digest: row.beneficiary_digest,
    note: row.note ?? undefined,
    createdBy: row.created_by,
    createdAt: row.created_at,
  }))
}
