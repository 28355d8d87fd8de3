import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { LedgerAccount, Posting } from '../ledger/index.ts'
import { CONTENT_HASH, CONTENT_TEXT } from './content.ts'
import type { JournalHead, TransferKey } from './model.ts'

const TRY_LOCK: Statement = {
  name: 'journal_try_lock',
  text: `select pg_try_advisory_xact_lock(hashtext('ledger journal')) as locked`,
}
const FIND_END: Statement = {
  name: 'journal_find_end',
  // Without a parameter its plan would be kept: the one of an empty journal, which reads all of it.
  text: `select here.system_identifier::text as here, j.entry_no::text, j.chain_hash, j.chained_at, j.xid::text, j.merchant_id::text,
      j.transfer_id::text, j.cluster_id::text,
      coalesce(j.cluster_id = here.system_identifier and j.xid < pg_snapshot_xmin(pg_current_snapshot()), false) as is_of_here
    from pg_control_system() here left join lateral (select * from ledger_journal order by entry_no desc limit $1) j on true`,
}
const KEY = '(t.xid, t.merchant_id, t.transfer_id)'
const AFTER = `${KEY} > ($1::xid8, $2::bigint, $3::uuid)`
/** `offset 0` keeps the journal from being joined, for which all of it would be read in every round. */
const candidates = (which: string): string => `with candidate as materialized (
      select * from ledger_transfers t where ${AFTER} and ${which} order by t.xid, t.merchant_id, t.transfer_id limit $4)
    select t.xid::text, t.merchant_id::text, t.transfer_id::text, case when j.entry_no is null then ${CONTENT_HASH} end as content_hash
    from candidate t left join lateral (
      select * from ledger_journal where merchant_id = t.merchant_id and transfer_id = t.transfer_id offset 0) j on true order by t.xid, t.merchant_id, t.transfer_id`
const LIST_CANDIDATES: Statement = {
  name: 'journal_list_candidates',
  // Below the oldest transaction that is still open nothing can appear any more.
  text: candidates('t.xid < pg_snapshot_xmin(pg_current_snapshot())'),
}
const LIST_FORMER_CANDIDATES: Statement = {
  name: 'journal_list_former_candidates',
  text: candidates('t.xid >= pg_snapshot_xmax(pg_current_snapshot())'),
}
const FIND_WAIT: Statement = {
  name: 'journal_find_wait',
  // What this cluster has not counted to came with the ledger from another one, and has been chained or is chained first.
  text: `select greatest(0, extract(epoch from clock_timestamp() - t.created_at))::double precision as wait_seconds
    from ledger_transfers t where ${AFTER} and t.xid < pg_snapshot_xmax(pg_current_snapshot())
    order by t.xid, t.merchant_id, t.transfer_id limit $4`,
}
const INSERT_ENTRIES: Statement = {
  name: 'journal_insert_entries',
  text: `insert into ledger_journal (entry_no, merchant_id, transfer_id, xid, cluster_id, content_hash, chain_hash)
    select n, m, t, x, $5, c, h from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::xid8[], $6::bytea[], $7::bytea[]) as e(n, m, t, x, c, h)`,
}
const LIST_ENTRIES: Statement = {
  name: 'journal_list_entries',
  text: `select j.entry_no::text, j.merchant_id::text, j.transfer_id::text, j.content_hash, j.chain_hash, j.chained_at,
      t.event, t.kind, t.id_payment, t.created_at, case when t.transfer_id is not null then ${CONTENT_TEXT} end as content,
      array(select array[p.account, p.currency_code, p.amount::text] from ledger_postings p
        where p.merchant_id = j.merchant_id and p.transfer_id = j.transfer_id order by p.posting_no) as postings
    from (select * from ledger_journal where entry_no >= $1 order by entry_no limit $2) j
      left join lateral (
        select * from ledger_transfers where merchant_id = j.merchant_id and transfer_id = j.transfer_id offset 0) t on true order by j.entry_no`,
}

/** Makes this transaction the only one that writes the journal; false when another one does. */
export async function tryLockJournal(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows<{ locked: boolean }>(TRY_LOCK, [])
  return row?.locked === true
}

/** The last entry of the journal, and whether what comes next can be found from there. */
interface JournalEnd {
  /** The cluster that answers. */
  readonly clusterId: string
  readonly last: LastEntry | undefined
}

/** The last entry. */
export interface LastEntry extends JournalHead {
  readonly key: TransferKey
  readonly chainedAt: Date
  readonly clusterId: string
  /** False when the transactions of this cluster are not counted on from the entry's: the ledger came from elsewhere. */
  readonly isOfHere: boolean
}

interface EndRow {
  readonly here: string
  readonly entry_no: string | null
  readonly chain_hash: Buffer
  readonly chained_at: Date
  readonly xid: string
  readonly merchant_id: string
  readonly transfer_id: string
  readonly cluster_id: string
  readonly is_of_here: boolean
}

