import type { Statement, Tx } from '../../platform/database.ts'

/** Messages that are kept of each rail; the next one is written over the oldest. */
export const FORGERIES_KEPT_MAX = 1000

const UPSERT: Statement = {
  name: 'rail_forgeries_upsert',
  text: `with drawn as (select nextval('rail_forgeries_no') as no)
    insert into rail_forgeries (rail_code, slot, forgery_no, why, address, byte_count, sealed, received_at)
    select $1, no % $2, no, $3, $4, $5, $6, clock_timestamp() from drawn
    on conflict (rail_code, slot) do update set forgery_no = excluded.forgery_no, why = excluded.why, address = excluded.address,
      byte_count = excluded.byte_count, sealed = excluded.sealed, received_at = excluded.received_at`,
}
const LIST: Statement = {
  name: 'rail_forgeries_list',
  text: `select rail_code, forgery_no, why, address, byte_count, received_at from rail_forgeries
    where $1::text is null or rail_code = $1 order by forgery_no desc limit $2`,
}
const DELETE_OLD: Statement = {
  name: 'rail_forgeries_delete_old',
  text: `delete from rail_forgeries where received_at < clock_timestamp() - make_interval(days => $1)`,
}

/** A message that does not prove where it comes from. */
interface NewForgery {
  readonly railCode: string
  readonly why: string
  /** Where it came from. */
  readonly address: string
  readonly byteCount: number
  /** Its first bytes, encrypted. */
  readonly sealed: Buffer
}

/** Keeps a message in the place of the oldest one of its rail. */
export async function upsertForgery(tx: Tx, forgery: NewForgery): Promise<void> {
  const { railCode, why, address, byteCount, sealed } = forgery
  await tx.rows(UPSERT, [railCode, FORGERIES_KEPT_MAX, why, address, byteCount, sealed])
}

export interface ListedForgery {
  readonly forgeryNo: string
  readonly railCode: string
  readonly why: string
  readonly address: string
  readonly byteCount: number
  readonly receivedAt: Date
}

/** The newest first. */
export async function listForgeries(
  tx: Tx,
  { railCode, limit }: { readonly railCode: string | undefined; readonly limit: number },
): Promise<readonly ListedForgery[]> {
  const rows = await tx.rows<{
    rail_code: string
    forgery_no: string
    why: string
    address: string
    byte_count: number
    received_at: Date
  }>(LIST, [railCode ?? null, limit])
  return rows.map((row) => ({
    forgeryNo: row.forgery_no,
    railCode: row.rail_code,
    why: row.why,
    address: row.address,
    byteCount: row.byte_count,
    receivedAt: row.received_at,
  }))
}

/** Removes messages that came in so many days ago. */
export async function deleteOldForgeries(tx: Tx, days: number): Promise<void> {
  await tx.rows(DELETE_OLD, [days])
}
