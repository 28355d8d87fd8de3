import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Database, Statement, Tx } from '../../platform/database.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CustomerService } from '../customers/index.ts'
import type { PaymentKind, PaymentStatus } from './model.ts'

/** Names a customer, as the room of customers does. */
export interface PayingCustomer {
  readonly merchantId: string
  readonly idCustomer: string
}

/** A place in the list of a customer's payments. Finer than a Date: two payments may share a millisecond. */
export interface PaymentPosition {
  /** Microseconds since 1970. */
  readonly createdAtUs: string
  readonly kind: PaymentKind
  readonly idPayment: string
}

/** A payment as the list of a customer's payments has it. */
export interface CustomerPayment extends PaymentPosition {
  readonly status: PaymentStatus
  readonly money: Money
  readonly methodCode: string
  readonly createdAt: Date
}

const LIST: Statement = {
  name: 'payments_list_of_customer',
  text: `select kind, id_payment, status, amount, currency_code, method_code, created_at,
      (extract(epoch from created_at) * 1000000)::bigint::text as created_at_us
    from payments where merchant_id = $1 and id_customer = $2
      and ($3::bigint is null or (created_at, kind, id_payment) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::text, $5::text))
    order by created_at desc, kind desc, id_payment desc limit $6`,
}
const FIND_OPEN: Statement = {
  name: 'payments_find_open_of_customer',
  text: `select 1 from payments where merchant_id = $1 and id_customer = $2 and status = 'CREATED' limit 1`,
}

interface Row {
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly status: PaymentStatus
  readonly amount: string
  readonly currency_code: string
  readonly method_code: string
  readonly created_at: Date
  readonly created_at_us: string
}

/** The customer's payments of every kind, the newest first, from after a place of an earlier page. */
export async function listCustomerPayments(
  tx: Tx,
  customer: PayingCustomer,
  page: { readonly after: PaymentPosition | undefined; readonly limit: number },
): Promise<readonly CustomerPayment[]> {
  const { after, limit } = page
  const place = [after?.createdAtUs ?? null, after?.kind ?? null, after?.idPayment ?? null]
  const rows = await tx.rows<Row>(LIST, [customer.merchantId, customer.idCustomer, ...place, limit])
  return rows.map((row) => ({
    kind: row.kind,
    idPayment: row.id_payment,
    status: row.status,
    money: { amount: parsePlainAmount(row.amount), currencyCode: row.currency_code },
    methodCode: row.method_code,
    createdAt: row.created_at,
    createdAtUs: row.created_at_us,
  }))
}

/** A part of the list. */
export interface CustomerPaymentPage {
  readonly payments: readonly CustomerPayment[]
  readonly hasMore: boolean
}

/** What the customers of a merchant paid and were paid. */
export interface CustomerPaymentService {
  /** Throws ENTITY_NOT_FOUND for a customer that is unknown or was erased. */
  list(
    customer: PayingCustomer,
    page: Parameters<typeof listCustomerPayments>[2],
  ): Promise<CustomerPaymentPage>
}

export function createCustomerPaymentService(deps: {
  readonly db: Database
  readonly customers: Pick<CustomerService, 'findForPayment'>
}): CustomerPaymentService {
  return {
    async list(customer, { after, limit }) {
      const standing = await deps.customers.findForPayment(customer.merchantId, customer.idCustomer)
      if (standing === undefined) throw new Refusal('ENTITY_NOT_FOUND')
      const found = await listCustomerPayments(deps.db, customer, { after, limit: limit + 1 })
      return { payments: found.slice(0, limit), hasMore: found.length > limit }
    },
  }
}

/** Whether a payment of the customer has not ended. */
export async function hasOpenPayments(tx: Tx, customer: PayingCustomer): Promise<boolean> {
  return (await tx.rows(FIND_OPEN, [customer.merchantId, customer.idCustomer])).length > 0
}

/** Payments `p` that have ended: an institution may still need the data of the others. */
const ENDED = `p.merchant_id = $1 and p.id_customer = $2 and p.status <> 'CREATED'`
const OF_PAYMENT = (table: string): string =>
  `${table}.merchant_id = p.merchant_id and ${table}.kind = p.kind and ${table}.id_payment = p.id_payment`

/**
 * In this order. The marks against new data go first: what was being collected is then there for the erasure to see, and
 * what comes later finds the place taken.
 */
const ERASURES: readonly Statement[] = [
  {
    // Locked in the order of everyone else. Without `takesReference` no new reference is accepted; an empty digest equals
    // none, so that a repeat of the request counts as another one.
    name: 'payments_erase_of_customer',
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
    name: 'payments_mark_erased_of_customer',
    text: `insert into payment_personal_data (merchant_id, kind, id_payment, source)
      select p.merchant_id, p.kind, p.id_payment, s.source
      from payments p cross join (values ('REQUEST'), ('PROCESS')) as s(source)
      where ${ENDED} and not exists (select 1 from payment_personal_data d where ${OF_PAYMENT('d')} and d.source = s.source)
      order by p.merchant_id, p.kind, p.id_payment, s.source on conflict do nothing`,
  },
  {
    name: 'payments_erase_personal_data_of_customer',
    text: `update payment_personal_data d set data_key = null, sealed = null
      from payments p where ${ENDED} and ${OF_PAYMENT('d')} and d.sealed is not null`,
  },
  {
    name: 'payments_erase_references_of_customer',
    text: `delete from payment_external_references r using payments p where ${ENDED} and ${OF_PAYMENT('r')}`,
  },
  {
    // What a receiver answered may repeat what it knows of the customer.
    name: 'payments_erase_answers_of_customer',
    text: `update callback_attempts a set answer_start = null
      from payments p, callback_events e
      where ${ENDED} and e.id_entity = p.id_payment and e.merchant_id = p.merchant_id and e.kind = p.kind
        and a.event_id = e.event_id and a.answer_start is not null`,
  },
  {
    // What the bank said of the payer. Money that waits for a decision may have to go back to where it came from.
    name: 'payments_erase_statement_lines_of_customer',
    text: `update statement_lines l set data_key = '', sealed = ''
      from payments p where ${ENDED} and ${OF_PAYMENT('l')} and l.open_amount = 0 and length(l.sealed) > 0`,
  },
]

/**
 * Erases what the customer's ended payments hold of persons: account data from the request and from the institution,
 * external references, return URLs, the digests of both, what receivers of callbacks answered, and what banks said of payers
 * in lines of statements that are decided. None of it can come back afterwards. Amounts, statuses, history, bookings and callback URLs stay. Safe to repeat; finds nothing then.
 */
export async function eraseCustomerPayments(tx: Tx, customer: PayingCustomer): Promise<void> {
  for (const erasure of ERASURES) await tx.rows(erasure, [customer.merchantId, customer.idCustomer])
}
