import { parsePlainAmount } from '@tollgate/money'
import type { ChainHead } from '../../platform/chain/index.ts'
import type { Statement, Tx } from '../../platform/database.ts'
import type { LedgerAccount, Posting } from '../ledger/index.ts'
import { CONTENT_TEXT } from './content.ts'

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

/** An entry as people read it, with its transfer and postings as they are today. */
export interface JournalEntry extends ChainHead {
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

const HAS_UNCHAINED: Statement = {
  name: 'journal_has_unchained_of',
  text: `select exists (select from ledger_transfers where merchant_id = $1
      and xid > coalesce((select xid from ledger_journal order by entry_no desc limit 1), '0')) as "hasUnchained"`,
}

/** Whether something was booked for the merchant after the last entry of the journal. */
export async function hasUnchainedOf(tx: Tx, merchantId: string): Promise<boolean> {
  const [row] = await tx.rows<{ hasUnchained: boolean }>(HAS_UNCHAINED, [merchantId])
  return row?.hasUnchained === true
}
