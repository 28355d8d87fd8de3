import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment } from '../model.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

const FIND: Statement = {
  name: 'payments_find_by_reference',
  text: `select ${PAYMENT_COLUMNS} from payments p where p.reference = $1 limit 2`,
}

const FIND_CELL: Statement = {
  name: 'payments_find_cell',
  text: 'select cell_of_merchant($1) as cell',
}

/** The cell in which payments of the merchant go on; undefined where that is this one. */
export async function findCellOf(
  tx: Tx,
  { merchantId }: Pick<Payment, 'merchantId'>,
): Promise<string | undefined> {
  const [row] = await tx.rows<{ cell: string | null }>(FIND_CELL, [merchantId])
  return row?.cell ?? undefined
}

/**
 * The payment of our reference, whoever its merchant is; undefined when there is none. References are drawn by chance and
 * not unique by a constraint, so that two are possible: then neither is the one.
 */
export async function findPaymentByReference(tx: Tx, reference: string): Promise<Payment | undefined> {
  const [row, ...others] = await tx.rows<PaymentRow>(FIND, [reference])
  return row === undefined || others.length > 0 ? undefined : toPayment(row)
}
