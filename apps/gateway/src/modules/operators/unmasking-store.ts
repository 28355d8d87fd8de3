import { currentAct } from '../../platform/acting.ts'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Unmasked, Unmasking } from './model.ts'

const INSERT: Statement = {
  name: 'unmaskings_insert',
  text: `insert into unmaskings (operator_code, subject, merchant_id, kind, id_payment, line_id, notification_no, report_id, document_id, file_id, means, means_id, request_id)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
}
const LIST: Statement = {
  name: 'unmaskings_list',
  text: `select u.unmasking_id, u.operator_code, u.subject, m.merchant_code, u.kind, u.id_payment, u.line_id, u.notification_no, u.report_id, u.document_id, u.file_id, u.seen_at
    from unmaskings u left join merchants m on m.merchant_id = u.merchant_id
    where $1::bigint is null or u.unmasking_id < $1 order by u.unmasking_id desc limit $2`,
}

/** Notes that the operator reads it. To be called before it is shown: what could not be noted is not shown. */
export async function insertUnmasking(tx: Tx, operatorCode: string, what: Unmasked): Promise<void> {
  const act = currentAct()
  const means = act?.means()
  const by = [means?.means ?? null, means?.meansId ?? null, act?.requestId ?? null]
  await tx.rows(INSERT, [operatorCode, what.subject, ...keyOf(what), ...by])
}

function keyOf(what: Unmasked): readonly (string | null)[] {
  switch (what.subject) {
    case 'PAYEE':
      return [what.merchantId, what.kind, what.idPayment, null, null, null, null, null]
    case 'STATEMENT_LINE':
      return [null, null, null, what.lineId, null, null, null, null]
    case 'RAIL_NOTIFICATION':
      return [null, null, null, null, what.notificationNo, null, null, null]
    case 'PAYOUT_REPORT':
      return [null, null, null, null, null, what.reportId, null, null]
    case 'FAILED_DOCUMENT':
      return [null, null, null, null, null, null, what.documentId, null]
    case 'PAYOUT_FILE':
      return [null, null, null, null, null, null, null, what.fileId]
  }
}

interface UnmaskingRow {
  readonly unmasking_id: string
  readonly operator_code: string
  readonly subject: Unmasked['subject']
  readonly merchant_code: string | null
  readonly kind: string | null
  readonly id_payment: string | null
  readonly line_id: string | null
  readonly notification_no: string | null
  readonly report_id: string | null
  readonly document_id: string | null
  readonly file_id: string | null
  readonly seen_at: Date
}

/** The newest first, from before a place. */
export async function listUnmaskings(
  tx: Tx,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly Unmasking[]> {
  const rows = await tx.rows<UnmaskingRow>(LIST, [page.before ?? null, page.limit])
  return rows.map((row) => ({
    unmaskingId: row.unmasking_id,
    operatorCode: row.operator_code,
    subject: row.subject,
    merchantCode: row.merchant_code ?? undefined,
    kind: row.kind ?? undefined,
    idPayment: row.id_payment ?? undefined,
    lineId: row.line_id ?? undefined,
    notificationNo: row.notification_no ?? undefined,
    reportId: row.report_id ?? undefined,
    documentId: row.document_id ?? undefined,
    fileId: row.file_id ?? undefined,
    seenAt: row.seen_at,
  }))
}
