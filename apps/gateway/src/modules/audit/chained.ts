import type { ChainedTable } from '../../platform/chain/index.ts'

/**
 * The text of a record `t` whose SHA-256 is its content hash: a JSON array without white space, of the version and of every
 * column as text or null. The time is in seconds since 1970, exact. A new column makes version 2, which only records after
 * it may have.
 */
const CONTENT_TEXT = `to_json(array['tollgate audit 1', t.record_no::text, t.xid::text, trim_scale(extract(epoch from t.happened_at))::text,
    t.kind, t.act_no::text, t.request_no::text, t.operator_code, t.means, t.means_id, t.operation, t.path, t.merchant_code, t.subject,
    t.reason, t.request_id, t.status::text, t.program, t.database_user, t.section, t.item, t.verb, t.before::text, t.after::text])::text`

/** The audit log: the chain of all records. */
export const AUDIT: ChainedTable = {
  name: 'audit',
  called: 'audit log',
  lock: 'audit chain',
  entries: 'audit_chain',
  rows: 'audit_records',
  key: [{ column: 'record_no', type: 'bigint', first: '0' }],
  writtenAt: 'happened_at',
  contentHash: `sha256(convert_to(${CONTENT_TEXT}, 'UTF8'))`,
  label: `concat_ws(' ', t.kind, coalesce(t.operation, t.section, t.program), t.item, 'by ' || t.operator_code, 'of record ' || t.act_no)`,
  row: 'record',
  nameOf: ([recordNo = '']) => `record ${recordNo}`,
  parts: '',
  today: () => Promise.resolve(''),
}
