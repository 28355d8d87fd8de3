import type { AnsweredRequest } from '../../platform/answered-request.ts'
import type { Database, Statement } from '../../platform/database.ts'
import type { RecordedRequest } from './model.ts'

const INSERT: Statement = {
  name: 'sandbox_requests_insert',
  text: `insert into sandbox_requests (merchant_code, is_proven, request_id, method, path, status, code, says, took_ms)
    select merchant_code, is_proven, request_id, method, path, status, code, array(select jsonb_array_elements_text(says)), took_ms
    from unnest($1::text[], $2::boolean[], $3::text[], $4::text[], $5::text[], $6::smallint[], $7::text[], $8::jsonb[], $9::real[])
      as n (merchant_code, is_proven, request_id, method, path, status, code, says, took_ms)`,
}
const DELETE_OLD: Statement = {
  name: 'sandbox_requests_delete_old',
  text: `delete from sandbox_requests where request_no <= (select max(request_no) from sandbox_requests) - $1::bigint`,
}
const COLUMNS = 'request_no, request_id, is_proven, method, path, status, code, says, took_ms, answered_at'
const LIST_AFTER: Statement = {
  name: 'sandbox_requests_list_after',
  text: `select ${COLUMNS} from sandbox_requests where merchant_code = $1 and request_no > $2 order by request_no limit $3`,
}
const LIST_LATEST: Statement = {
  name: 'sandbox_requests_list_latest',
  text: `select * from (select ${COLUMNS} from sandbox_requests where merchant_code = $1 order by request_no desc limit $2) latest
    order by request_no`,
}

/** Requests of which it is known whose they were. */
export type OwnedRequest = AnsweredRequest & { readonly merchantCode: string }

/** Keeps requests, and removes those beyond `keptMax` of all merchants together. */
export async function insertRequests(
  db: Database,
  requests: readonly OwnedRequest[],
  keptMax: number,
): Promise<void> {
  const column = <Value>(of: (request: OwnedRequest) => Value): Value[] => requests.map(of)
  await db.rows(INSERT, [
    column(({ merchantCode }) => merchantCode),
    column(({ isProven }) => isProven),
    column(({ requestId }) => requestId),
    column(({ method }) => method),
    column(({ path }) => path),
    column(({ status }) => status),
    column(({ code }) => code ?? null),
    column(({ says }) => JSON.stringify(says)),
    column(({ tookMs }) => tookMs),
  ])
  await db.rows(DELETE_OLD, [keptMax])
}

interface RequestRow {
  readonly request_no: string
  readonly request_id: string
  readonly is_proven: boolean
  readonly method: string
  readonly path: string
  readonly status: number
  readonly code: string | null
  readonly says: readonly string[]
  readonly took_ms: number
  readonly answered_at: Date
}

/** What of a merchant's requests is listed: those after one, or the latest. */
export interface RequestQuery {
  readonly merchantCode: string
  readonly after: string | undefined
  readonly limit: number
}

/** A merchant's requests, the earliest first. */
export async function listRequests(
  db: Database,
  { merchantCode, after, limit }: RequestQuery,
): Promise<readonly RecordedRequest[]> {
  const rows =
    after === undefined
      ? await db.rows<RequestRow>(LIST_LATEST, [merchantCode, limit])
      : await db.rows<RequestRow>(LIST_AFTER, [merchantCode, after, limit])
  return rows.map((row) => ({
    requestNo: row.request_no,
    requestId: row.request_id,
    isProven: row.is_proven,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code ?? undefined,
    says: row.says,
    tookMs: row.took_ms,
    answeredAt: row.answered_at,
  }))
}
