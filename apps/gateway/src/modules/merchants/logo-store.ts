import type { Statement, Tx } from '../../platform/database.ts'
import type { Logo, LogoMediaType } from './logo.ts'

const UPSERT: Statement = {
  name: 'merchants_upsert_logo',
  text: `insert into merchant_logos (merchant_id, content_hash, media_type, content, width, height) values ($1, $2, $3, $4, $5, $6)
    on conflict (merchant_id) do update set content_hash = excluded.content_hash, media_type = excluded.media_type,
      content = excluded.content, width = excluded.width, height = excluded.height, created_at = clock_timestamp()`,
}
const DELETE: Statement = {
  name: 'merchants_delete_logo',
  text: 'delete from merchant_logos where merchant_id = $1 returning merchant_id',
}
const FIND: Statement = {
  name: 'merchants_find_logo',
  text: `select content_hash as hash, media_type as "mediaType", content, width, height
    from merchant_logos where content_hash = $1 limit 1`,
}

/** Gives the merchant this logo in place of any other. */
export async function upsertLogo(tx: Tx, merchantId: string, logo: Logo): Promise<void> {
  const { hash, mediaType, content, width, height } = logo
  await tx.rows(UPSERT, [merchantId, hash, mediaType, content, width, height])
}

/** Answers whether there was one. */
export async function deleteLogo(tx: Tx, merchantId: string): Promise<boolean> {
  return (await tx.rows(DELETE, [merchantId])).length === 1
}

interface LogoRow extends Logo {
  readonly mediaType: LogoMediaType
}

/** The logo with the content; several merchants may have the same one. */
export async function findLogo(tx: Tx, hash: string): Promise<Logo | undefined> {
  const [row] = await tx.rows<LogoRow>(FIND, [hash])
  return row
}
