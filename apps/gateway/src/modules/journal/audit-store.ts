import type { Statement, Tx } from '../../platform/database.ts'
import { CONTENT_HASH } from './content.ts'
import type { JournalHead, TransferKey } from './model.ts'

/** An entry of the journal, and what its transfer is today. */
export interface AuditedEntry extends JournalHead {
  readonly key: TransferKey
  readonly contentHash: Buffer
  /** Undefined when the transfer is gone. */
  readonly transfer: AuditedTransfer | undefined
}

/** A transfer as it is today. */
export interface AuditedTransfer {
  readonly key: TransferKey
  readonly contentHash: Buffer
  readonly event: string
  readonly kind: string
  readonly idPayment: string
}

const TRANSFER = `t.xid::text as t_xid, t.merchant_id::text, t.transfer_id::text, t.event, t.kind, t.id_payment,
    case when t.transfer_id is not null then ${CONTENT_HASH} end as t_content_hash`
const ENTRY = `j.entry_no::text, j.xid::text, j.merchant_id::text as j_merchant_id, j.transfer_id::text as j_transfer_id,
    j.content_hash, j.chain_hash`
/** `offset 0` keeps the transfers from being joined, for which all of them would be read for every page. */
const ENTRIES_OF = (which: string): string => `select ${ENTRY}, ${TRANSFER}
    from (select * from ledger_journal where ${which}) j left join lateral (
      select * from ledger_transfers where merchant_id = j.merchant_id and transfer_id = j.transfer_id offset 0) t on true
    order by j.entry_no`
const LIST_AUDITED: Statement = {
  name: 'journal_list_audited',
  text: ENTRIES_OF('entry_no > $1 and entry_no <= $2 order by entry_no limit $3'),
}
const FIND_AUDITED: Statement = { name: 'journal_find_audited', text: ENTRIES_OF('entry_no = $1') }
const FIND_FOLLOWER: Statement = {
  name: 'journal_find_follower',
  // The same hash as linkHash of model.ts. It reads the whole journal, once per break of the chain.
  text: ENTRIES_OF('chain_hash = sha256($1::bytea || int8send($2::bigint) || content_hash) limit 1'),
}
const FIND_OWNER: Statement = {
  name: 'journal_find_owner',
  text: 'select entry_no::text from ledger_journal where content_hash = $1 limit 1',
}
const KEY = '(t.xid, t.merchant_id, t.transfer_id)'
const GIVEN_KEY = '($1::xid8, $2::bigint, $3::uuid)'
const UNCHAINED = `ledger_transfers t left join ledger_journal j using (merchant_id, transfer_id) where j.entry_no is null`
const LIST_STRAYS: Statement = {
  name: 'journal_list_strays',
  text: `select ${TRANSFER} from ${UNCHAINED} and ${KEY} <= ${GIVEN_KEY} order by t.xid, t.merchant_id, t.transfer_id limit $4`,
}
const FIND_WAITING: Statement = {
  name: 'journal_find_waiting',
  text: `select ${TRANSFER}, count(*) over ()::int as waiting, t.xid >= pg_snapshot_xmin(pg_current_snapshot()) as is_held_back
    from ${UNCHAINED} and ${KEY} > ${GIVEN_KEY} and t.created_at < statement_timestamp() - make_interval(secs => $4)
    order by t.xid, t.merchant_id, t.transfer_id limit 1`,
}

interface TransferRow {
  readonly t_xid: string
  readonly merchant_id: string
  readonly transfer_id: string
  readonly event: string
  readonly kind: string
  readonly id_payment: string
  readonly t_content_hash: Buffer
}

interface EntryRow extends Omit<TransferRow, 't_content_hash'> {
  readonly entry_no: string
  readonly xid: string
  readonly j_merchant_id: string
  readonly j_transfer_id: string
  readonly content_hash: Buffer
  readonly chain_hash: Buffer
  readonly t_content_hash: Buffer | null
}

/** Entries behind the number and up to the last one, in their order. */
export async function listAudited(
  tx: Tx,
  range: { readonly afterNo: number; readonly untilNo: number; readonly limit: number },
): Promise<readonly AuditedEntry[]> {
  const rows = await tx.rows<EntryRow>(LIST_AUDITED, [range.afterNo, range.untilNo, range.limit])
  return rows.map(toEntry)
}

export async function findAudited(tx: Tx, entryNo: number): Promise<AuditedEntry | undefined> {
  return (await tx.rows<EntryRow>(FIND_AUDITED, [entryNo])).map(toEntry)[0]
}

/** The entry whose chain hash makes it the one of this number behind the hash, whatever number it has today. */
export async function findFollower(
  tx: Tx,
  previous: Buffer,
  entryNo: number,
): Promise<AuditedEntry | undefined> {
  return (await tx.rows<EntryRow>(FIND_FOLLOWER, [previous, entryNo])).map(toEntry)[0]
}

/** The number of the entry with this content hash. */
export async function findOwner(tx: Tx, contentHash: Buffer): Promise<number | undefined> {
  const [row] = await tx.rows<{ entry_no: string }>(FIND_OWNER, [contentHash])
  return row && Number(row.entry_no)
}

/** Transfers that are not in the journal although their place in it is at the key or before. */
export async function listStrays(
  tx: Tx,
  until: TransferKey,
  limit: number,
): Promise<readonly AuditedTransfer[]> {
  const rows = await tx.rows<TransferRow>(LIST_STRAYS, [...keyValues(until), limit])
  return rows.map((row) => toTransfer(row, row.t_content_hash))
}

/** Transfers that should have been chained by now. */
interface Waiting {
  readonly transfers: number
  readonly oldest: AuditedTransfer
  /** Whether a transaction that has not ended yet keeps them from being chained. */
  readonly isHeldBack: boolean
}

/** Transfers behind the key that have waited for longer than so many seconds; undefined when there are none. */
export async function findWaiting(tx: Tx, after: TransferKey, seconds: number): Promise<Waiting | undefined> {
  const [row] = await tx.rows<TransferRow & { waiting: number; is_held_back: boolean }>(FIND_WAITING, [
    ...keyValues(after),
    seconds,
  ])
  if (row === undefined) return undefined
  return {
    transfers: row.waiting,
    oldest: toTransfer(row, row.t_content_hash),
    isHeldBack: row.is_held_back,
  }
}

const keyValues = (key: TransferKey): readonly unknown[] => [key.xid, key.merchantId, key.transferId]

function toEntry(row: EntryRow): AuditedEntry {
  const hash = row.t_content_hash
  return {
    entryNo: Number(row.entry_no),
    chainHash: row.chain_hash,
    key: { xid: row.xid, merchantId: row.j_merchant_id, transferId: row.j_transfer_id },
    contentHash: row.content_hash,
    transfer: hash === null ? undefined : toTransfer(row, hash),
  }
}

const toTransfer = (row: Omit<TransferRow, 't_content_hash'>, contentHash: Buffer): AuditedTransfer => ({
  key: { xid: row.t_xid, merchantId: row.merchant_id, transferId: row.transfer_id },
  contentHash,
  event: row.event,
  kind: row.kind,
  idPayment: row.id_payment,
})
