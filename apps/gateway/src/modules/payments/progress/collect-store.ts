import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment, PaymentKey } from '../model.ts'
import { keyArrays, PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

const LIST_COLLECTABLE: Statement = {
  name: 'payments_list_collectable',
  // By way of their expiry: what an institution has, or what has ended, is not among those tasks.
  text: `select ${PAYMENT_COLUMNS} from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED' and p.processor_status = 'QUEUED'
      and p.submitted_at is null and p.rail = $1 and p.currency_code = $2
      and not (p.merchant_id::text || ' ' || p.kind || ' ' || p.id_payment = any ($3::text[]))
    order by p.created_at, p.merchant_id, p.kind, p.id_payment limit $4`,
}
const UPDATE_COLLECTED: Statement = {
  name: 'payments_update_collected',
  text: `with named as (
      select * from unnest($1::bigint[], $2::text[], $3::text[]) as n(merchant_id, kind, id_payment)),
    submitted as (
      update payments p set submitted_at = statement_timestamp(), processor_status = 'SUBMITTED', timeline_count = p.timeline_count + 1
      from named n where p.merchant_id = n.merchant_id and p.kind = n.kind and p.id_payment = n.id_payment
        and p.status = 'CREATED' and p.processor_status = 'QUEUED' and p.submitted_at is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $4, $5 from submitted),
    done as (
      delete from payment_tasks t using submitted s
      where t.merchant_id = s.merchant_id and t.kind = s.kind and t.id_payment = s.id_payment and t.task in ('EXPIRE', 'RAIL'))
    select count(*)::int as submitted from submitted`,
}

/** Which payments wait to be collected: of one rail, in one currency, but for some. */
export interface CollectQuery {
  readonly rail: string
  readonly currencyCode: string
  /** As `textOf` names them. */
  readonly except: readonly string[]
  readonly limit: number
}

/** Outgoing payments that may be handed over, the oldest first, not locked. */
export async function listCollectable(tx: Tx, query: CollectQuery): Promise<readonly Payment[]> {
  const { rail, currencyCode, except, limit } = query
  const rows = await tx.rows<PaymentRow>(LIST_COLLECTABLE, [rail, currencyCode, except, limit])
  return rows.map(toPayment)
}

/** Notes that payments, which the caller has locked, are being handed over together; answers how many were. */
export async function updateCollected(
  tx: Tx,
  keys: readonly PaymentKey[],
  by: { readonly actor: string; readonly reason: string },
): Promise<number> {
  const [row] = await tx.rows<{ submitted: number }>(UPDATE_COLLECTED, [
    ...keyArrays(keys),
    by.actor,
    by.reason,
  ])
  return row?.submitted ?? 0
}
