import type { Statement, Tx } from '../../platform/database.ts'

const CUTOFF = '($1::integer > 0 and %at% < clock_timestamp() - make_interval(days => $1::integer))'
const before = (at: string): string => CUTOFF.replace('%at%', at)

/** A kind of documents: which of them, named `k`, lose their bytes. $1 are days. */
interface Documents {
  readonly table: string
  readonly key: string
  /** The order in which they are erased. */
  readonly order: string
  readonly erased: string
  /** When it came to its end at the earliest. */
  readonly at: string
  readonly where: string
}

/**
 * A file may have to be fetched as long as one of its payments is open, or while the folder still waits for it. Erasing one of
 * the persons who are paid takes the bytes of all.
 */
const FILES: Documents = {
  ...{ table: 'payout_files', key: 'file_id', order: 'file_no', at: 'created_at' },
  erased: `data_key = '', sealed = ''`,
  where: `length(k.sealed) > 0
        and (not k.is_for_folder or exists (
          select from payout_file_events e where e.file_id = k.file_id and e.event in ('LAID', 'FETCHED', 'SUBMITTED')))
        and not exists (select from payout_file_payments x join payments p
            on p.merchant_id = x.merchant_id and p.kind = x.kind and p.id_payment = x.id_payment
          where x.file_id = k.file_id and p.status = 'CREATED')
        and (${before('k.created_at')} and not exists (select from payout_file_payments x join payments p
              on p.merchant_id = x.merchant_id and p.kind = x.kind and p.id_payment = x.id_payment
            join payment_timeline l on l.merchant_id = p.merchant_id and l.kind = p.kind and l.id_payment = p.id_payment
              and l.entry_no = p.timeline_count
            where x.file_id = k.file_id and not ${before('l.happened_at')})
          or exists (select from payout_file_payments x join payment_personal_data d
              on d.merchant_id = x.merchant_id and d.kind = x.kind and d.id_payment = x.id_payment
            where x.file_id = k.file_id and d.source = 'REQUEST' and d.sealed is null))`,
}
/** What a report says is in its entries. */
const REPORTS: Documents = {
  ...{ table: 'payout_reports', key: 'report_id', order: 'report_id', at: 'received_at' },
  erased: `data_key = '', sealed = ''`,
  where: `length(k.sealed) > 0
        and not exists (select from payout_report_entries e where e.report_id = k.report_id and e.outcome is null)
        and (${before('k.received_at')}
          or exists (select from payout_files f where f.file_id = k.file_id and length(f.sealed) = 0))`,
}
/** Acts that have ended: by their age, or as soon as a person is erased from what came of them. */
const ACTS: Documents = {
  ...{ table: 'confirmations', key: 'confirmation_id', order: 'confirmation_id', at: 'ended_at' },
  erased: 'data_key = null, sealed = null',
  where: `k.state <> 'WAITING' and k.sealed is not null
        and (${before('k.ended_at')}
          or exists (select from payout_reports r where r.content_hash = k.digest and length(r.sealed) = 0)
          or exists (select from statement_lines l where l.line_id = any (k.line_ids) and length(l.sealed) = 0)
          or exists (select from statement_files f join statements s on s.file_id = f.file_id
            join statement_lines l on l.statement_id = s.statement_id
            where f.content_hash = k.digest and length(l.sealed) = 0))`,
}
/** In this order: what a file loses, its reports lose after it. */
const DOCUMENTS = [FILES, REPORTS, ACTS] as const

const ERASURES = DOCUMENTS.map(
  ({ table, key, order, erased, where }): Statement => ({
    name: `retention_erase_${table}`,
    text: `update ${table} d set ${erased} where d.${key} in (
      select k.${key} from ${table} k where ${where}
      order by k.${order} limit $2 for update skip locked)
    returning 1`,
  }),
)
const COUNTS = DOCUMENTS.map(
  ({ table, at, where }): Statement => ({
    name: `retention_count_${table}`,
    text: `select count(*)::int as over, min(k.${at}) as oldest_at from ${table} k where ${where}`,
  }),
)

/**
 * Removes the bytes of documents that nobody needs any more: files of payouts, reports about them, and what waited for a second
 * operator. After so many days (0: never), and earlier when a person in them was erased. Digests, sums and references stay.
 * At most so many of each; answers how many it were.
 */
export async function eraseDocuments(tx: Tx, days: number, limit: number): Promise<number> {
  let erased = 0
  for (const statement of ERASURES) erased += (await tx.rows(statement, [days, limit])).length
  return erased
}

/** How many documents the next round takes the bytes of, and when the oldest of them came or ended. */
export async function countDocumentsOver(
  tx: Tx,
  days: number,
): Promise<{ readonly over: number; readonly oldestAt: Date | undefined }> {
  let over = 0
  let oldestAt: Date | undefined
  for (const statement of COUNTS) {
    const [row] = await tx.rows<{ over: number; oldest_at: Date | null }>(statement, [days])
    over += row?.over ?? 0
    const at = row?.oldest_at ?? undefined
    if (at !== undefined && (oldestAt === undefined || at < oldestAt)) oldestAt = at
  }
  return { over, oldestAt }
}
