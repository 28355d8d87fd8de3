import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment } from '../model.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

const FIND: Statement = {
  name: 'payments_find_by_reference',
  text: `select ${PAYMENT_COLUMNS}, cell_of_merchant(p.merchant_id) as cell from payments p where p.reference = $1 limit 2`,
}

/** A payment, and the cell in which it goes on; undefined where that is this one. */
interface PlacedPayment {
  readonly payment: Payment
  readonly cell: string | undefined
}

/**
 * The payment of our reference, whoever its merchant is; undefined when there is none. References are drawn by chance and
 * not unique by a constraint, so that two are possible: then neither is the one.
 */
export async function findPaymentByReference(tx: Tx, reference: string): Promise<PlacedPayment | undefined> {
  const [row, ...others] = await tx.rows<PaymentRow & { readonly cell: string | null }>(FIND, [reference])
  if (row === undefined || others.length > 0) return undefined
  return { payment: toPayment(row), cell: row.cell ?? undefined }
}
