import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Database, Statement, Tx } from '../../../platform/database.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { CustomerService } from '../../customers/index.ts'
import type { PaymentKind, PaymentStatus } from '../model.ts'

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
  text: `select 1 from payments where merchant_id = $1 and id_customer = $2 and status = 'CREATED' and cell_of_merchant(merchant_id) is null limit 1`,
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
interface CustomerPaymentPage {
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
