import type { Statement, Tx } from '../../../platform/database.ts'
import type { PayingCustomer } from './customer-payments.ts'

/** What the payments of a customer, and documents about them, hold of persons: how many of each. */
interface CustomerTraces {
  readonly payments: number
  /** Account data of payments: from the request and from the institution. */
  readonly personalData: number
  /** What receivers of callbacks answered. */
  readonly callbackAnswers: number
  /** What banks said of payers, in lines of statements. */
  readonly statementLines: number
  /** With their bytes, as all of these. */
  readonly payoutFiles: number
  /** Among them those in which somebody's payment has not ended. */
  readonly openPayoutFiles: number
  readonly payoutReports: number
  readonly confirmations: number
  /** What institutions told on their own. */
  readonly messages: number
  /** When the last one of them was done with. */
  readonly messagesDoneAt: Date | undefined
}

const COUNT: Statement = {
  name: 'payments_count_traces_of_customer',
  text: `with own as materialized (
      select merchant_id, kind, id_payment from payments where merchant_id = $1 and id_customer = $2),
    lines as materialized (
      select l.line_id, l.statement_id, length(l.sealed) > 0 as is_kept from statement_lines l join own using (merchant_id, kind, id_payment)),
    files as materialized (
      select f.file_id, exists (select from payout_file_payments o join payments p using (merchant_id, kind, id_payment)
          where o.file_id = f.file_id and p.status = 'CREATED') as is_open
      from payout_files f where length(f.sealed) > 0
        and f.file_id in (select x.file_id from payout_file_payments x join own using (merchant_id, kind, id_payment))),
    reports as materialized (
      select r.report_id, r.content_hash, length(r.sealed) > 0 as is_kept from payout_reports r
      where r.file_id in (select x.file_id from payout_file_payments x join own using (merchant_id, kind, id_payment))),
    messages as materialized (
      select n.done_at from rail_notifications n join own using (merchant_id, kind, id_payment) where n.sealed is not null)
    select (select count(*) from own)::int as payments,
      (select count(*) from payment_personal_data d join own using (merchant_id, kind, id_payment) where d.sealed is not null)::int
        as personal_data,
      (select count(*) from callback_events e join own on own.merchant_id = e.merchant_id and own.kind = e.kind
          and own.id_payment = e.id_entity
        join callback_attempts a using (event_id) where a.answer_start is not null)::int as callback_answers,
      (select count(*) from lines where is_kept)::int as statement_lines,
      (select count(*) from files)::int as payout_files,
      (select count(*) from files where is_open)::int as open_payout_files,
      (select count(*) from reports where is_kept)::int as payout_reports,
      (select count(*) from confirmations c where c.sealed is not null and (c.digest in (select content_hash from reports)
        or c.line_ids && array(select line_id from lines)
        or c.digest in (select f.content_hash from statement_files f join statements s using (file_id)
          join lines l using (statement_id))))::int as confirmations,
      (select count(*) from messages)::int as messages, (select max(done_at) from messages) as messages_done_at`,
}

interface TracesRow {
  readonly payments: number
  readonly personal_data: number
  readonly callback_answers: number
  readonly statement_lines: number
  readonly payout_files: number
  readonly open_payout_files: number
  readonly payout_reports: number
  readonly confirmations: number
  readonly messages: number
  readonly messages_done_at: Date | null
}

/** Counts what there is of a customer, as erasing finds it. */
export async function countCustomerTraces(tx: Tx, customer: PayingCustomer): Promise<CustomerTraces> {
  const [row] = await tx.rows<TracesRow>(COUNT, [customer.merchantId, customer.idCustomer])
  if (row === undefined) throw new Error('nothing was counted')
  return {
    payments: row.payments,
    personalData: row.personal_data,
    callbackAnswers: row.callback_answers,
    statementLines: row.statement_lines,
    payoutFiles: row.payout_files,
    openPayoutFiles: row.open_payout_files,
    payoutReports: row.payout_reports,
    confirmations: row.confirmations,
    messages: row.messages,
    messagesDoneAt: row.messages_done_at ?? undefined,
  }
}
