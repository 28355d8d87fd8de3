import type { Amount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../../payments/index.ts'
import type { LineState, StatementLine } from '../model.ts'

/** A line before it has an id. */
export interface NewLine
  extends Pick<
    StatementLine,
    | 'statementId'
    | 'accountCode'
    | 'currencyCode'
    | 'position'
    | 'part'
    | 'direction'
    | 'isReversal'
    | 'amount'
    | 'charge'
    | 'bookedOn'
    | 'valuedOn'
    | 'bankReference'
    | 'transactionCode'
  > {
  readonly fingerprint: Buffer
  readonly occurrence: number
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

const INSERT: Statement = {
  name: 'statements_insert_lines',
  text: `insert into statement_lines (statement_id, account_code, currency_code, position, part, direction, is_reversal, amount, charge_amount,
      booked_on, valued_on, bank_reference, transaction_code, entry_fingerprint, occurrence, data_key, sealed)
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::boolean[], $8::numeric[], $9::numeric[],
      $10::date[], $11::date[], $12::text[], $13::text[], $14::bytea[], $15::integer[], $16::bytea[], $17::bytea[])`,
}
const UPDATE: Statement = {
  name: 'statements_update_lines',
  text: `update statement_lines l set state = c.state, open_amount = c.open_amount, merchant_id = c.merchant_id, kind = c.kind,
      id_payment = c.id_payment, score = c.score, reasons = coalesce(string_to_array(nullif(c.reasons, ''), E'\\n'), '{}'), return_reference = c.return_reference,
      decision_count = c.decision_count, state_since = statement_timestamp()
    from unnest($1::bigint[], $2::text[], $3::numeric[], $4::bigint[], $5::text[], $6::text[], $7::numeric[], $8::text[], $9::text[], $10::integer[])
      as c(line_id, state, open_amount, merchant_id, kind, id_payment, score, reasons, return_reference, decision_count)
    where l.line_id = c.line_id`,
}

export async function insertLines(tx: Tx, lines: readonly NewLine[]): Promise<void> {
  await tx.rows(INSERT, [
    lines.map((line) => line.statementId),
    lines.map((line) => line.accountCode),
    lines.map((line) => line.currencyCode),
    lines.map((line) => line.position),
    lines.map((line) => line.part),
    lines.map((line) => line.direction),
    lines.map((line) => line.isReversal),
    lines.map((line) => line.amount),
    lines.map((line) => line.charge ?? null),
    lines.map((line) => line.bookedOn),
    lines.map((line) => line.valuedOn ?? null),
    lines.map((line) => line.bankReference ?? null),
    lines.map((line) => line.transactionCode ?? null),
    lines.map((line) => line.fingerprint),
    lines.map((line) => line.occurrence),
    lines.map((line) => line.dataKey),
    lines.map((line) => line.sealed),
  ])
}

/** What becomes of a line. */
export interface LineChange {
  readonly lineId: string
  readonly state: LineState
  readonly openAmount: Amount
  readonly payment: PaymentKey | undefined
  readonly score: string | undefined
  readonly reasons: readonly string[]
  readonly returnReference: string | undefined
  readonly decisionCount: number
}

/** The ids must be distinct. */
export async function updateLines(tx: Tx, changes: readonly LineChange[]): Promise<void> {
  await tx.rows(UPDATE, [
    changes.map((change) => change.lineId),
    changes.map((change) => change.state),
    changes.map((change) => change.openAmount),
    changes.map((change) => change.payment?.merchantId ?? null),
    changes.map((change) => change.payment?.kind ?? null),
    changes.map((change) => change.payment?.idPayment ?? null),
    changes.map((change) => change.score ?? null),
    changes.map((change) => change.reasons.join('\n')),
    changes.map((change) => change.returnReference ?? null),
    changes.map((change) => change.decisionCount),
  ])
}
