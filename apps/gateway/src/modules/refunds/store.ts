import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Refunded, RefundKey } from './model.ts'

/** A payout counts until it is known that its money did not leave, or that it came back. While people look at it, it counts. */
export const COUNTS = `(p.status in ('CREATED', 'SUCCESS') or p.processor_status = 'IN_REVIEW')`
/** The payment `p` of a refund `r`. */
export const PAYMENT_OF = `p.merchant_id = r.merchant_id and p.kind = 'PAYOUT' and p.id_payment = r.id_payment`

const FIND_REFUNDED: Statement = {
  name: 'refunds_find_refunded',
  text: `select coalesce(sum(r.amount) filter (where ${COUNTS}), 0)::text as amount, count(*)::int as count
    from refunds r join payments p on ${PAYMENT_OF} where r.merchant_id = $1 and r.id_payin = $2`,
}
const FIND_PAID: Statement = {
  name: 'refunds_find_paid',
  text: `select coalesce(sum(r.amount), 0)::text as amount, count(*)::int as count
    from refunds r join payments p on ${PAYMENT_OF} where r.merchant_id = $1 and r.id_payin = $2 and p.status = 'SUCCESS'`,
}
const INSERT: Statement = {
  name: 'refunds_insert',
  text: `insert into refunds (merchant_id, id_payin, id_refund, id_payment, amount, currency_code)
    values ($1, $2, $3, $4, $5, $6) on conflict (merchant_id, id_payin, id_refund) do nothing returning 1`,
}
const LIST: Statement = {
  name: 'refunds_list',
  text: `select id_refund, id_payment from refunds where merchant_id = $1 and id_payin = $2 order by created_at, id_refund`,
}

interface AmountRow {
  readonly amount: string
  readonly count: number
}

async function amountBy(
  tx: Tx,
  statement: Statement,
  merchantId: string,
  idPayin: string,
): Promise<Refunded> {
  const [row] = await tx.rows<AmountRow>(statement, [merchantId, idPayin])
  return { amount: parsePlainAmount(row?.amount ?? '0'), count: row?.count ?? 0 }
}

/** What of the payin is refunded or may still be. Exact only while the caller has locked the payin. */
export const findRefunded = (tx: Tx, merchantId: string, idPayin: string): Promise<Refunded> =>
  amountBy(tx, FIND_REFUNDED, merchantId, idPayin)

/** What of the payin has been paid back. */
export const findPaidBack = (tx: Tx, merchantId: string, idPayin: string): Promise<Refunded> =>
  amountBy(tx, FIND_PAID, merchantId, idPayin)

interface NewRefund extends RefundKey {
  readonly idPayment: string
  readonly amount: string
  readonly currencyCode: string
}

/** Notes what a payout is for; false when a refund of this payin has the id. */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<boolean> {
  const { merchantId, idPayin, idRefund, idPayment, amount, currencyCode } = refund
  const rows = await tx.rows(INSERT, [merchantId, idPayin, idRefund, idPayment, amount, currencyCode])
  return rows.length > 0
}

/** The refunds of a payin, the oldest first, with the ids of their payouts. */
export async function listRefunds(
  tx: Tx,
  merchantId: string,
  idPayin: string,
): Promise<readonly { readonly idRefund: string; readonly idPayment: string }[]> {
  const rows = await tx.rows<{ id_refund: string; id_payment: string }>(LIST, [merchantId, idPayin])
  return rows.map((row) => ({ idRefund: row.id_refund, idPayment: row.id_payment }))
}
