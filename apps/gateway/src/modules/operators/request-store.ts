import type { Statement, Tx } from '../../platform/database.ts'
import type { NewOperatorRequest, OperatorRequest } from './model.ts'

const INSERT: Statement = {
  name: 'operator_requests_insert',
  text: `insert into operator_requests (operator_code, operation, path, request_id, session_id, means, means_id, merchant_code, subject, reason)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning request_no::text`,
}
const UPDATE_ANSWERED: Statement = {
  name: 'operator_requests_update_answered',
  text: `update operator_requests set answered_status = $2 where request_no = $1 and answered_status is null`,
}
const COLUMNS = `select request_no::text, operator_code, operation, path, request_id, session_id, asked_at, answered_status from operator_requests`
// The number that is shown is a text: it is sorted by the column, or 9 would come before 10.
const PAGE = `($1::bigint is null or request_no < $1)`
const LIST: Statement = {
  name: 'operator_requests_list',
  text: `${COLUMNS} where ${PAGE} order by operator_requests.request_no desc limit $2`,
}
const LIST_OF_OPERATOR: Statement = {
  name: 'operator_requests_list_of_operator',
  text: `${COLUMNS} where operator_code = $3 and ${PAGE} order by operator_requests.request_no desc limit $2`,
}

/** Notes what the operator asks for; gives its number. To be called before it is done: what could not be noted is not done. */
export async function insertOperatorRequest(tx: Tx, request: NewOperatorRequest): Promise<string> {
  const { operatorCode, operation, path, requestId, sessionId, means, meansId, ...what } = request
  const [row] = await tx.rows<{ request_no: string }>(INSERT, [
    operatorCode,
    operation,
    path,
    requestId,
    sessionId ?? null,
    means ?? null,
    meansId ?? null,
    what.merchantCode ?? null,
    what.subject ?? null,
    what.reason ?? null,
  ])
  if (row === undefined) throw new Error('the request was not noted')
  return row.request_no
}

/** Notes with which status it was answered, once. */
export async function updateOperatorRequestAnswered(
  tx: Tx,
  requestNo: string,
  status: number,
): Promise<void> {
  await tx.rows(UPDATE_ANSWERED, [requestNo, status])
}

interface RequestRow {
  readonly request_no: string
  readonly operator_code: string
  readonly operation: string
  readonly path: string
  readonly request_id: string
  readonly session_id: string | null
  readonly asked_at: Date
  readonly answered_status: number | null
}

/** The newest first, of one operator or of all, from before a place. */
export async function listOperatorRequests(
  tx: Tx,
  page: {
    readonly operatorCode: string | undefined
    readonly before: string | undefined
    readonly limit: number
  },
): Promise<readonly OperatorRequest[]> {
  const { operatorCode, before, limit } = page
  const rows = await (operatorCode === undefined
    ? tx.rows<RequestRow>(LIST, [before ?? null, limit])
    : tx.rows<RequestRow>(LIST_OF_OPERATOR, [before ?? null, limit, operatorCode]))
  return rows.map((row) => ({
    requestNo: row.request_no,
    operatorCode: row.operator_code,
    operation: row.operation,
    path: row.path,
    requestId: row.request_id,
    sessionId: row.session_id ?? undefined,
    askedAt: row.asked_at,
    answeredStatus: row.answered_status ?? undefined,
  }))
}
