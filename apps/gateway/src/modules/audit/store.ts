import type { Statement, Tx } from '../../platform/database.ts'
import type { AuditAct, AuditChange, AuditFilter } from './model.ts'

const OF_ACT = 'select from audit_records b where b.act_no = a.record_no and'
const SELECT = (
  which: string,
): string => `select a.record_no::text, a.happened_at, a.kind, a.operator_code, o.name as operator_name, a.means, a.means_id,
      a.operation, a.path, a.merchant_code, a.subject, a.reason, a.request_id, answer.status, a.program, a.database_user,
      (select count(*)::int from audit_records b where b.act_no = a.record_no and b.kind = 'CHANGE') as change_count,
      (select json_agg(json_build_object('section', c.section, 'item', c.item, 'merchantCode', c.merchant_code, 'verb', c.verb,
          'before', c.before, 'after', c.after) order by c.record_no)
        from (select * from audit_records b where b.act_no = a.record_no and b.kind = 'CHANGE' order by b.record_no limit $1) c) as changes,
      a.record_no < began.record_no as is_from_before, chain.entry_no::text, chain.chain_hash
    from (select * from audit_records a where a.act_no is null and ${which} order by a.record_no desc limit $2) a
      cross join (select min(record_no) as record_no from audit_records where kind = 'BEGAN') began
      left join operators o on o.operator_code = a.operator_code
      left join audit_records answer on answer.act_no = a.record_no and answer.kind = 'ANSWER'
      left join audit_chain chain on chain.record_no = a.record_no
    order by a.record_no desc`
const LIST: Statement = {
  name: 'audit_list',
  text: SELECT(`($3::bigint is null or a.record_no < $3) and ($4::text is null or a.operator_code = $4)
      and ($5::text is null or a.operation = $5)
      and ($6::text is null or a.subject = $6 or exists (${OF_ACT} b.item = $6))
      and ($7::text is null or a.merchant_code = $7 or exists (${OF_ACT} b.merchant_code = $7))
      and ($8::timestamptz is null or a.happened_at >= $8) and ($9::timestamptz is null or a.happened_at < $9)
      and (not $10::boolean or exists (${OF_ACT} b.kind = 'ANSWER' and b.status >= 400))`),
}
const FIND: Statement = { name: 'audit_find', text: SELECT('a.record_no = $3') }
const FIND_BEGINNING: Statement = {
  name: 'audit_find_beginning',
  text: `select record_no::text, happened_at from audit_records where kind = 'BEGAN' order by record_no limit 1`,
}

interface ActRow {
  readonly record_no: string
  readonly happened_at: Date
  readonly kind: AuditAct['kind']
  readonly operator_code: string | null
  readonly operator_name: string | null
  readonly means: Exclude<AuditAct['means'], undefined> | null
  readonly means_id: string | null
  readonly operation: string | null
  readonly path: string | null
  readonly merchant_code: string | null
  readonly subject: string | null
  readonly reason: string | null
  readonly request_id: string | null
  readonly status: number | null
  readonly program: string | null
  readonly database_user: string | null
  readonly change_count: number
  readonly changes: readonly AuditChange[] | null
  readonly is_from_before: boolean
  readonly entry_no: string | null
  readonly chain_hash: Buffer | null
}

/** The newest first, from before a place, with so many changes of each. */
export async function listActs(
  tx: Tx,
  filter: AuditFilter,
  page: { readonly before: string | undefined; readonly limit: number; readonly changesMax: number },
): Promise<readonly AuditAct[]> {
  const { operatorCode, act, subject, merchantCode, from, to, isFailed } = filter
  const rows = await tx.rows<ActRow>(LIST, [
    page.changesMax,
    page.limit,
    page.before ?? null,
    operatorCode ?? null,
    act ?? null,
    subject ?? null,
    merchantCode ?? null,
    from ?? null,
    to ?? null,
    isFailed,
  ])
  return rows.map(toAct)
}

export async function findAct(tx: Tx, recordNo: string, changesMax: number): Promise<AuditAct | undefined> {
  return (await tx.rows<ActRow>(FIND, [changesMax, 1, recordNo])).map(toAct)[0]
}

/** The record from which on everything is recorded as it happens. */
export async function findBeginning(
  tx: Tx,
): Promise<{ readonly recordNo: string; readonly happenedAt: Date }> {
  const [row] = await tx.rows<{ record_no: string; happened_at: Date }>(FIND_BEGINNING, [])
  if (row === undefined) throw new Error('the audit log has no beginning')
  return { recordNo: row.record_no, happenedAt: row.happened_at }
}

const known = <Value>(value: Value | null): Value | undefined => value ?? undefined

const toAct = (row: ActRow): AuditAct => ({
  recordNo: row.record_no,
  happenedAt: row.happened_at,
  kind: row.kind,
  operatorCode: known(row.operator_code),
  operatorName: known(row.operator_name),
  means: known(row.means),
  meansId: known(row.means_id),
  operation: known(row.operation),
  path: known(row.path),
  merchantCode: known(row.merchant_code),
  subject: known(row.subject),
  reason: known(row.reason),
  requestId: known(row.request_id),
  status: known(row.status),
  program: known(row.program),
  databaseUser: known(row.database_user),
  changeCount: row.change_count,
  changes: row.changes ?? [],
  isFromBefore: row.is_from_before,
  chained:
    row.entry_no === null || row.chain_hash === null
      ? undefined
      : { entryNo: Number(row.entry_no), chainHash: row.chain_hash },
})
