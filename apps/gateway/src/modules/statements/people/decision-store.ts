import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../../payments/index.ts'
import type { LineDecision } from '../model.ts'

/** What somebody decided about a line. */
export interface Decided {
  readonly lineId: string
  readonly decisionNo: number
  readonly decision: LineDecision
  readonly actor: string
  /** Who confirmed it, where two were needed. */
  readonly confirmedBy: string | undefined
  readonly reason: string
  readonly amount: Amount
  readonly payment: PaymentKey | undefined
}

const INSERT: Statement = {
  name: 'statements_insert_decisions',
  text: `insert into statement_decisions (line_id, decision_no, decision, actor, reason, amount, merchant_id, kind, id_payment,
      confirmed_by)
    select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::bigint[], $8::text[], $9::text[],
      $10::text[])`,
}
const LIST: Statement = {
  name: 'statements_list_decisions',
  text: `select line_id, decision_no, decision, actor, reason, amount, merchant_id, kind, id_payment, confirmed_by, decided_at
    from statement_decisions where line_id = $1 order by decision_no`,
}

export async function insertDecisions(tx: Tx, decisions: readonly Decided[]): Promise<void> {
  await tx.rows(INSERT, [
    decisions.map((each) => each.lineId),
    decisions.map((each) => each.decisionNo),
    decisions.map((each) => each.decision),
    decisions.map((each) => each.actor),
    decisions.map((each) => each.reason),
    decisions.map((each) => each.amount),
    decisions.map((each) => each.payment?.merchantId ?? null),
    decisions.map((each) => each.payment?.kind ?? null),
    decisions.map((each) => each.payment?.idPayment ?? null),
    decisions.map((each) => each.confirmedBy ?? null),
  ])
}

interface Row {
  readonly line_id: string
  readonly decision_no: number
  readonly decision: LineDecision
  readonly actor: string
  readonly reason: string
  readonly amount: string
  readonly merchant_id: string | null
  readonly kind: PaymentKind | null
  readonly id_payment: string | null
  readonly confirmed_by: string | null
  readonly decided_at: Date
}

/** Everything that was decided about the line, in order. */
export async function listDecisions(
  tx: Tx,
  lineId: string,
): Promise<readonly (Decided & { readonly decidedAt: Date })[]> {
  return (await tx.rows<Row>(LIST, [lineId])).map((row) => ({
    lineId: row.line_id,
    decisionNo: row.decision_no,
    decision: row.decision,
    actor: row.actor,
    confirmedBy: row.confirmed_by ?? undefined,
    reason: row.reason,
    amount: parsePlainAmount(row.amount),
    payment:
      row.merchant_id === null || row.kind === null || row.id_payment === null
        ? undefined
        : { merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment },
    decidedAt: row.decided_at,
  }))
}
