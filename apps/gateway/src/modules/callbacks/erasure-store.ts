import type { Statement, Tx } from '../../platform/database.ts'

/** A payment that callbacks are about. */
interface PaymentKey {
  readonly merchantId: string
  readonly kind: string
  readonly idPayment: string
}

const KEYS = 'unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)'
const ATTEMPTS = `k.id_payment = e.id_entity and k.merchant_id = e.merchant_id and k.kind = e.kind
        and a.event_id = e.event_id and a.answer_start is not null`
const ERASE: Statement = {
  name: 'callbacks_erase_answers',
  text: `update callback_attempts a set answer_start = null from ${KEYS}, callback_events e where ${ATTEMPTS}`,
}
const COUNT: Statement = {
  name: 'callbacks_count_answers',
  text: `select count(*)::int as answers from ${KEYS}, callback_events e, callback_attempts a where ${ATTEMPTS}`,
}

const valuesOf = (keys: readonly PaymentKey[]): readonly unknown[] => [
  keys.map((key) => key.merchantId),
  keys.map((key) => key.kind),
  keys.map((key) => key.idPayment),
]

/** Erases what receivers answered to callbacks about the payments: it may repeat what they know of the customer. */
export async function eraseAnswers(tx: Tx, keys: readonly PaymentKey[]): Promise<void> {
  await tx.rows(ERASE, valuesOf(keys))
}

/** How many answers of receivers there are to callbacks about the payments. */
export async function countAnswers(tx: Tx, keys: readonly PaymentKey[]): Promise<number> {
  const [row] = await tx.rows<{ answers: number }>(COUNT, valuesOf(keys))
  return row?.answers ?? 0
}
