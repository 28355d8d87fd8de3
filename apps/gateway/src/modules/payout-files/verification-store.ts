import type { Statement, Tx } from '../../platform/database.ts'
import type { Payment, PaymentKind } from '../payments/index.ts'
import type { ReportLevel } from './model.ts'
import { type PayeeVerification, VERIFICATION_CODES, verificationOf } from './reasons.ts'

/**
 * By banks in their reports, and by the adapter that is asked before. What is said of one payment goes before what the same report says of its
 * whole file. What was put aside counts for nothing.
 */
const SAID = `select e.status_code, e.level, e.kind, e.id_payment, r.report_id, r.file_id, r.actor, r.confirmed_by, r.received_at`
const latest = (which: string): string => `
  with asked as (
    select p.merchant_id, p.kind, p.id_payment from payments p where p.merchant_id = $1 and ${which})
  , said as (
    ${SAID} from asked join payout_report_entries e using (merchant_id, kind, id_payment) join payout_reports r using (report_id)
    where e.status_code = any($2) and e.outcome is distinct from 'ASIDE'
    union all
    ${SAID.replace('e.kind, e.id_payment', 'f.kind, f.id_payment')}
    from asked join payout_file_payments f using (merchant_id, kind, id_payment) join payout_reports r using (file_id)
      join payout_report_entries e using (report_id)
    where e.merchant_id is null and e.level <> 'TRANSACTION' and e.status_code = any($2) and e.outcome is distinct from 'ASIDE'
    union all
    select c.status_code, 'TRANSACTION', c.kind, c.id_payment, null, null, 'adapter:' || c.answered_by, null, c.answered_at
    from asked join payee_checks c using (merchant_id, kind, id_payment))
  select * from said order by received_at desc, report_id desc nulls last, level desc limit 1`

const FIND_OF_PAYMENT: Statement = {
  name: 'payout_reports_find_verification_of_payment',
  text: latest('p.kind = $3 and p.id_payment = $4'),
}
const FIND_OF_OTHERS: Statement = {
  name: 'payout_reports_find_verification_of_others',
  text: latest('p.beneficiary_digest = $5 and (p.kind, p.id_payment) <> ($3, $4)'),
}

/** What was said of a payee's name and account: by a bank in a report that somebody handed in or a channel brought, or by the adapter that was asked. */
interface ReportedVerification {
  readonly result: PayeeVerification
  readonly statusCode: string
  /** TRANSACTION: of this payment. Otherwise of all payments of its file. */
  readonly level: ReportLevel
  readonly kind: PaymentKind
  readonly idPayment: string
  /** Undefined for what an adapter said, and so is its file. */
  readonly reportId: string | undefined
  readonly fileId: string | undefined
  /** `operator:<code>`, or `adapter:<name of its secret>`. */
  readonly takenBy: string
  readonly confirmedBy: string | undefined
  readonly receivedAt: Date
}

/** The latest verifications of a payee. */
interface PayeeVerifications {
  readonly ofPayment: ReportedVerification | undefined
  /** Of another payment of the same merchant to the same payee. */
  readonly ofOthers: ReportedVerification | undefined
}

interface Row {
  readonly status_code: string
  readonly level: ReportLevel
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly report_id: string | null
  readonly file_id: string | null
  readonly actor: string
  readonly confirmed_by: string | null
  readonly received_at: Date
}

/** What was said last of whom the payment pays. */
export async function findVerifications(
  tx: Tx,
  { merchantId, kind, idPayment, beneficiaryDigest }: Payment,
): Promise<PayeeVerifications> {
  const key = [merchantId, VERIFICATION_CODES, kind, idPayment]
  const [ofPayment] = await tx.rows<Row>(FIND_OF_PAYMENT, key)
  const [ofOthers] =
    beneficiaryDigest === undefined ? [] : await tx.rows<Row>(FIND_OF_OTHERS, [...key, beneficiaryDigest])
  return { ofPayment: ofPayment && toVerification(ofPayment), ofOthers: ofOthers && toVerification(ofOthers) }
}

function toVerification(row: Row): ReportedVerification {
  const result = verificationOf(row.status_code)
  if (result === undefined) throw new Error(`${row.status_code} verifies no payee`)
  return {
    result,
    statusCode: row.status_code,
    level: row.level,
    kind: row.kind,
    idPayment: row.id_payment,
    reportId: row.report_id ?? undefined,
    fileId: row.file_id ?? undefined,
    takenBy: row.actor,
    confirmedBy: row.confirmed_by ?? undefined,
    receivedAt: row.received_at,
  }
}
