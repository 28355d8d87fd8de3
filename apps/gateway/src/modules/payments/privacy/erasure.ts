import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../model.ts'
import { KEYS, keyArrays } from '../rows.ts'

const OF_PAYMENT = (table: string): string =>
  `${table}.merchant_id = p.merchant_id and ${table}.kind = p.kind and ${table}.id_payment = p.id_payment`

/** Payments `p` that have ended: an institution may still need the data of the others. Those of another cell end there, and are history here. */
const ENDED = `(p.merchant_id, p.kind, p.id_payment) in (select k.merchant_id, k.kind, k.id_payment from ${KEYS})
        and (p.status <> 'CREATED' or cell_of_merchant(p.merchant_id) is not null)`

/**
 * In this order. The marks against new data go first: what was being collected is then there for the erasure to see, and what
 * comes later finds the place taken.
 */
const ERASURES: readonly Statement[] = [
  {
    // Locked in the order of everyone else. Without `takesReference` no new reference is accepted; an empty digest equals none,
    // so that a repeat of the request counts as another one.
    name: 'payments_erase',
    text: `with ended as materialized (
        select p.merchant_id, p.kind, p.id_payment from payments p
        where ${ENDED} and (p.external_reference is not null or p.return_url is not null or p.beneficiary_digest is not null
          or length(p.request_digest) > 0 or p.instructions ? 'takesReference')
        order by p.merchant_id, p.kind, p.id_payment for update)
      update payments p set external_reference = null, return_url = null, beneficiary_digest = null, request_digest = '',
        instructions = p.instructions - 'takesReference'
      from ended where ${OF_PAYMENT('ended')}`,
  },
  {
    name: 'payments_mark_erased',
    text: `insert into payment_personal_data (merchant_id, kind, id_payment, source)
      select p.merchant_id, p.kind, p.id_payment, s.source
      from payments p cross join (values ('REQUEST'), ('PROCESS')) as s(source)
      where ${ENDED} and not exists (select 1 from payment_personal_data d where ${OF_PAYMENT('d')} and d.source = s.source)
      order by p.merchant_id, p.kind, p.id_payment, s.source on conflict do nothing`,
  },
  {
    name: 'payments_erase_personal_data',
    text: `update payment_personal_data d set data_key = null, sealed = null
      from payments p where ${ENDED} and ${OF_PAYMENT('d')} and d.sealed is not null`,
  },
  {
    name: 'payments_erase_references',
    text: `delete from payment_external_references r using payments p where ${ENDED} and ${OF_PAYMENT('r')}`,
  },
]

/**
 * Erases what the payments among these that have ended hold of persons: account data from the request and from the institution,
 * external references, return URLs, and the digests of both. None of it can come back afterwards. Amounts, statuses, history,
 * bookings and callback URLs stay. Safe to repeat; finds nothing then.
 */
export async function erasePayments(tx: Tx, keys: readonly PaymentKey[]): Promise<void> {
  for (const erasure of ERASURES) await tx.rows(erasure, keyArrays(keys))
}
