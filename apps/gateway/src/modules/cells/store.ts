import type { Statement, Tx } from '../../platform/database.ts'

const FIND_LETTER: Statement = {
  name: 'cells_find_letter',
  text: `select coalesce((select to_cell from cell_splits where opened_at is not null order by split_no desc limit 1),
      (select from_cell from cell_splits order by split_no limit 1), (select letter from cell_letter)) as letter`,
}
const INSERT_LETTER: Statement = {
  name: 'cells_insert_letter',
  text: 'insert into cell_letter (letter) values ($1) on conflict do nothing',
}
const FIND_SPLIT_TO: Statement = {
  name: 'cells_find_split_to',
  text: `select from_cell as "fromCell", released_at as "releasedAt", opened_at as "openedAt" from cell_splits where to_cell = $1`,
}
const INSERT: Statement = {
  name: 'cells_insert_split',
  text: 'insert into cell_splits (from_cell, to_cell) values ($1, $2)',
}
const UPDATE_OPENED: Statement = {
  name: 'cells_update_opened',
  text: 'update cell_splits set opened_at = clock_timestamp(), history_until = $2 where to_cell = $1',
}
const FIND_HISTORY_END: Statement = {
  name: 'cells_find_history_end',
  text: 'select coalesce(max(history_until), 0)::float8 as "historyEnd" from cell_splits',
}
const LIST_FENCES: Statement = {
  name: 'cells_list_fences',
  text: `select format('%I', c.relname) as "table", format('%I', t.tgname) as name, t.tgenabled <> 'D' as "isEnabled"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgname in ('elsewhere', 'elsewhere_changed') and c.relnamespace = current_schema()::regnamespace order by c.relname collate "C"`,
}
const IS_OWNER: Statement = {
  name: 'cells_is_owner',
  text: `select current_user as name, pg_has_role(c.relowner, 'usage') as "isOwner"
    from pg_class c where c.relname = 'cell_splits' and c.relnamespace = current_schema()::regnamespace`,
}
const LOCK_TIMEOUT: Statement = {
  name: 'cells_lock_timeout',
  text: `set local lock_timeout = '300ms'`,
}
const FIND_USE: Statement = {
  name: 'cells_find_use',
  text: `select pg_is_in_recovery() as "isStandby", exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'tollgate%' and application_name <> current_setting('application_name')) as "hasProcesses"`,
}

const IS_UNUSED: Statement = {
  name: 'cells_is_unused',
  text: `select not exists (select from merchants) and not exists (select from operators) and not exists (select from token_signing_keys) as "isUnused"`,
}

/** A cell that was made of a copy of another. */
interface Split {
  readonly fromCell: string
  readonly releasedAt: Date
  /** In the new cell alone. */
  readonly openedAt: Date | null
}

/** The cell that this database is, as splits have made it, or as it was first started; undefined where neither was. */
export async function findLetter(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.rows<{ letter: string | null }>(FIND_LETTER, [])
  return row?.letter ?? undefined
}

/** Notes which cell this database is, unless that was noted. */
export async function insertLetter(tx: Tx, letter: string): Promise<void> {
  await tx.rows(INSERT_LETTER, [letter])
}

/** The split by which a cell came about; undefined where this database knows of none. */
export async function findSplitTo(tx: Tx, letter: string): Promise<Split | undefined> {
  return (await tx.rows<Split>(FIND_SPLIT_TO, [letter]))[0]
}

/** Notes that merchants of this cell go on in a copy of it. */
export async function insertSplit(tx: Tx, fromCell: string, toCell: string): Promise<void> {
  await tx.rows(INSERT, [fromCell, toCell])
}

/** Notes in the copy that it is the new cell. Up to `historyEnd` its journal is that of the cell it came from. */
export async function updateSplitOpened(tx: Tx, toCell: string, historyEnd: number): Promise<void> {
  await tx.rows(UPDATE_OPENED, [toCell, historyEnd])
}

/** The last entry of the journal that another cell has, too, and accounts for; 0 in a cell that came of no split. */
export async function findHistoryEnd(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ historyEnd: number }>(FIND_HISTORY_END, [])
  return row?.historyEnd ?? 0
}

/** The user, if it is another than the one who owns the tables: a fence is the owner's to set up. */
export async function findPowerlessUser(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.rows<{ name: string; isOwner: boolean }>(IS_OWNER, [])
  return row?.isOwner === true ? undefined : row?.name
}

interface Fence {
  readonly table: string
  /** Of the trigger. */
  readonly name: string
  readonly isEnabled: boolean
}

/**
 * Waits for everybody who is writing to a fenced table, and keeps others from it until the transaction ends: they see what it did. Gives
 * up after a third of a second, which is sooner than the server looks for deadlocks: of two who wait for each other, this one yields.
 */
export async function lockFences(tx: Tx): Promise<void> {
  const fences = await tx.rows<Fence>(LIST_FENCES, [])
  await tx.rows(LOCK_TIMEOUT, [])
  await tx.rows(
    {
      name: 'cells_lock_fences',
      text: `lock table ${[...new Set(fences.map(({ table }) => table))].join(', ')} in share row exclusive mode`,
    },
    [],
  )
}

/** From here on, no row of a merchant of another cell is added or changed. By the owner of the tables. */
export async function enableFences(tx: Tx): Promise<void> {
  for (const { table, name, isEnabled } of await tx.rows<Fence>(LIST_FENCES, []))
    if (!isEnabled)
      await tx.rows(
        { name: `cells_enable_${name}_${table}`, text: `alter table ${table} enable trigger ${name}` },
        [],
      )
}

/** Why a copy cannot be opened now: it still follows another server, or processes of a gateway are connected to it. */
export async function findUse(
  tx: Tx,
): Promise<{ readonly isStandby: boolean; readonly hasProcesses: boolean }> {
  const [row] = await tx.rows<{ isStandby: boolean; hasProcesses: boolean }>(FIND_USE, [])
  if (row === undefined) throw new Error('the server said nothing of itself')
  return row
}

/** Whether nobody has used the database yet: nothing in it is sealed, signed or hashed. */
export async function isUnused(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows<{ isUnused: boolean }>(IS_UNUSED, [])
  return row?.isUnused === true
}
