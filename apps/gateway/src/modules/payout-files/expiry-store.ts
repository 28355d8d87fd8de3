import type { Statement } from '../../platform/database.ts'
import { countOver, daysAgo, type ExpiringDocuments } from '../../platform/expiry.ts'

const PAYMENTS = `payout_file_payments x join payments p
            on p.merchant_id = x.merchant_id and p.kind = x.kind and p.id_payment = x.id_payment`
/**
 * A file `f` may have to be fetched as long as one of its payments is open, or while the folder still waits for it. Erasing one
 * of the persons who are paid takes the bytes of all.
 */
const FILE_IS_OVER = `length(f.sealed) > 0
        and (not f.is_for_folder or exists (
          select from payout_file_events e where e.file_id = f.file_id and e.event in ('LAID', 'FETCHED', 'SUBMITTED')))
        and not exists (select from payout_file_puts u where u.file_id = f.file_id and u.state not in ('PUT', 'BY_HAND'))
        and not exists (select from ${PAYMENTS} where x.file_id = f.file_id and p.status = 'CREATED')
        and (${daysAgo('f.created_at')} and not exists (select from ${PAYMENTS}
            join payment_timeline l on l.merchant_id = p.merchant_id and l.kind = p.kind and l.id_payment = p.id_payment
              and l.entry_no = p.timeline_count
            where x.file_id = f.file_id and not ${daysAgo('l.happened_at')})
          or exists (select from payout_file_payments x join payment_personal_data d
              on d.merchant_id = x.merchant_id and d.kind = x.kind and d.id_payment = x.id_payment
            where x.file_id = f.file_id and d.source = 'REQUEST' and d.sealed is null))`
/** What a report `r` says is in its entries. It goes with the file that it is about. */
const REPORT_IS_OVER = `length(r.sealed) > 0
        and not exists (select from payout_report_entries e where e.report_id = r.report_id and e.outcome is null)
        and (${daysAgo('r.received_at')}
          or exists (select from payout_files f where f.file_id = r.file_id and length(f.sealed) = 0))`

const ERASE_FILES: Statement = {
  name: 'payout_files_erase_over',
  text: `update payout_files set data_key = '', sealed = '' where file_id in (
      select f.file_id from payout_files f where ${FILE_IS_OVER} order by f.file_no limit $2 for update skip locked)
    returning 1`,
}
const COUNT_FILES: Statement = {
  name: 'payout_files_count_over',
  text: `select count(*)::int as over, min(f.created_at) as oldest_at from payout_files f where ${FILE_IS_OVER}`,
}
const ERASE_REPORTS: Statement = {
  name: 'payout_reports_erase_over',
  text: `update payout_reports set data_key = '', sealed = '' where report_id in (
      select r.report_id from payout_reports r where ${REPORT_IS_OVER} order by r.report_id limit $2 for update skip locked)
    returning 1`,
}
const COUNT_REPORTS: Statement = {
  name: 'payout_reports_count_over',
  text: `select count(*)::int as over, min(r.received_at) as oldest_at from payout_reports r where ${REPORT_IS_OVER}`,
}

/** The bytes of payout files. Digests, sums and references stay. */
export const EXPIRING_FILES: ExpiringDocuments = {
  erase: async (tx, days, limit) => (await tx.rows(ERASE_FILES, [days, limit])).length,
  findOver: (tx, days) => countOver(tx, COUNT_FILES, [days]),
}

/** The bytes of status reports. Their entries stay. */
export const EXPIRING_REPORTS: ExpiringDocuments = {
  erase: async (tx, days, limit) => (await tx.rows(ERASE_REPORTS, [days, limit])).length,
  findOver: (tx, days) => countOver(tx, COUNT_REPORTS, [days]),
}
