import type { Sql } from '../../rig/sql.ts'

/** A column whose values a statement can set. */
interface Column {
  readonly name: string
  readonly type: string
  /** Numbered by the database alone. */
  readonly isNumbered: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
}

/** Every value as PostgreSQL writes it. */
export type RowText = Readonly<Record<string, string | null>>

/** A row of a payment, at the moments after which its three transactions end; undefined where it was not there. */
export interface LifeRow {
  readonly table: Table
  readonly created: RowText | undefined
  readonly booked: RowText | undefined
  readonly noted: RowText | undefined
  /** Before the payment was created. */
  readonly before: RowText | undefined
}

/** The rows of all tables, by table and key. */
export type Snapshot = ReadonlyMap<string, RowText>

/** The chain over the journal is made of the ledger later; it says nothing new. */
const DERIVED: ReadonlySet<string> = new Set(['ledger_journal'])

export async function readTables(sql: Sql): Promise<readonly Table[]> {
  const rows = await sql(`
    select c.relname as table_name,
      array_agg(a.attname::text order by a.attnum) as names,
      array_agg(format_type(a.atttypid, a.atttypmod) order by a.attnum) as types,
      array_agg(a.attname::text) filter (where a.attidentity = 'a') as numbered,
      (select array_agg(k.attname::text) from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as key
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace group by c.oid, c.relname`)
  return rows.flatMap((row) => {
    const { table_name: name, names, types, numbered, key } = row
    if (!isTexts(names) || !isTexts(types) || !isTexts(key) || DERIVED.has(String(name))) return []
    const isNumbered = (column: string): boolean => isTexts(numbered) && numbered.includes(column)
    const columns = names.map((column, index) => ({
      name: column,
      type: types[index] ?? '',
      isNumbered: isNumbered(column),
    }))
    return [{ name: String(name), columns, key }]
  })
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value)

/** Everything that is in the tables. For a database that holds little yet. */
export async function takeSnapshot(sql: Sql, tables: readonly Table[]): Promise<Snapshot> {
  const snapshot = new Map<string, RowText>()
  for (const table of tables) {
    const columns = table.columns.map(({ name }) => `"${name}"::text as "${name}"`).join(', ')
    for (const row of await sql(`select ${columns} from "${table.name}"`)) {
      const text = Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, typeof value === 'string' ? value : null]),
      )
      snapshot.set(keyOf(table, text), text)
    }
  }
  return snapshot
}

const keyOf = ({ name, key }: Table, row: RowText): string =>
  JSON.stringify([name, ...key.map((column) => row[column])])

interface Snapshots {
  readonly before: Snapshot
  readonly created: Snapshot
  readonly booked: Snapshot
  readonly noted: Snapshot
}

/** What the life of one payment wrote while nothing else went on but the gateway's own housekeeping. */
export function rowsOfLife(
  tables: readonly Table[],
  { before, created, booked, noted }: Snapshots,
  payment: { readonly merchantId: string; readonly idPayment: string },
): readonly LifeRow[] {
  const keys = new Set([...before.keys(), ...created.keys(), ...booked.keys(), ...noted.keys()])
  const changed = [...keys].flatMap((key) => {
    const row = {
      before: before.get(key),
      created: created.get(key),
      booked: booked.get(key),
      noted: noted.get(key),
    }
    const texts = Object.values(row).map((each) => JSON.stringify(each))
    const table = tables.find(({ name }) => key.startsWith(`["${name}",`))
    return table !== undefined && new Set(texts).size > 1 ? [{ table, ...row }] : []
  })
  const ids = new Set([payment.idPayment])
  const isOfPayment = (row: LifeRow): boolean => {
    const values = Object.entries(row.noted ?? row.booked ?? row.created ?? {})
    return values.some(
      ([name, value]) =>
        value !== null && (ids.has(value) || (name === 'merchant_id' && value === payment.merchantId)),
    )
  }
  const first = changed.filter(isOfPayment)
  for (const value of first.flatMap((row) => idsIn(row))) ids.add(value)
  return changed.filter(isOfPayment)
}

/** The ids that the row was given when it was made. */
const idsIn = ({ table, booked, noted }: LifeRow): readonly string[] =>
  table.columns.flatMap(({ name, type }) => {
    const value = (noted ?? booked)?.[name]
    return type === 'uuid' && value !== null && value !== undefined ? [value] : []
  })
