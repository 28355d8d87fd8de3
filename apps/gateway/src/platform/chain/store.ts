import type { Statement, Tx } from '../database.ts'
import { type ChainedTable, sqlOf } from './chained.ts'
import type { ChainHead, ChainKey } from './model.ts'

/** The last entry of a chain, and whether what comes next can be found from there. */
interface ChainEnd {
  /** The cluster that answers. */
  readonly clusterId: string
  readonly last: LastEntry | undefined
}

/** The last entry. */
export interface LastEntry extends ChainHead {
  readonly key: ChainKey
  readonly chainedAt: Date
  readonly clusterId: string
  /** False when the transactions of this cluster are not counted on from the entry's: the rows came from elsewhere. */
  readonly isOfHere: boolean
}

/** A row that the chainer came by. */
export interface Candidate {
  readonly key: ChainKey
  /** Undefined when the row is in the chain already. */
  readonly contentHash: Buffer | undefined
}

/** An entry to be added to the chain. */
export interface NewEntry extends ChainHead {
  readonly key: ChainKey
  readonly contentHash: Buffer
}

/** The statements by which a table is chained. */
export interface ChainStore {
  /** Makes this transaction the only one that writes the chain; false when another one does. */
  tryLock(tx: Tx): Promise<boolean>
  findEnd(tx: Tx): Promise<ChainEnd>
  /** Rows behind the key in the order of the chain, as far as nothing can come between any more. */
  listCandidates(tx: Tx, after: ChainKey, limit: number): Promise<readonly Candidate[]>
  /** The same for rows whose transactions this cluster has not counted to yet, and which another one must have written. */
  listFormerCandidates(tx: Tx, after: ChainKey, limit: number): Promise<readonly Candidate[]>
  /** How long the first row behind the key has been there; 0 when there is none. */
  findWaitSeconds(tx: Tx, after: ChainKey): Promise<number>
  insertEntries(tx: Tx, entries: readonly NewEntry[], clusterId: string): Promise<void>
}

interface EndRow {
  readonly here: string
  readonly entry_no: string | null
  readonly chain_hash: Buffer
  readonly chained_at: Date
  readonly xid: string
  readonly id: readonly string[]
  readonly cluster_id: string
  readonly is_of_here: boolean
}

interface CandidateRow {
  readonly xid: string
  readonly id: readonly string[]
  readonly content_hash: Buffer | null
}

export function chainStoreOf(table: ChainedTable): ChainStore {
  const statements = statementsOf(table)
  const candidatesOf = async (
    tx: Tx,
    statement: Statement,
    { after, limit }: { readonly after: ChainKey; readonly limit: number },
  ): Promise<readonly Candidate[]> => {
    const rows = await tx.rows<CandidateRow>(statement, [after.xid, ...after.id, limit])
    return rows.map(({ xid, id, content_hash: hash }) => ({
      key: { xid, id },
      contentHash: hash ?? undefined,
    }))
  }
  return {
    async tryLock(tx) {
      const [row] = await tx.rows<{ locked: boolean }>(statements.tryLock, [])
      return row?.locked === true
    },
    async findEnd(tx) {
      const [row] = await tx.rows<EndRow>(statements.findEnd, [1])
      if (row === undefined) throw new Error('the cluster has no identifier')
      return toEnd(row)
    },
    listCandidates: (tx, after, limit) => candidatesOf(tx, statements.listCandidates, { after, limit }),
    listFormerCandidates: (tx, after, limit) =>
      candidatesOf(tx, statements.listFormerCandidates, { after, limit }),
    async findWaitSeconds(tx, after) {
      const values = [after.xid, ...after.id, 1]
      const [row] = await tx.rows<{ wait_seconds: number }>(statements.findWait, values)
      return row?.wait_seconds ?? 0
    },
    async insertEntries(tx, entries, clusterId) {
      await tx.rows(statements.insertEntries, [
        entries.map((entry) => entry.entryNo),
        entries.map((entry) => entry.key.xid),
        clusterId,
        entries.map((entry) => entry.contentHash),
        entries.map((entry) => entry.chainHash),
        ...table.key.map((_, index) => entries.map((entry) => entry.key.id[index])),
      ])
    },
  }
}

function toEnd(row: EndRow): ChainEnd {
  if (row.entry_no === null) return { clusterId: row.here, last: undefined }
  const last = {
    entryNo: Number(row.entry_no),
    chainHash: row.chain_hash,
    chainedAt: row.chained_at,
    key: { xid: row.xid, id: row.id },
    clusterId: row.cluster_id,
    isOfHere: row.is_of_here,
  }
  return { clusterId: row.here, last }
}

/** `offset 0` keeps the chain from being joined, for which all of it would be read in every round. */
function statementsOf(table: ChainedTable) {
  const { name, lock, entries, rows, key, writtenAt, contentHash } = table
  const sql = sqlOf(table)
  const after = `${sql.key} > ${sql.givenKey}`
  const candidates = (which: string): string => `with candidate as materialized (
      select * from ${rows} t where ${after} and ${which} order by ${sql.order} limit ${sql.next})
    select t.xid::text, ${sql.id('t')} as id, case when j.entry_no is null then ${contentHash} end as content_hash
    from candidate t left join lateral (
      select * from ${entries} where ${sql.isOfRow} offset 0) j on true order by ${sql.order}`
  const given = key.map(({ type }, index) => `$${index + 6}::${type}[]`).join(', ')
  const names = key.map((_, index) => `k${index}`).join(', ')
  return {
    tryLock: {
      name: `${name}_try_lock`,
      text: `select pg_try_advisory_xact_lock(hashtext('${lock}')) as locked`,
    },
    findEnd: {
      name: `${name}_find_end`,
      // Without a parameter its plan would be kept: the one of an empty chain, which reads all of it.
      text: `select here.system_identifier::text as here, j.entry_no::text, j.chain_hash, j.chained_at, j.xid::text, ${sql.id('j')} as id,
      j.cluster_id::text,
      coalesce(j.cluster_id = here.system_identifier and j.xid < pg_snapshot_xmin(pg_current_snapshot()), false) as is_of_here
    from pg_control_system() here left join lateral (select * from ${entries} order by entry_no desc limit $1) j on true`,
    },
    listCandidates: {
      name: `${name}_list_candidates`,
      // Below the oldest transaction that is still open nothing can appear any more.
      text: candidates('t.xid < pg_snapshot_xmin(pg_current_snapshot())'),
    },
    listFormerCandidates: {
      name: `${name}_list_former_candidates`,
      text: candidates('t.xid >= pg_snapshot_xmax(pg_current_snapshot())'),
    },
    findWait: {
      name: `${name}_find_wait`,
      // What this cluster has not counted to came from another one, and has been chained or is chained first.
      text: `select greatest(0, extract(epoch from clock_timestamp() - t.${writtenAt}))::double precision as wait_seconds
    from ${rows} t where ${after} and t.xid < pg_snapshot_xmax(pg_current_snapshot())
    order by ${sql.order} limit ${sql.next}`,
    },
    insertEntries: {
      name: `${name}_insert_entries`,
      text: `insert into ${entries} (entry_no, xid, cluster_id, content_hash, chain_hash, ${sql.using})
    select n, x, $3, c, h, ${names} from unnest($1::bigint[], $2::xid8[], $4::bytea[], $5::bytea[], ${given}) as e(n, x, c, h, ${names})`,
    },
  } as const satisfies Record<string, Statement>
}
