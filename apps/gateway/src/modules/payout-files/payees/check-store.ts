import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment, PaymentKey, PaymentKind } from '../../payments/index.ts'
import type { PayeeVerification } from '../reasons.ts'

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
  text: `insert into payee_checks (merchant_id, kind, id_payment, result, answered_by) values ($1, $2, $3, $4, $5)
    on conflict (merchant_id, kind, id_payment) do nothing returning check_no`,
}
const latest = (which: string): string => `select c.kind, c.id_payment, c.result, c.answered_by, c.answered_at
  from payee_checks c join payments p on p.merchant_id = c.merchant_id and p.kind = c.kind and p.id_payment = c.id_payment
  where p.merchant_id = $1 and ${which} order by c.check_no desc limit 1`
const FIND_OF_PAYMENT: Statement = {
  name: 'payee_checks_find_of_payment',
  text: latest('p.kind = $2 and p.id_payment = $3'),
}
const FIND_OF_OTHERS: Statement = {
  name: 'payee_checks_find_of_others',
  text: latest('p.beneficiary_digest = $4 and (p.kind, p.id_payment) <> ($2, $3)'),
}

/** What an adapter said of a payee. */
interface PayeeCheck {
  readonly kind: PaymentKind
  readonly idPayment: string
  readonly result: PayeeVerification
  /** The name of the adapter's secret. */
  readonly answeredBy: string
  readonly answeredAt: Date
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
    ...[rail, currencyCodes, except, limit],
  ])
  return rows.map((row) => ({ merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment }))
}

/** Notes what was said; false when it was said before, which stays. */
export async function insertCheck(
  tx: Tx,
  { merchantId, kind, idPayment }: PaymentKey,
  { result, answeredBy }: Pick<PayeeCheck, 'result' | 'answeredBy'>,
): Promise<boolean> {
  return (await tx.rows(INSERT, [merchantId, kind, idPayment, result, answeredBy])).length > 0
}

/** What was said last of the payment's payee: of this payment, and of others of its merchant. */
export async function findChecks(
  tx: Tx,
  { merchantId, kind, idPayment, beneficiaryDigest }: Payment,
): Promise<{ readonly ofPayment: PayeeCheck | undefined; readonly ofOthers: PayeeCheck | undefined }> {
  const key = [merchantId, kind, idPayment]
  const [ofPayment] = await tx.rows<Row>(FIND_OF_PAYMENT, key)
  const [ofOthers] =
    beneficiaryDigest === undefined ? [] : await tx.rows<Row>(FIND_OF_OTHERS, [...key, beneficiaryDigest])
  return { ofPayment: ofPayment && toCheck(ofPayment), ofOthers: ofOthers && toCheck(ofOthers) }
}

interface Row {
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly result: PayeeVerification
  readonly answered_by: string
  readonly answered_at: Date
}

const toCheck = (row: Row): PayeeCheck => ({
  ...{ kind: row.kind, idPayment: row.id_payment, result: row.result },
  ...{ answeredBy: row.answered_by, answeredAt: row.answered_at },
})
