import type { Statement, Tx } from '../../platform/database.ts'

// Rows go from one database to another as PostgreSQL writes them, whatever their columns are. Both have run the same migrations, so a
// row means the same in each.

/** A table whose rows of a merchant go with the merchant. */
export interface MovingTable {
  readonly name: string
  /** By which a row is the same in both databases. */
  readonly key: readonly string[]
  /** Nothing of a row ever changes: what is there already is right. */
  readonly isOnlyAdded?: true
  /** Columns that each database fills for itself. */
  readonly without?: readonly string[]
  /** Rows that must be written by one statement have the same value here: a database may check them together. */
  readonly together?: string
  /** Rows `t` of the merchant `$1`; those with its number, otherwise. */
  readonly where?: string
}

/** Rows of one merchant. */
interface RowsOf {
  readonly table: MovingTable
  readonly merchantId: string
}

/** Which rows are read. */
interface Reading extends RowsOf {
  /** Another table that has such rows, while nobody works on them. */
  readonly from?: string
  /** Those alone that were written by this transaction or a later one. */
  readonly since?: string
  readonly only?: string
}

const ROWS_AT_ONCE = 5_000
const ROUNDS_MAX = 1_000_000

const LIST_COLUMNS: Statement = {
  name: 'cells_list_columns',
  text: `select attname as name from pg_attribute
    where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
}
const FIND_HORIZON: Statement = {
  name: 'cells_find_snapshot_horizon',
  text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
}
const CURSOR = 'moving_rows'

/**
 * The oldest transaction that may not be seen yet: whatever this transaction does not see was written by that one, or a later one. To be
 * asked by a transaction that always sees the same (REPEATABLE READ).
 */
export async function findHorizon(tx: Tx): Promise<string> {
  const [row] = await tx.rows<{ horizon: string }>(FIND_HORIZON, [])
  if (row === undefined) throw new Error('the server did not say which transactions are open')
  return row.horizon
}

/** From here on, this transaction sees the database as it is now. Must be its first statement. */
export async function seeOneMoment(tx: Tx): Promise<void> {
  await tx.rows(
    { name: 'cells_see_one_moment', text: 'set transaction isolation level repeatable read, read only' },
    [],
  )
}

const isOf = ({ where = 't.merchant_id = $1' }: MovingTable): string => where

/** Copies rows into another database; a row that is there already becomes what it is here. Gives how many were read. */
export async function copyRows(from: Tx, into: Tx, reading: Reading): Promise<number> {
  const { table } = reading
  const columns = await columnsOf(into, table)
  let count = 0
  for await (const rows of readRows(from, reading)) {
    await into.rows(writing(table, columns), [rows.map(({ row }) => row)])
    count += rows.length
  }
  return count
}

interface ReadRow {
  readonly row: string
  readonly part: string | null
}

async function* readRows(tx: Tx, reading: Reading): AsyncIterable<readonly ReadRow[]> {
  const { table, merchantId, since } = reading
  await tx.rows(declaring(reading), since === undefined ? [merchantId] : [merchantId, since])
  const fetching = { name: 'cells_fetch', text: `fetch ${ROWS_AT_ONCE} from ${CURSOR}` }
  let rows: readonly ReadRow[] = []
  let isLast = false
  for (let round = 0; round < ROUNDS_MAX && !isLast; round += 1) {
    const fetched = await tx.rows<ReadRow>(fetching, [])
    isLast = fetched.length < ROWS_AT_ONCE
    rows = [...rows, ...fetched]
    // The last part may go on with the next rows.
    const held = isLast || table.together === undefined ? [] : lastPartOf(rows)
    const whole = rows.slice(0, rows.length - held.length)
    if (whole.length > 0) yield whole
    rows = held
  }
  await tx.rows({ name: 'cells_close', text: `close ${CURSOR}` }, [])
}

function lastPartOf(rows: readonly ReadRow[]): readonly ReadRow[] {
  const part = rows.at(-1)?.part
  return rows.slice(rows.findIndex((row) => row.part === part))
}

function declaring({ table, from = table.name, since, only }: Reading): Statement {
  const { together } = table
  const [part, order] =
    together === undefined ? ['null', ''] : [`t.${together}`, `order by t.merchant_id, t.${together}`]
  const conditions = [
    isOf(table),
    ...(only === undefined ? [] : [only]),
    ...(since === undefined ? [] : ['age(t.xmin) <= age($2::text::xid8::xid)']),
  ]
  const kind = `${since === undefined ? '' : '_since'}${only === undefined ? '' : '_only'}`
  return {
    name: `cells_declare_${from}${kind}`,
    text: `declare ${CURSOR} no scroll cursor for select t::text as row, ${part}::text as part
      from ${from} t where ${conditions.join(' and ')} ${order}`,
  }
}

async function columnsOf(tx: Tx, { name, without = [] }: MovingTable): Promise<readonly string[]> {
  const columns = await tx.rows<{ name: string }>(LIST_COLUMNS, [name])
  if (columns.length === 0) throw new Error(`there is no table ${name}`)
  return columns.map((column) => column.name).filter((column) => !without.includes(column))
}

function writing(table: MovingTable, columns: readonly string[]): Statement {
  const { name, key, isOnlyAdded = false } = table
  const changing = columns.filter((column) => !key.includes(column))
  const listed = (of: readonly string[], prefix = ''): string =>
    of.map((column) => prefix + column).join(', ')
  const settled =
    isOnlyAdded || changing.length === 0
      ? 'do nothing'
      : `do update set ${changing.map((column) => `${column} = excluded.${column}`).join(', ')}
        where row(${listed(changing, 'there.')}) is distinct from row(${listed(changing, 'excluded.')})`
  return {
    name: `cells_${isOnlyAdded ? 'add' : 'write'}_${name}`,
    text: `insert into ${name} as there (${listed(columns)}) overriding system value
      select ${listed(columns)} from unnest($1::${name}[]) on conflict (${listed(key)}) ${settled}`,
  }
}

/** How many rows there are, and a sum over all that they say. */
export interface Fingerprint {
  readonly rows: number
  readonly sum: bigint
}

/** What a merchant's rows of a table come to. The same in two databases: they have the same rows. */
export async function fingerprintOf(
  tx: Tx,
  { table, merchantId, from = table.name }: Omit<Reading, 'since' | 'only'>,
): Promise<Fingerprint> {
  const columns = await columnsOf(tx, table)
  const [row] = await tx.rows<{ rows: string; sum: string }>(
    {
      name: `cells_fingerprint_${from}`,
      text: `select count(*)::text as rows, coalesce(sum(hashtextextended(row(${columns.map((column) => `t.${column}`).join(', ')})::text, 0)), 0)::text as sum
        from ${from} t where ${isOf(table)}`,
    },
    [merchantId],
  )
  return { rows: Number(row?.rows), sum: BigInt(row?.sum ?? 0) }
}

/** Removes all rows of the merchant. */
export async function removeRows(tx: Tx, { table, merchantId }: RowsOf): Promise<void> {
  await tx.rows(
    { name: `cells_remove_${table.name}`, text: `delete from ${table.name} t where ${isOf(table)}` },
    [merchantId],
  )
}

/** Removes rows that the other database has no more, such as those that were old enough. */
export async function removeStrays(
  from: Tx,
  into: Tx,
  { table, merchantId }: RowsOf,
  alsoFrom?: string,
): Promise<void> {
  const key = `row(${table.key.map((column) => `t.${column}`).join(', ')})::text`
  const there = new Set<string>()
  for (const name of [table.name, ...(alsoFrom === undefined ? [] : [alsoFrom])]) {
    const statement = {
      name: `cells_keys_${name}`,
      text: `select ${key} as key from ${name} t where ${isOf(table)}`,
    }
    for (const row of await from.rows<{ key: string }>(statement, [merchantId])) there.add(row.key)
  }
  const here = {
    name: `cells_keys_${table.name}`,
    text: `select ${key} as key from ${table.name} t where ${isOf(table)}`,
  }
  const strays = (await into.rows<{ key: string }>(here, [merchantId])).filter((row) => !there.has(row.key))
  if (strays.length === 0) return
  await into.rows(
    {
      name: `cells_remove_strays_${table.name}`,
      text: `delete from ${table.name} t where ${isOf(table)} and ${key} = any ($2::text[])`,
    },
    [merchantId, strays.map((row) => row.key)],
  )
}
