import type { Statement, Tx } from '../../platform/database.ts'

const CUTOFF = '($1::integer > 0 and %at% < clock_timestamp() - make_interval(days => $1::integer))'
const before = (at: string): string => CUTOFF.replace('%at%', at)

/**
 * A file may have to be fetched as long as one of its payments is open, or while the folder still waits for it. Erasing one of
 * the persons who are paid takes the bytes of all.
 */
const ERASE_FILES: Statement = {
  name: 'retention_erase_payout_files',
  text: `update payout_files f set data_key = '', sealed = '' where f.file_id in (
      select k.file_id from payout_files k where length(k.sealed) > 0
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
            where x.file_id = k.file_id and d.source = 'REQUEST' and d.sealed is null))
      order by k.file_no limit $2 for update skip locked)
    returning 1`,
}
/** What a report says is in its entries. */
const ERASE_REPORTS: Statement = {
  name: 'retention_erase_payout_reports',
  text: `update payout_reports r set data_key = '', sealed = '' where r.report_id in (
      select k.report_id from payout_reports k where length(k.sealed) > 0
        and not exists (select from payout_report_entries e where e.report_id = k.report_id and e.outcome is null)
        and (${before('k.received_at')}
          or exists (select from payout_files f where f.file_id = k.file_id and length(f.sealed) = 0))
      order by k.report_id limit $2 for update skip locked)
    returning 1`,
}
/** Acts that have ended: by their age, or as soon as a person is erased from what came of them. */
const ERASE_ACTS: Statement = {
  name: 'retention_erase_confirmations',
  text: `update confirmations c set data_key = null, sealed = null where c.confirmation_id in (
      select k.confirmation_id from confirmations k where k.state <> 'WAITING' and k.sealed is not null
        and (${before('k.ended_at')}
          or exists (select from payout_reports r where r.content_hash = k.digest and length(r.sealed) = 0)
          or exists (select from statement_lines l where l.line_id = any (k.line_ids) and length(l.sealed) = 0)
          or exists (select from statement_files f join statements s on s.file_id = f.file_id
            join statement_lines l on l.statement_id = s.statement_id
            where f.content_hash = k.digest and length(l.sealed) = 0))
      order by k.confirmation_id limit $2 for update skip locked)
    returning 1`,
}

/**
 * Removes the bytes of documents that nobody needs any more: files of payouts, reports about them, and what waited for a second
 * operator. After so many days (0: never), and earlier when a person in them was erased. Digests, sums and references stay.
 * At most so many of each; answers how many it were.
 */
export async function eraseDocuments(tx: Tx, days: number, limit: number): Promise<number> {
  let erased = 0
  for (const statement of [ERASE_FILES, ERASE_REPORTS, ERASE_ACTS])
    erased += (await tx.rows(statement, [days, limit])).length
  return erased
}
