import type { Statement, Tx } from '../../../platform/database.ts'
import {
  type Ageing,
  countOver,
  type ExpiringRows,
  LOOKED_AT,
  type Look,
  type Looked,
  type LookedRow,
  lookValues,
  moment,
  nextRows,
  type Over,
  removeNext,
  toLooked,
} from '../../../platform/expiry.ts'
import type { PaymentKey } from '../model.ts'
import { type PaymentRow, toKey } from '../rows.ts'

const SAME_PAYMENT = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.kind = ${other}.kind and ${one}.id_payment = ${other}.id_payment`
/** Payments `p` with which nobody has anything to do any more: no worker, and no person who reviews them. */
const AT_REST = `p.status <> 'CREATED' and p.processor_status <> 'IN_REVIEW'
        and not exists (select 1 from payment_tasks t where ${SAME_PAYMENT('t', 'p')})`

const INQUIRIES = `payment_inquiries i join payments p on ${SAME_PAYMENT('p', 'i')}`
/** Operators' words are kept for ever, and with them the answers that they rest on. */
const inquiryIsOver = ({ aged }: Ageing): string => `i.question <> 'OPERATOR'
        and ${aged('i.asked_at', 'i.merchant_id')} < ${moment('$1')} and ${aged('i.last_answered_at', 'i.merchant_id')} < ${moment('$1')} and ${AT_REST}
        and not exists (select 1 from payment_inquiries d where ${SAME_PAYMENT('d', 'i')} and d.question = 'OPERATOR')`
const deleteInquiriesBy = (ageing: Ageing): Statement => ({
  name: `payments_delete_inquiries_over${ageing.suffix}`,
  text: `with ${nextRows('merchant_id, kind, id_payment, inquiry_id', 'asked_at', { rows: `payment_inquiries where question <> 'OPERATOR' and`, ageing })},
    gone as materialized (
      select i.merchant_id, i.kind, i.id_payment, i.inquiry_id from next n, ${INQUIRIES}
      where ${SAME_PAYMENT('i', 'n')} and i.inquiry_id = n.inquiry_id and ${inquiryIsOver(ageing)} for update of i skip locked),
    inquiries as (
      delete from payment_inquiries i using gone g where ${SAME_PAYMENT('i', 'g')} and i.inquiry_id = g.inquiry_id returning 1)
    select ${LOOKED_AT}, (select count(*) from inquiries)::int as removed`,
})
const countInquiriesBy = (ageing: Ageing): Statement => ({
  name: `payments_count_inquiries_over${ageing.suffix}`,
  text: `select count(*)::float8 as over, min(i.last_answered_at) as oldest_at from ${INQUIRIES} where ${inquiryIsOver(ageing)}`,
})

const LAST_CHANGES = `payments p join payment_timeline l on ${SAME_PAYMENT('l', 'p')} and l.entry_no = p.timeline_count`
/** The time begins with the last change of the payment. Money that waits for a decision may have to go back to the payer. */
const dataIsOver = ({
  aged,
}: Ageing): string => `${aged('l.happened_at', 'l.merchant_id')} < ${moment('$1')} and ${AT_REST}
        and exists (select 1 from payment_personal_data d
          where ${SAME_PAYMENT('d', 'p')} and d.sealed is not null
            and ${aged('d.collected_at', 'd.merchant_id')} < ${moment('$1')})
        and not exists (select 1 from statement_lines s where ${SAME_PAYMENT('s', 'p')} and s.open_amount > 0)`
/** Locked in the order of everyone else. */
const lockWithDataBy = (ageing: Ageing): Statement => ({
  name: `payments_lock_data_over${ageing.suffix}`,
  text: `with ${nextRows('merchant_id, kind, id_payment', 'collected_at', { rows: 'payment_personal_data where sealed is not null and', ageing })},
    gone as materialized (
      select p.merchant_id, p.kind, p.id_payment from ${LAST_CHANGES}
      where (p.merchant_id, p.kind, p.id_payment) in (select merchant_id, kind, id_payment from next) and ${dataIsOver(ageing)}
      order by p.merchant_id, p.kind, p.id_payment for update of p skip locked)
    select ${LOOKED_AT}, gone.* from (values (1)) one left join gone on true`,
})
/** Asked under the lock: another worker may have erased a payment between the look and the lock. */
const listLockedBy = (ageing: Ageing): Statement => ({
  name: `payments_list_data_over${ageing.suffix}`,
  text: `select p.merchant_id, p.kind, p.id_payment from ${LAST_CHANGES}
    where (p.merchant_id, p.kind, p.id_payment) in (select * from unnest($2::bigint[], $3::text[], $4::text[])) and ${dataIsOver(ageing)}`,
})
const countWithDataBy = (ageing: Ageing): Statement => ({
  name: `payments_count_data_over${ageing.suffix}`,
  text: `select count(*)::float8 as over, min(l.happened_at) as oldest_at from ${LAST_CHANGES} where ${dataIsOver(ageing)}`,
})

/** Answers of institutions about payments at rest about which no operator has decided. */
export function expiringInquiries(ageing: Ageing): ExpiringRows {
  const remove = deleteInquiriesBy(ageing)
  const count = countInquiriesBy(ageing)
  return {
    remove: (db, look) => removeNext(db, remove, look),
    findOver: (tx, cutoffUs) => countOver(tx, count, [cutoffUs]),
  }
}

type KeyRow = Pick<PaymentRow, 'merchant_id' | 'kind' | 'id_payment'>
type LockedRow = LookedRow & (KeyRow | { readonly id_payment: null })

/** Payments whose personal data is over. */
interface PaymentsToErase {
  /** Locked until the transaction ends. */
  lock(tx: Tx, look: Look): Promise<Looked & { readonly payments: readonly PaymentKey[] }>
  /** How many there are. */
  count(tx: Tx, cutoffUs: string): Promise<Over>
}

export function paymentsToErase(ageing: Ageing): PaymentsToErase {
  const statements = { lock: lockWithDataBy(ageing), list: listLockedBy(ageing) }
  const count = countWithDataBy(ageing)
  return {
    lock: (tx, look) => lockPayments(tx, look, statements),
    count: (tx, cutoffUs) => countOver(tx, count, [cutoffUs]),
  }
}

async function lockPayments(
  tx: Tx,
  look: Look,
  statements: { readonly lock: Statement; readonly list: Statement },
): Promise<Looked & { readonly payments: readonly PaymentKey[] }> {
  const rows = await tx.rows<LockedRow>(statements.lock, lookValues(look))
  const locked = rows.filter((row) => row.id_payment !== null)
  const values = [
    look.cutoffUs,
    locked.map((row) => row.merchant_id),
    locked.map((row) => row.kind),
    locked.map((row) => row.id_payment),
  ]
  const payments = locked.length === 0 ? [] : await tx.rows<KeyRow>(statements.list, values)
  return { ...toLooked(rows[0]), payments: payments.map(toKey) }
}
