import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../model.ts'

const UPDATE_EXPIRE_AT: Statement = {
  name: 'payments_update_expire_at',
  text: `update payments set expire_at = clock_timestamp() where merchant_id = $1 and kind = $2 and id_payment = $3
    and is_test and status = 'CREATED' and processor_status <> 'UNKNOWN' and submitted_at is null and expire_at > clock_timestamp()`,
}
const UPDATE_UNKNOWN: Statement = {
  name: 'payment_tasks_upsert_unknown',
  text: `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at, unknown_since, unknown_answers)
    select merchant_id, kind, id_payment, 'RAIL', clock_timestamp() + make_interval(secs => $4), clock_timestamp(), 1
    from payments where merchant_id = $1 and kind = $2 and id_payment = $3 and is_test and status = 'CREATED'
    on conflict (merchant_id, kind, id_payment, task) do update
      set due_at = excluded.due_at, lease_token = null, unknown_since = excluded.unknown_since, unknown_answers = 1`,
}

/** Ends the time to pay of a payment of the sandbox, if nothing else ends it. */
export async function updateExpireAt(tx: Tx, key: PaymentKey): Promise<void> {
  await tx.rows(UPDATE_EXPIRE_AT, [key.merchantId, key.kind, key.idPayment])
}

/** Has the rail asked in so many seconds about a payment of the sandbox of which nobody knows what became. */
export async function updateUnknown(tx: Tx, key: PaymentKey, afterSeconds: number): Promise<void> {
  await tx.rows(UPDATE_UNKNOWN, [key.merchantId, key.kind, key.idPayment, afterSeconds])
}
