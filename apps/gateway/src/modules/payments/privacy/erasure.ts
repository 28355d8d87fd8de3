import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../model.ts'
import { KEYS, keyArrays } from '../rows.ts'
import type { PayingCustomer } from './customer-payments.ts'

const OF_PAYMENT = (table: string): string =>
  `${table}.merchant_id = p.merchant_id and ${table}.kind = p.kind and ${table}.id_payment = p.id_payment`

/**
 * What erases payments `p` that are named by `which` and have ended: an institution may still need the data of the others.
 * In this order. The marks against new data go first: what was being collected is then there for the erasure to see, and
 * what comes later finds the place taken.
 */
const erasuresOf = (suffix: string, which: string): readonly Statement[] => {
  const ended = `${which} and p.status <> 'CREATED'`
  return [
    {
      // Locked in the order of everyone else. Without `takesReference` no new reference is accepted; an empty digest equals
      // none, so that a repeat of the request counts as another one.
      name: `payments_erase_${suffix}`,
      text: `with ended as materialized (
        select p.merchant_id, p.kind, p.id_payment from payments p
        where ${ended} and (p.external_reference is not null or p.return_url is not null or p.beneficiary_digest is not null
          or length(p.request_digest) > 0 or p.instructions ? 'takesReference')
        order by p.merchant_id, p.kind, p.id_payment for update)
      update payments p set external_reference = null, return_url = null, beneficiary_digest = null, request_digest = '',
        instructions = p.instructions - 'takesReference'
      from ended where ${OF_PAYMENT('ended')}`,
    },
    {
      name: `payments_mark_erased_${suffix}`,
      text: `insert into payment_personal_data (merchant_id, kind, id_payment, source)
      select p.merchant_id, p.kind, p.id_payment, s.source
      from payments p cross join (values ('REQUEST'), ('PROCESS')) as s(source)
      where ${ended} and not exists (select 1 from payment_personal_data d where ${OF_PAYMENT('d')} and d.source = s.source)
      order by p.merchant_id, p.kind, p.id_payment, s.source on conflict do nothing`,
    },
    {
      name: `payments_erase_personal_data_${suffix}`,
      text: `update payment_personal_data d set data_key = null, sealed = null
      from payments p where ${ended} and ${OF_PAYMENT('d')} and d.sealed is not null`,
    },
    {
      name: `payments_erase_references_${suffix}`,
      text: `delete from payment_external_references r using payments p where ${ended} and ${OF_PAYMENT('r')}`,
    },
    {
      // What a receiver answered may repeat what it knows of the customer.
      name: `payments_erase_answers_${suffix}`,
      text: `update callback_attempts a set answer_start = null
      from payments p, callback_events e
      where ${ended} and e.id_entity = p.id_payment and e.merchant_id = p.merchant_id and e.kind = p.kind
        and a.event_id = e.event_id and a.answer_start is not null`,
    },
    {
      // What the bank said of the payer. Money that waits for a decision may have to go back to where it came from.
      name: `payments_erase_statement_lines_${suffix}`,
      text: `update statement_lines l set data_key = '', sealed = ''
      from payments p where ${ended} and ${OF_PAYMENT('l')} and l.open_amount = 0 and length(l.sealed) > 0`,
    },
  ]
}

const ERASURES_OF_CUSTOMER = erasuresOf('of_customer', 'p.merchant_id = $1 and p.id_customer = $2')
const ERASURES_BY_KEYS = erasuresOf(
  'by_keys',
  `(p.merchant_id, p.kind, p.id_payment) in (select k.merchant_id, k.kind, k.id_payment from ${KEYS})`,
)

/**
 * Erases what the customer's ended payments hold of persons: account data from the request and from the institution,
 * external references, return URLs, the digests of both, what receivers of callbacks answered, and what banks said of payers
 * in lines of statements that are decided. None of it can come back afterwards. Amounts, statuses, history, bookings and callback URLs stay. Safe to repeat; finds nothing then.
 */
export async function eraseCustomerPayments(tx: Tx, customer: PayingCustomer): Promise<void> {
  for (const erasure of ERASURES_OF_CUSTOMER)
    await tx.rows(erasure, [customer.merchantId, customer.idCustomer])
}

/** Erases the same of payments that the caller has locked, whoever's they are; those that have not ended are left alone. */
export async function erasePayments(tx: Tx, keys: readonly PaymentKey[]): Promise<void> {
  for (const erasure of ERASURES_BY_KEYS) await tx.rows(erasure, keyArrays(keys))
}
