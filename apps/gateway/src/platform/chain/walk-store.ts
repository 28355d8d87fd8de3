import type { Statement, Tx } from '../database.ts'
import { type ChainedTable, sqlOf } from './chained.ts'
import type { ChainHead, ChainKey } from './model.ts'

/** An entry of the chain, and what its row is today. */
export interface AuditedEntry extends ChainHead {
  readonly key: ChainKey
  readonly contentHash: Buffer
  /** Undefined when the row is gone. */
  readonly row: AuditedRow | undefined
}

/** A chained row as it is today. */
export interface AuditedRow {
  readonly key: ChainKey
  readonly contentHash: Buffer
  /** What findings say of it. */
  readonly label: string
}

/** Rows that should have been chained by now. */
interface Waiting {
  readonly rows: number
  readonly oldest: AuditedRow
  /** Whether a transaction that has not ended yet keeps them from being chained. */
  readonly isHeldBack: boolean
}

/** The statements of who follows a chain. */
export interface WalkStore {
  /** Entries behind the number and up to the last one, in their order. */
  listAudited(
    tx: Tx,
    range: { readonly afterNo: number; readonly untilNo: number; readonly limit: number },
  ): Promise<readonly AuditedEntry[]>
  findAudited(tx: Tx, entryNo: number): Promise<AuditedEntry | undefined>
  /** The entry whose chain hash makes it the one of this number behind the hash, whatever number it has today. */
  findFollower(tx: Tx, previous: Buffer, entryNo: number): Promise<AuditedEntry | undefined>
  /** The number of the entry with this content hash. */
  findOwner(tx: Tx, contentHash: Buffer): Promise<number | undefined>
  /** Rows that are not in the chain although their place in it is at the key or before. */
  listStrays(tx: Tx, until: ChainKey, limit: number): Promise<readonly AuditedRow[]>
  /** Rows behind the key that have waited for longer than so many seconds; undefined when there are none. */
  findWaiting(tx: Tx, after: ChainKey, seconds: number): Promise<Waiting | undefined>
}

interface RowRow {
  readonly t_xid: string
  readonly t_id: readonly string[]
  readonly label: string
  readonly t_content_hash: Buffer
}

interface EntryRow extends Omit<RowRow, 't_content_hash'> {
  readonly entry_no: string
  readonly xid: string
  readonly id: readonly string[]
  readonly content_hash: Buffer
  readonly chain_hash: Buffer
  readonly t_content_hash: Buffer | null
}

export function walkStoreOf(table: ChainedTable): WalkStore {
  const statements = statementsOf(table)
  return {
    async listAudited(tx, { afterNo, untilNo, limit }) {
      return (await tx.rows<EntryRow>(statements.listAudited, [afterNo, untilNo, limit])).map(toEntry)
    },
    async findAudited(tx, entryNo) {
      return (await tx.rows<EntryRow>(statements.findAudited, [entryNo])).map(toEntry)[0]
    },
    async findFollower(tx, previous, entryNo) {
      return (await tx.rows<EntryRow>(statements.findFollower, [previous, entryNo])).map(toEntry)[0]
    },
    async findOwner(tx, contentHash) {
      const [row] = await tx.rows<{ entry_no: string }>(statements.findOwner, [contentHash])
      return row && Number(row.entry_no)
    },
    async listStrays(tx, until, limit) {
      const rows = await tx.rows<RowRow>(statements.listStrays, [until.xid, ...until.id, limit])
      return rows.map((row) => toRow(row, row.t_content_hash))
    },
    async findWaiting(tx, after, seconds) {
      const [row] = await tx.rows<RowRow & { waiting: number; is_held_back: boolean }>(
        statements.findWaiting,
        [after.xid, ...after.id, seconds],
      )
      if (row === undefined) return undefined
      return { rows: row.waiting, oldest: toRow(row, row.t_content_hash), isHeldBack: row.is_held_back }
    },
  }
}

function statementsOf(table: ChainedTable) {
  const { name, entries, rows, key, writtenAt, contentHash, label } = table
  const sql = sqlOf(table)
  const isThere = `t.${key[0]?.column ?? ''} is not null`
  const row = `t.xid::text as t_xid, ${sql.id('t')} as t_id, case when ${isThere} then ${label} end as label,
    case when ${isThere} then ${contentHash} end as t_content_hash`
  const entry = `j.entry_no::text, j.xid::text, ${sql.id('j')} as id, j.content_hash, j.chain_hash`
  // `offset 0` keeps the rows from being joined, for which all of them would be read for every page.
  const entriesOf = (which: string): string => `select ${entry}, ${row}
    from (select * from ${entries} where ${which}) j left join lateral (
      select * from ${rows} where ${sql.isOfEntry} offset 0) t on true
    order by j.entry_no`
  const unchained = `${rows} t left join ${entries} j using (${sql.using}) where j.entry_no is null`
  return {
    listAudited: {
      name: `${name}_list_audited`,
      text: entriesOf('entry_no > $1 and entry_no <= $2 order by entry_no limit $3'),
    },
    findAudited: { name: `${name}_find_audited`, text: entriesOf('entry_no = $1') },
    findFollower: {
      name: `${name}_find_follower`,
      // The same hash as linkHash of model.ts. It reads the whole chain, once per break of it.
      text: entriesOf('chain_hash = sha256($1::bytea || int8send($2::bigint) || content_hash) limit 1'),
    },
    findOwner: {
      name: `${name}_find_owner`,
      text: `select entry_no::text from ${entries} where content_hash = $1 limit 1`,
    },
    listStrays: {
      name: `${name}_list_strays`,
      text: `select ${row} from ${unchained} and ${sql.key} <= ${sql.givenKey} order by ${sql.order} limit ${sql.next}`,
    },
    findWaiting: {
      name: `${name}_find_waiting`,
      text: `select ${row}, count(*) over ()::int as waiting, t.xid >= pg_snapshot_xmin(pg_current_snapshot()) as is_held_back
    from ${unchained} and ${sql.key} > ${sql.givenKey} and t.${writtenAt} < statement_timestamp() - make_interval(secs => ${sql.next})
    order by ${sql.order} limit 1`,
    },
  } as const satisfies Record<string, Statement>
}

function toEntry(row: EntryRow): AuditedEntry {
  const hash = row.t_content_hash
  return {
    entryNo: Number(row.entry_no),
    chainHash: row.chain_hash,
    key: { xid: row.xid, id: row.id },
    contentHash: row.content_hash,
    row: hash === null ? undefined : toRow(row, hash),
  }
}

const toRow = (row: Omit<RowRow, 't_content_hash'>, contentHash: Buffer): AuditedRow => ({
  key: { xid: row.t_xid, id: row.t_id },
  contentHash,
  label: row.label,
})
