import type { Tx } from '../database.ts'

/** A column that names a row of a chained table, beside the transaction that wrote it. */
interface KeyColumn {
  readonly column: string
  readonly type: 'bigint' | 'uuid'
  /** Below every value. */
  readonly first: string
}

/** A table whose rows are chained by hash, and the table of its chain. */
export interface ChainedTable {
  /** Begins the names of its statements and checks. */
  readonly name: string
  /** What people call the chain. */
  readonly called: string
  /** Of the advisory lock: one at a time chains. */
  readonly lock: string
  /** The table of the chain. */
  readonly entries: string
  /** The table whose rows are chained. */
  readonly rows: string
  /** What names a row `t`, in the order of the chain. */
  readonly key: readonly KeyColumn[]
  /** The column with the moment at which a row was written. */
  readonly writtenAt: string
  /** SQL: the content hash of a row `t`. */
  readonly contentHash: string
  /** SQL: what findings say of a row `t`, in brackets. */
  readonly label: string
  /** What a row is called: `transfer`. Its plural has an s. */
  readonly row: string
  /** Of the values of its key: `transfer … of merchant 1`. */
  nameOf(id: readonly string[]): string
  /** What belongs to a row and is chained with it: `, or a posting of it,`. */
  readonly parts: string
  /** What else a finding says of the row of an entry that was changed: `; its postings today: …`. */
  today(tx: Tx, entryNo: number): Promise<string>
}

const columns = ({ key }: ChainedTable, of: string): string =>
  key.map(({ column }) => `${of}.${column}`).join(', ')

/** The SQL of a chained table. `t` is a row, `j` an entry of the chain. */
interface ChainSql {
  /** The order of the chain. */
  readonly order: string
  readonly key: string
  /** The key that is given as the first parameters. */
  readonly givenKey: string
  /** The number of the parameter behind those of the key. */
  readonly next: string
  /** The values of the key, without the transaction. */
  id(of: string): string
  readonly isOfEntry: string
  readonly isOfRow: string
  /** The columns of the key, without the transaction. */
  readonly using: string
}

export function sqlOf(table: ChainedTable): ChainSql {
  const { key } = table
  return {
    order: `t.xid, ${columns(table, 't')}`,
    key: `(t.xid, ${columns(table, 't')})`,
    givenKey: `($1::xid8, ${key.map(({ type }, index) => `$${index + 2}::${type}`).join(', ')})`,
    next: `$${key.length + 2}`,
    id: (of) => `array[${key.map(({ column }) => `${of}.${column}::text`).join(', ')}]`,
    isOfEntry: key.map(({ column }) => `${column} = j.${column}`).join(' and '),
    isOfRow: key.map(({ column }) => `${column} = t.${column}`).join(' and '),
    using: key.map(({ column }) => column).join(', '),
  }
}
