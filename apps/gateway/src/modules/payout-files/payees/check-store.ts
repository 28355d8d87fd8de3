import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../../payments/index.ts'
import { type PayeeVerification, statusCodeOf } from '../reasons.ts'

const LIST_UNCHECKED: Statement = {
  name: 'payee_checks_list_unchecked',
  // By way of their expiry, as what waits for a file: what a bank has, or what has ended, is not among those tasks.
  text: `select p.merchant_id, p.kind, p.id_payment from payment_tasks t
    join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYOUT', 'SETTLEMENT') and p.status = 'CREATED'
      and p.processor_status in ('AWAITING_APPROVAL', 'QUEUED', 'ON_HOLD') and p.submitted_at is null
      and p.rail = $1 and p.currency_code = any ($2)
      and not exists (select from payee_checks c where c.merchant_id = p.merchant_id and c.kind = p.kind and c.id_payment = p.id_payment)
      and not (p.merchant_id::text || ' ' || p.kind || ' ' || p.id_payment = any ($3::text[]))
    order by p.created_at, p.merchant_id, p.kind, p.id_payment limit $4`,
}
const INSERT: Statement = {
  name: 'payee_checks_insert',
  text: `insert into payee_checks (merchant_id, kind, id_payment, status_code, answered_by) values ($1, $2, $3, $4, $5)
    on conflict (merchant_id, kind, id_payment) do nothing returning check_no`,
}
/** Payouts that no bank has yet, and of whose payee nothing was said, the oldest first. */
export async function listUnchecked(
  tx: Tx,
  query: {
    readonly rail: string
    readonly currencyCodes: readonly string[]
    /** As `textOf` names them. */
    readonly except: readonly string[]
    readonly limit: number
  },
): Promise<readonly PaymentKey[]> {
  const { rail, currencyCodes, except, limit } = query
  const rows = await tx.rows<{ merchant_id: string; kind: PaymentKind; id_payment: string }>(LIST_UNCHECKED, [
    rail,
    currencyCodes,
    except,
    limit,
  ])
  return rows.map((row) => ({ merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment }))
}

/** Notes what was said; false when it was said before, which stays. */
export async function insertCheck(
  tx: Tx,
  { merchantId, kind, idPayment }: PaymentKey,
  {
    result,
    answeredBy,
  }: {
    readonly result: PayeeVerification
    /** The name of the adapter's secret. */
    readonly answeredBy: string
  },
): Promise<boolean> {
  return (await tx.rows(INSERT, [merchantId, kind, idPayment, statusCodeOf(result), answeredBy])).length > 0
}