export async function findJournalEnd(tx: Tx): Promise<JournalEnd> {
  const [row] = await tx.rows<EndRow>(FIND_END, [1])
  if (row === undefined) throw new Error('the cluster has no identifier')
  if (row.entry_no === null) return { clusterId: row.here, last: undefined }
  const last = {
    entryNo: Number(row.entry_no),
    chainHash: row.chain_hash,
    chainedAt: row.chained_at,
    key: { xid: row.xid, merchantId: row.merchant_id, transferId: row.transfer_id },
    clusterId: row.cluster_id,
    isOfHere: row.is_of_here,
  }
  return { clusterId: row.here, last }
}

/** A transfer that the chainer came by. */
export interface Candidate {
  readonly key: TransferKey
  /** Undefined when the transfer is in the journal already. */
  readonly contentHash: Buffer | undefined
}

interface CandidateRow {
  readonly xid: string
  readonly merchant_id: string
  readonly transfer_id: string
  readonly content_hash: Buffer | null
}

/** Transfers behind the key in the order of the journal, as far as nothing can come between any more. */
export function listCandidates(tx: Tx, after: TransferKey, limit: number): Promise<readonly Candidate[]> {
  return candidatesOf(tx, LIST_CANDIDATES, [after.xid, after.merchantId, after.transferId, limit])
}

/** The same for transfers whose transactions this cluster has not counted to yet, and which another one must have written. */
export function listFormerCandidates(
  tx: Tx,
  after: TransferKey,
  limit: number,
): Promise<readonly Candidate[]> {
  return candidatesOf(tx, LIST_FORMER_CANDIDATES, [after.xid, after.merchantId, after.transferId, limit])
}

async function candidatesOf(
  tx: Tx,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly Candidate[]> {
  const rows = await tx.rows<CandidateRow>(statement, values)
  return rows.map((row) => ({
    key: { xid: row.xid, merchantId: row.merchant_id, transferId: row.transfer_id },
    contentHash: row.content_hash ?? undefined,
  }))
}

/** How long the first transfer behind the key has been there; 0 when there is none. */
export async function findWaitSeconds(tx: Tx, after: TransferKey): Promise<number> {
  const values = [after.xid, after.merchantId, after.transferId, 1]
  const [row] = await tx.rows<{ wait_seconds: number }>(FIND_WAIT, values)
  return row?.wait_seconds ?? 0
}

/** A line to be added to the journal. */
export interface NewEntry extends JournalHead {
  readonly key: TransferKey
  readonly contentHash: Buffer
}

export async function insertEntries(tx: Tx, entries: readonly NewEntry[], clusterId: string): Promise<void> {
  await tx.rows(INSERT_ENTRIES, [
    entries.map((entry) => entry.entryNo),
    entries.map((entry) => entry.key.merchantId),
    entries.map((entry) => entry.key.transferId),
    entries.map((entry) => entry.key.xid),
    clusterId,
    entries.map((entry) => entry.contentHash),
    entries.map((entry) => entry.chainHash),
  ])
}

/** An entry as people read it, with its transfer and postings as they are today. */
export interface JournalEntry extends JournalHead {
  readonly merchantId: string
  readonly transferId: string
  readonly contentHash: Buffer
  readonly chainedAt: Date
  /** Undefined when the transfer is gone. */
  readonly transfer: JournalTransfer | undefined
  readonly postings: readonly (Posting & { readonly currencyCode: string })[]
}

/** A transfer of the journal. */
interface JournalTransfer {
  readonly event: string
  readonly kind: string
  readonly idPayment: string
  readonly createdAt: Date
  /** The text whose SHA-256 is the content hash while nothing was changed. */
  readonly content: string
}

interface EntryRow {
  readonly entry_no: string
  readonly merchant_id: string
  readonly transfer_id: string
  readonly content_hash: Buffer
  readonly chain_hash: Buffer
  readonly chained_at: Date
  readonly event: string
  readonly kind: string
  readonly id_payment: string
  readonly created_at: Date
  readonly content: string | null
  readonly postings: readonly (readonly [account: LedgerAccount, currencyCode: string, amount: string])[]
}

/** Entries from the number on, in their order. */
export async function listEntries(tx: Tx, fromNo: number, limit: number): Promise<readonly JournalEntry[]> {
  return (await tx.rows<EntryRow>(LIST_ENTRIES, [fromNo, limit])).map(toEntry)
}

function toEntry(row: EntryRow): JournalEntry {
  const { content } = row
  return {
    entryNo: Number(row.entry_no),
    merchantId: row.merchant_id,
    transferId: row.transfer_id,
    contentHash: row.content_hash,
    chainHash: row.chain_hash,
    chainedAt: row.chained_at,
    transfer: content === null ? undefined : toTransfer(row, content),
    postings: row.postings.map(([account, currencyCode, amount]) => ({
      account,
      currencyCode,
      amount: parsePlainAmount(amount),
    })),
  }
}

const toTransfer = (row: EntryRow, content: string): JournalTransfer => ({
  event: row.event,
  kind: row.kind,
  idPayment: row.id_payment,
  createdAt: row.created_at,
  content,
})
