import type { Statement, Tx } from '../../platform/database.ts'
import { countOver, daysAgo, type ExpiringDocuments } from '../../platform/expiry.ts'
import type { FailedChannel, FailedDocument } from './model.ts'

const INSERT: Statement = {
  name: 'failed_documents_insert',
  text: `insert into failed_documents (channel, file_name, content_hash, byte_count, reason, data_key, sealed)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
}
const COLUMNS = `document_id as "documentId", channel, file_name as "fileName", encode(content_hash, 'hex') as sha256,
      byte_count::float8 as "byteCount", reason, put_aside_at as "putAsideAt", length(sealed) > 0 as "isStored"`
const LIST: Statement = {
  name: 'failed_documents_list',
  text: `select ${COLUMNS} from failed_documents where ($1::bigint is null or document_id < $1) and ($2::text is null or channel = $2)
    order by document_id desc limit $3`,
}
const FIND: Statement = {
  name: 'failed_documents_find',
  text: `select ${COLUMNS}, data_key as "dataKey", sealed from failed_documents where document_id = $1`,
}
const IS_OVER = `length(sealed) > 0 and ${daysAgo('put_aside_at')}`
const ERASE_OVER: Statement = {
  name: 'failed_documents_erase_over',
  text: `update failed_documents set data_key = '', sealed = '' where document_id in (
      select document_id from failed_documents where ${IS_OVER} order by document_id limit $2 for update skip locked)
    returning 1`,
}
const COUNT_OVER: Statement = {
  name: 'failed_documents_count_over',
  text: `select count(*)::int as over, min(put_aside_at) as oldest_at from failed_documents where ${IS_OVER}`,
}

interface Sealed {
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

type NewDocument = Pick<FailedDocument, 'channel' | 'fileName' | 'byteCount' | 'reason'> &
  Sealed & { readonly contentHash: Buffer }

/** Lists a file; nothing when it is listed for the same reason already, and its bytes are there. */
export async function insertDocument(tx: Tx, document: NewDocument): Promise<void> {
  const { channel, fileName, contentHash, byteCount, reason, dataKey, sealed } = document
  await tx.rows(INSERT, [channel, fileName, contentHash, byteCount, reason, dataKey, sealed])
}

export interface DocumentPage {
  readonly before: string | undefined
  readonly limit: number
  readonly channel: FailedChannel | undefined
}

/** The newest first, from before a place. */
export const listDocuments = (tx: Tx, page: DocumentPage): Promise<readonly FailedDocument[]> =>
  tx.rows<FailedDocument>(LIST, [page.before ?? null, page.channel ?? null, page.limit])

export async function findDocument(
  tx: Tx,
  documentId: string,
): Promise<(FailedDocument & Sealed) | undefined> {
  return (await tx.rows<FailedDocument & Sealed>(FIND, [documentId]))[0]
}

/** The bytes of files that could not be taken. That they came stays. */
export const EXPIRING_FAILED: ExpiringDocuments = {
  erase: async (tx, days, limit) => (await tx.rows(ERASE_OVER, [days, limit])).length,
  findOver: (tx, days) => countOver(tx, COUNT_OVER, [days]),
}

const FIND_RECENT: Statement = {
  name: 'failed_documents_find_recent',
  text: `select count(*) filter (where put_aside_at > statement_timestamp() - make_interval(days => $1))::int as count, max(put_aside_at) as "latestAt"
    from (select put_aside_at from failed_documents order by document_id desc limit $2) newest`,
}

/** How many were put aside in so many days, counting the newest ones only, and when the newest was. */
export async function findRecentFailures(
  tx: Tx,
  days: number,
  countedMax: number,
): Promise<{ readonly count: number; readonly latestAt: Date | undefined }> {
  const values = [days, countedMax]
  const [row] = await tx.rows<{ count: number; latestAt: Date | null }>(FIND_RECENT, values)
  return { count: row?.count ?? 0, latestAt: row?.latestAt ?? undefined }
}
